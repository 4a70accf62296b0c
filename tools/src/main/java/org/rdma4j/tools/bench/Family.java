package org.rdma4j.tools.bench;

import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** What is measured: the devices of a family, or decode, which needs none. */
enum Family {
    ROCE2("roce2"),
    IWARP("iwarp"),
    DECODE("decode");

    private final String prefix;

    Family(String prefix) {
        this.prefix = prefix;
    }

    /** Reads what the user calls it. */
    static final class Named implements CommandLine.ITypeConverter<Family> {
        @Override
        public Family convert(String name) {
            for (Family family : values()) {
                if (family.prefix.equals(name)) {
                    return family;
                }
            }
            String known = Arrays.stream(values()).map(family -> family.prefix).collect(Collectors.joining(", "));
            throw new CommandLine.TypeConversionException("there is no family " + name + " here; there are " + known);
        }
    }

    /** A device's name. */
    String device(String address) {
        return prefix + ":" + address;
    }
}
