package org.rdma4j.tools;

import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** A kind of devices, by the first part of their names. */
public enum Family {
    ROCE2("roce2"),
    IWARP("iwarp"),
    IBSIM("ibsim");

    private final String prefix;

    Family(String prefix) {
        this.prefix = prefix;
    }

    /** Reads what the user calls it. */
    public static final class Named implements CommandLine.ITypeConverter<Family> {
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
    public String device(String address) {
        return prefix + ":" + address;
    }

    /** True for a device of this family. */
    public boolean isOf(String device) {
        return device.startsWith(prefix + ":");
    }

    /** As the user calls it. */
    @Override
    public String toString() {
        return prefix;
    }
}
