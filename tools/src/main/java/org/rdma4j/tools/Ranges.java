package org.rdma4j.tools;

import picocli.CommandLine;

/** Values of options that are outside of their range. */
public final class Ranges {

    private Ranges() {}

    /** @throws CommandLine.ParameterException for a value out of range, naming the option and the value */
    public static void check(CommandLine.Model.CommandSpec spec, String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), option + " is " + least + " to " + most + ", not " + value);
        }
    }
}
