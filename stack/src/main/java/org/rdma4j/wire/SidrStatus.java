package org.rdma4j.wire;

/** How a service ID resolution ended (IBTA volume 1, 12.11.2, table 127). Its number is its ordinal. */
public enum SidrStatus {
    VALID("queue pair and Q_Key are valid"),
    UNSUPPORTED("service ID not supported: nobody listens there"),
    REJECTED("rejected by the application"),
    NO_QP("no queue pair available"),
    REDIRECT("redirected"),
    UNSUPPORTED_VERSION("version not supported");

    private static final SidrStatus[] BY_NUMBER = values();

    private final String words;

    SidrStatus(String words) {
        this.words = words;
    }

    public int number() {
        return ordinal();
    }

    public String words() {
        return words;
    }

    /** A number in words: {@code 1 (service ID not supported: nobody listens there)}. */
    public static String words(int number) {
        boolean known = number >= 0 && number < BY_NUMBER.length;
        return number + " (" + (known ? BY_NUMBER[number].words : "not one that the standard names") + ")";
    }
}
