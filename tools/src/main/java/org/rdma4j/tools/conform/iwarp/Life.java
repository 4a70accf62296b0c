package org.rdma4j.tools.conform.iwarp;

import org.rdma4j.iwarp.ConnectParameters;
import org.rdma4j.iwarp.ConnectionEnd;
import org.rdma4j.iwarp.ConnectionEvents;
import org.rdma4j.iwarp.IwarpConnection;

/** What the owner of a built-in peer's connection hears of it, and what it answers to a request. */
public final class Life implements ConnectionEvents {

    private final int qpNum;
    private final IwarpSetup setup;
    private volatile IwarpConnection connection;
    private volatile boolean established;
    private volatile byte[] rejection;
    private volatile ConnectionEnd end;

    public Life(int qpNum, IwarpSetup setup) {
        this.qpNum = qpNum;
        this.setup = setup;
    }

    @Override
    public void requested(IwarpConnection asked) {
        connection = asked;
        if (setup.rejects()) {
            asked.reject(REASON.clone());
        } else {
            asked.accept(qpNum, ConnectParameters.of(new byte[0], setup.ird(), setup.ord()));
        }
    }

    /** What an application that says no says besides. */
    static final byte[] REASON = {'n', 'o', '!'};

    @Override
    public void established(IwarpConnection done) {
        connection = done;
        established = true;
    }

    @Override
    public void rejected(IwarpConnection no) {
        rejection = no.privateData();
    }

    @Override
    public void failed(IwarpConnection no, ConnectionEnd why) {
        end = why;
    }

    @Override
    public void ended(IwarpConnection over, ConnectionEnd why) {
        end = why;
    }

    public IwarpConnection connection() {
        return connection;
    }

    public boolean isEstablished() {
        return established;
    }

    /** The private data of the peer's no; {@code null} where there was none. */
    public byte[] rejection() {
        return rejection;
    }

    /** How it ended; {@code null} where it did not. */
    public ConnectionEnd end() {
        return end;
    }
}
