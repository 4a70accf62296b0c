package org.rdma4j.tools;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * A command line, run in this process.
 *
 * @param status what it would exit with
 * @param out its standard output
 * @param err its standard error
 */
public record CommandRun(int status, String out, String err) {

    public static CommandRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new CommandRun(status, out.toString(), err.toString());
    }

    public List<String> lines() {
        return out.lines().toList();
    }
}
