package org.rdma4j.link;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What stands behind the family in a device's name: {@code PLACE[?OPTION=VALUE[&OPTION=VALUE ...]]}; a comma does for the
 * ampersand.
 *
 * @param place the address or interface
 * @param options by their names
 */
public record NameOptions(String place, Map<String, String> options) {

    /** @throws LinkException for an option that is none, or twice there */
    public static NameOptions parse(String family, String text, List<String> known) {
        int mark = text.indexOf('?');
        String place = mark < 0 ? text : text.substring(0, mark);
        Map<String, String> options = new HashMap<>();
        if (mark >= 0) {
            for (String part : text.substring(mark + 1).split("[&,]", -1)) {
                int equals = part.indexOf('=');
                String key = equals < 0 ? part : part.substring(0, equals);
                if (equals < 0 || !known.contains(key)) {
                    throw unknown(family, text, "\"" + part + "\" is none of its options: " + String.join(", ", known));
                }
                if (options.put(key, part.substring(equals + 1)) != null) {
                    throw unknown(family, text, key + " stands there twice");
                }
            }
        }
        return new NameOptions(place, Map.copyOf(options));
    }

    /** No device is called that. */
    public static LinkException unknown(String family, String text, String reason) {
        return new LinkException(LinkException.Kind.UNKNOWN_DEVICE, family + ":" + text + ": " + reason);
    }
}
