package org.rdma4j.tools;

import picocli.CommandLine;

/** Reads sizes as the field's tools do: {@code 65536}, {@code 64K}, {@code 1M}, {@code 2G}. */
public final class ByteSize implements CommandLine.ITypeConverter<Long> {

    @Override
    public Long convert(String text) {
        int digits = text.length();
        int shift = 0;
        if (digits > 1) {
            shift = switch (text.charAt(digits - 1)) {
                case 'K', 'k' -> 10;
                case 'M', 'm' -> 20;
                case 'G', 'g' -> 30;
                default -> 0;
            };
        }
        try {
            return Math.multiplyExact(Long.parseLong(shift == 0 ? text : text.substring(0, digits - 1)), 1L << shift);
        } catch (NumberFormatException | ArithmeticException _) {
            throw new CommandLine.TypeConversionException("'" + text + "' is no number of bytes, such as 4096 or 64K");
        }
    }
}
