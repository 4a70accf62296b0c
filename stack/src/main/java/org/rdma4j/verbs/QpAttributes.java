package org.rdma4j.verbs;

import java.util.EnumSet;
import java.util.Set;

/**
 * Values for {@code ibv_modify_qp} ({@code struct ibv_qp_attr}). Setting one puts it in the mask; what is not set is not
 * changed.
 */
public final class QpAttributes {

    private final EnumSet<QpAttribute> mask = EnumSet.noneOf(QpAttribute.class);
    private QpState state = QpState.RESET;
    private QpState currentState = QpState.RESET;
    private boolean sqdAsyncNotify;
    private int accessFlags;
    private int pkeyIndex;
    private int port = 1;
    private int qkey;
    private AhAttributes av;
    private int pathMtu;
    private int timeout;
    private int retryCount;
    private int rnrRetry;
    private int rqPsn;
    private int sqPsn;
    private int maxRdAtomic;
    private int maxDestRdAtomic;
    private int minRnrTimer;
    private int destQpNum;
    private AhAttributes alternateAv;
    private int alternatePkeyIndex;
    private int alternateTimeout;
    private PathMigrationState migrationState = PathMigrationState.MIGRATED;

    /** The attributes that were set. */
    public Set<QpAttribute> mask() {
        return EnumSet.copyOf(mask);
    }

    boolean has(QpAttribute attribute) {
        return mask.contains(attribute);
    }

    private QpAttributes set(QpAttribute attribute) {
        mask.add(attribute);
        return this;
    }

    public QpState state() {
        return state;
    }

    public QpAttributes state(QpState value) {
        state = value;
        return set(QpAttribute.STATE);
    }

    public QpState currentState() {
        return currentState;
    }

    public QpAttributes currentState(QpState value) {
        currentState = value;
        return set(QpAttribute.CUR_STATE);
    }

    public boolean sqdAsyncNotify() {
        return sqdAsyncNotify;
    }

    public QpAttributes sqdAsyncNotify(boolean value) {
        sqdAsyncNotify = value;
        return set(QpAttribute.EN_SQD_ASYNC_NOTIFY);
    }

    public int accessFlags() {
        return accessFlags;
    }

    /** @param value bits of {@link org.rdma4j.memory.AccessFlags}: what the peer may do */
    public QpAttributes accessFlags(int value) {
        accessFlags = value;
        return set(QpAttribute.ACCESS_FLAGS);
    }

    public int pkeyIndex() {
        return pkeyIndex;
    }

    public QpAttributes pkeyIndex(int value) {
        pkeyIndex = value;
        return set(QpAttribute.PKEY_INDEX);
    }

    public int port() {
        return port;
    }

    public QpAttributes port(int value) {
        port = value;
        return set(QpAttribute.PORT);
    }

    public int qkey() {
        return qkey;
    }

    public QpAttributes qkey(int value) {
        qkey = value;
        return set(QpAttribute.QKEY);
    }

    public AhAttributes av() {
        return av;
    }

    public QpAttributes av(AhAttributes value) {
        av = value;
        return set(QpAttribute.AV);
    }

    /** {@code alt_ah_attr}; {@code null} where there is none. */
    public AhAttributes alternateAv() {
        return alternateAv;
    }

    public int alternatePkeyIndex() {
        return alternatePkeyIndex;
    }

    public int alternateTimeout() {
        return alternateTimeout;
    }

    /**
     * Another way to the peer, of use once the migration state is {@link PathMigrationState#REARM}.
     *
     * @param timeoutCode of that way, as {@link #timeout(int)}
     */
    public QpAttributes alternatePath(AhAttributes path, int pkey, int timeoutCode) {
        alternateAv = path;
        alternatePkeyIndex = pkey;
        alternateTimeout = timeoutCode;
        return set(QpAttribute.ALT_PATH);
    }

    public PathMigrationState migrationState() {
        return migrationState;
    }

    /** @param value REARM, or in ARMED MIGRATED: go to the alternate path now */
    public QpAttributes migrationState(PathMigrationState value) {
        migrationState = value;
        return set(QpAttribute.PATH_MIG_STATE);
    }

    public int pathMtu() {
        return pathMtu;
    }

    /** @param bytes 256, 512, 1024, 2048 or 4096 */
    public QpAttributes pathMtu(int bytes) {
        pathMtu = bytes;
        return set(QpAttribute.PATH_MTU);
    }

    public int timeout() {
        return timeout;
    }

    /** @param value 0 (none) to 31: the local ACK timeout is 4.096 µs · 2^value */
    public QpAttributes timeout(int value) {
        timeout = value;
        return set(QpAttribute.TIMEOUT);
    }

    public int retryCount() {
        return retryCount;
    }

    /** @param value resends without progress before RETRY_EXC_ERR, 0 to 7; 7 is seven, as the specification has it */
    public QpAttributes retryCount(int value) {
        retryCount = value;
        return set(QpAttribute.RETRY_CNT);
    }

    public int rnrRetry() {
        return rnrRetry;
    }

    /** @param value resends after RNR NAKs, 0 to 6; 7 is for ever */
    public QpAttributes rnrRetry(int value) {
        rnrRetry = value;
        return set(QpAttribute.RNR_RETRY);
    }

    public int rqPsn() {
        return rqPsn;
    }

    /** @param value the first PSN expected from the peer, 24 bits */
    public QpAttributes rqPsn(int value) {
        rqPsn = value;
        return set(QpAttribute.RQ_PSN);
    }

    public int sqPsn() {
        return sqPsn;
    }

    /** @param value the first PSN sent, 24 bits */
    public QpAttributes sqPsn(int value) {
        sqPsn = value;
        return set(QpAttribute.SQ_PSN);
    }

    public int maxRdAtomic() {
        return maxRdAtomic;
    }

    public QpAttributes maxRdAtomic(int value) {
        maxRdAtomic = value;
        return set(QpAttribute.MAX_QP_RD_ATOMIC);
    }

    public int maxDestRdAtomic() {
        return maxDestRdAtomic;
    }

    public QpAttributes maxDestRdAtomic(int value) {
        maxDestRdAtomic = value;
        return set(QpAttribute.MAX_DEST_RD_ATOMIC);
    }

    public int minRnrTimer() {
        return minRnrTimer;
    }

    /** @param value the code of our RNR NAKs, 0 (655.36 ms) to 31 (491.52 ms) */
    public QpAttributes minRnrTimer(int value) {
        minRnrTimer = value;
        return set(QpAttribute.MIN_RNR_TIMER);
    }

    public int destQpNum() {
        return destQpNum;
    }

    public QpAttributes destQpNum(int value) {
        destQpNum = value;
        return set(QpAttribute.DEST_QPN);
    }
}
