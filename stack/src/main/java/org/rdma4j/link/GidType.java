package org.rdma4j.link;

/** What a GID is made for ({@code ibv_gid_type}), with its numbers: which headers stand before the BTH. */
public enum GidType {
    IB(0, "IB"),
    ROCE_V1(1, "RoCE v1"),
    ROCE_V2(2, "RoCE v2");

    private final int number;
    private final String text;

    GidType(int number, String text) {
        this.number = number;
        this.text = text;
    }

    public int number() {
        return number;
    }

    /** As {@code ibv_devinfo -v} and the kernel's {@code gid_attrs/types} print it. */
    public String text() {
        return text;
    }
}
