package org.rdma4j.analysis;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map of at most so many entries, for captures without end: the one that was not used for the longest goes first. */
public final class RecentMap<K, V> extends LinkedHashMap<K, V> {

    private static final long serialVersionUID = 1;

    private final int most;

    public RecentMap(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
