package org.rdma4j.tools.conform.iwarp;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;

/** One over the operating system's TCP. */
final class TcpStrand extends Strand {

    private static final int CHUNK = 64 << 10;

    private final Socket socket;

    private TcpStrand(Socket socket, boolean connects) {
        super(
                (InetSocketAddress) socket.getLocalSocketAddress(),
                (InetSocketAddress) socket.getRemoteSocketAddress(),
                connects,
                System::nanoTime);
        this.socket = socket;
    }

    /** On a socket that is connected. */
    static TcpStrand on(Socket socket, boolean connects) {
        try {
            socket.setTcpNoDelay(true); // each piece by itself
            TcpStrand strand = new TcpStrand(socket, connects);
            Thread.ofVirtual().start(strand::read);
            return strand;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        byte[] chunk = new byte[CHUNK];
        try {
            InputStream in = socket.getInputStream();
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                arrived(Arrays.copyOf(chunk, count));
            }
            arrivedEnd();
        } catch (IOException _) {
            arrivedBreak();
        }
    }

    @Override
    protected void put(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException _) {
            // The reader tells of it, behind what it has not read yet.
        }
    }

    @Override
    protected void end() {
        try {
            socket.shutdownOutput();
        } catch (IOException _) {
            // The same.
        }
    }

    @Override
    protected void abort() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
