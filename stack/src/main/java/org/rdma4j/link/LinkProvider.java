package org.rdma4j.link;

import java.util.List;

/** Opens links by name; found by {@link java.util.ServiceLoader}, so a new family is a new module on the path. */
public interface LinkProvider {

    /** The part of a device's name before the colon: {@code roce2}. */
    String family();

    /**
     * Opens the link {@code family:address}.
     *
     * @throws LinkException with a message for the user
     */
    Link open(String address, LinkOptions options);

    /** Names that could be opened here now, {@code family:address} each. */
    List<String> discover();
}
