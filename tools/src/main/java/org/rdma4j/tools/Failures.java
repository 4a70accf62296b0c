package org.rdma4j.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.rdma4j.cm.CmException;
import org.rdma4j.link.LinkException;
import org.rdma4j.verbs.VerbsException;
import picocli.CommandLine;

/** Turns what a command threw into one line on stderr, {@code rdma4j COMMAND: message}, and an exit status. */
final class Failures implements CommandLine.IExecutionExceptionHandler, CommandLine.IParameterExceptionHandler {

    private final boolean debug;

    /** With debug, the stack trace comes before the line. */
    Failures(boolean debug) {
        this.debug = debug;
    }

    @Override
    public int handleParseException(CommandLine.ParameterException e, String[] arguments) {
        String name = e.getCommandLine().getCommandSpec().qualifiedName();
        return report(e.getCommandLine(), e, e.getMessage() + " (" + name + " --help tells more)", ExitStatus.USAGE);
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        return switch (e) {
            case ToolException tool -> report(command, e, tool.getMessage(), tool.exitStatus());
            case LinkException link -> report(command, e, link.getMessage(), exitStatus(link.kind()));
            case CmException cm -> report(command, e, cm.getMessage(), ExitStatus.FAILED);
            case VerbsException verbs -> report(command, e, verbs.getMessage(), ExitStatus.FAILED);
            case UncheckedIOException io -> report(command, e, describe(io.getCause()), ExitStatus.FAILED);
            case IOException io -> report(command, e, describe(io), ExitStatus.FAILED);
            default ->
                report(command, e, "a defect of rdma4j: " + e + " (RDMA4J_DEBUG=1 shows where)", ExitStatus.FAILED);
        };
    }

    private static int exitStatus(LinkException.Kind kind) {
        return switch (kind) {
            case UNKNOWN_DEVICE -> ExitStatus.USAGE;
            case UNSUPPORTED -> ExitStatus.MISSING;
            case ADDRESS_IN_USE, UNREACHABLE, MTU, IO -> ExitStatus.FAILED;
        };
    }

    /** The file exceptions' own messages are no more than the file's name. */
    private static String describe(IOException e) {
        return switch (e) {
            case NoSuchFileException file -> "no such file: " + file.getFile();
            case AccessDeniedException file -> "permission denied: " + file.getFile();
            default -> e.getMessage() == null ? e.toString() : e.getMessage();
        };
    }

    private int report(CommandLine command, Exception e, String message, int exitStatus) {
        if (debug) {
            e.printStackTrace(command.getErr());
        }
        String line = String.valueOf(message).strip().replaceAll("\\s*\\R\\s*", " ");
        command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + line);
        return exitStatus;
    }
}
