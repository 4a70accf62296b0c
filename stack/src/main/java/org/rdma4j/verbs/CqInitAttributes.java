package org.rdma4j.verbs;

/**
 * What a completion queue is created with ({@code struct ibv_cq_init_attr_ex}).
 *
 * @param entries completions that may wait
 * @param channel where its events go, or {@code null}
 * @param timestamps each completion tells when it came ({@code IBV_WC_EX_WITH_COMPLETION_TIMESTAMP} and
 *     {@code …_WALLCLOCK})
 */
public record CqInitAttributes(int entries, CompletionChannel channel, boolean timestamps) {

    public static CqInitAttributes of(int entries) {
        return new CqInitAttributes(entries, null, false);
    }

    public CqInitAttributes withChannel(CompletionChannel value) {
        return new CqInitAttributes(entries, value, timestamps);
    }

    public CqInitAttributes withTimestamps() {
        return new CqInitAttributes(entries, channel, true);
    }
}
