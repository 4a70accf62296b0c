package org.rdma4j.tools;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * What the launcher runs to make its start-up cache: {@code StartTraining CAPTURE}. A class that is not loaded here and a lambda that is
 * not reached are not in the cache, and what runs often here is compiled first where the cache is used. So this is decode, the command
 * whose start counts most, in all its forms.
 */
final class StartTraining {

    private static final List<String> FORMS =
            List.of("", "--stats", "--findings", "-e frame.number,ip.src,infiniband.bth.psn,rdma4j.resend", "--json");

    /** More would compile for this capture alone. */
    private static final int ROUNDS = 2;

    private StartTraining() {}

    public static void main(String[] arguments) {
        for (String form : FORMS) {
            List<String> words = new ArrayList<>(List.of("decode"));
            if (!form.isEmpty()) {
                words.addAll(Arrays.asList(form.split(" ")));
            }
            words.addAll(Collections.nCopies(ROUNDS, arguments[0]));
            Main.run(words.toArray(String[]::new));
        }
        Main.main(new String[] {"--version"}); // ends the JVM, which takes classes as well
    }
}
