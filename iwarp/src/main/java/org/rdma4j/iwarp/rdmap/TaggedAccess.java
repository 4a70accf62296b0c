package org.rdma4j.iwarp.rdmap;

import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.memory.KeyTable;
import org.rdma4j.memory.Region;

/**
 * May the peer reach these bytes, and if not, why: which of the checks of RFC 5041, 7.1, and RFC 5040, 7.2, fails first.
 * DDP finds what is wrong with a tagged segment, RDMAP what is wrong with the source of a Read or atomic; DDP knows no
 * rights, so a Write without them is RDMAP's to refuse.
 */
final class TaggedAccess {

    private TaggedAccess() {}

    /**
     * @param rights bits of {@link org.rdma4j.memory.AccessFlags}
     * @return {@code null} where the peer may
     */
    static TerminateCode refusal(
            KeyTable keys, IwarpQp qp, int sTag, long offset, long length, int rights, boolean byDdp) {
        Region region = keys.lookup(sTag);
        if (region != null
                && (qp.config().access & rights) == rights
                && region.permitsRemote(offset, length, rights, qp.pd(), qp)) {
            return null;
        }
        if (region == null || !region.isValid()) {
            return byDdp ? TerminateCode.DDP_TAGGED_INVALID_STAG : TerminateCode.RDMAP_INVALID_STAG;
        }
        if (region.pd() != qp.pd()) {
            return notAssociated(byDdp);
        }
        if (Long.compareUnsigned(offset + length, offset) < 0) {
            return byDdp ? TerminateCode.DDP_TAGGED_OFFSET_WRAP : TerminateCode.RDMAP_OFFSET_WRAP;
        }
        if (isOutside(region, offset, length)) {
            return byDdp ? TerminateCode.DDP_TAGGED_BOUNDS : TerminateCode.RDMAP_BOUNDS;
        }
        if ((region.access() & qp.config().access & rights) != rights) {
            return TerminateCode.RDMAP_ACCESS;
        }
        return notAssociated(byDdp); // another queue pair's window
    }

    private static TerminateCode notAssociated(boolean byDdp) {
        return byDdp ? TerminateCode.DDP_TAGGED_NOT_ASSOCIATED : TerminateCode.RDMAP_STAG_NOT_ASSOCIATED;
    }

    private static boolean isOutside(Region region, long offset, long length) {
        long from = offset - region.iova();
        return Long.compareUnsigned(from, region.length()) > 0
                || Long.compareUnsigned(length, region.length() - from) > 0;
    }
}
