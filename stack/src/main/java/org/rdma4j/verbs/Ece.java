package org.rdma4j.verbs;

/**
 * What a vendor's device offers its like beyond the standard ({@code struct ibv_ece}, enhanced connection establishment):
 * REQ and REP carry it, and whoever does not know the vendor answers without it.
 *
 * @param vendorId 24 bits, an IEEE OUI; 0 for nothing
 * @param options 32 bits, of the vendor's own meaning
 */
public record Ece(int vendorId, int options) {

    /** Nothing is offered. */
    public static final Ece NONE = new Ece(0, 0);

    private static final int MASK_24 = 0xFF_FFFF;

    public Ece {
        if ((vendorId & ~MASK_24) != 0) {
            throw VerbsException.invalid("an ECE vendor ID has 24 bits, not 0x%x", vendorId);
        }
    }
}
