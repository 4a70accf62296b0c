package org.rdma4j.iwarp.memory;

import java.util.Random;

/** How a stream is cut: how many of the bytes that wait come at once, and how many of those offered are taken. */
@FunctionalInterface
public interface Cut {

    /** @param bytes at least 1. @return 1 to {@code bytes} */
    int of(int bytes);

    /** Everything at once. */
    static Cut none() {
        return bytes -> bytes;
    }

    /** Pieces of a size. */
    static Cut every(int size) {
        return bytes -> Math.min(bytes, size);
    }

    /** Anything from single bytes to all there is. */
    static Cut random(Random random) {
        return bytes -> switch (random.nextInt(4)) {
            case 0 -> 1;
            case 1 -> bytes;
            case 2 -> Math.min(bytes, 1 + random.nextInt(40));
            default -> 1 + random.nextInt(bytes);
        };
    }
}
