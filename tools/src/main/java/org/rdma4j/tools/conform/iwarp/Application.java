package org.rdma4j.tools.conform.iwarp;

/** What runs on a peer's connection: how it is brought to do things, and how it shows what it got. */
public interface Application {

    /** So long after MPA's setup the first FPDU is sent, in nanoseconds: a peer may not be as ready as it says. */
    long settling();

    /** READs that it takes on at once. */
    int ird();

    /** Receives of {@link IwarpSetup#RECEIVE_SIZE} bytes that wait there while it does nothing. */
    int receives();

    /** Makes known to the hand-played side which memory of the peer's it may use. */
    Target introduce(IwarpScene scene);

    /** Has the peer READ so many bytes of the hand-played side's memory. @return its request */
    Arrival provokeRead(IwarpScene scene, int size);

    /** The READ that was provoked last has its whole Response: the peer shows that it has completed. */
    void readDone(IwarpScene scene);

    /** Has the peer WRITE so many bytes to the hand-played side's memory, and then SEND. */
    void provokeWrite(IwarpScene scene, int size);

    /** The peer has got a good message, {@link IwarpScene#message}, the story's one of this place. */
    void delivered(IwarpScene scene, int place);
}
