package org.rdma4j.tools;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * picocli's model of a command, made by hand: it reads annotations by reflection, through a proxy class for each kind of them that the JVM
 * makes anew in every run, and that takes longer than all else from the JVM's start to a command's own first line. For a command whose
 * short runs count; the others have annotations, which are easier to read.
 *
 * <p>A value goes to a field of the command by a lambda. The first value stands there already, as with annotations.
 */
public final class PlainModel {

    private PlainModel() {}

    /** A command with the options that {@code mixinStandardHelpOptions} gives. */
    public static CommandSpec command(String name, Object command) {
        return CommandSpec.wrapWithoutInspection(command)
                .name(name)
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help message and exit.")
                        .build())
                .addOption(OptionSpec.builder("-V", "--version")
                        .versionHelp(true)
                        .description("Print version information and exit.")
                        .build());
    }

    /** Without a value. */
    public static OptionSpec.Builder flag(Consumer<Boolean> field, String... names) {
        return bind(OptionSpec.builder(names).type(boolean.class), false, field);
    }

    /** Once at most, with a value. */
    public static <T> OptionSpec.Builder option(Class<T> type, T first, Consumer<T> field, String... names) {
        return bind(OptionSpec.builder(names).type(type), first, field);
    }

    /** More than once, and with commas between the values. */
    public static OptionSpec.Builder list(Consumer<List<String>> field, String... names) {
        OptionSpec.Builder option = OptionSpec.builder(names).type(List.class).auxiliaryTypes(String.class);
        return bind(option.splitRegex(","), List.of(), field);
    }

    /** KEY=VALUE, more than once, and with commas between the pairs. */
    public static OptionSpec.Builder map(Consumer<Map<String, String>> field, String... names) {
        OptionSpec.Builder option =
                OptionSpec.builder(names).type(Map.class).auxiliaryTypes(String.class, String.class);
        return bind(option.splitRegex(","), Map.of(), field);
    }

    /** One or more arguments that belong to no option. */
    public static PositionalParamSpec.Builder arguments(Consumer<List<String>> field) {
        Binding<List<String>> binding = new Binding<>(List.of(), field);
        return PositionalParamSpec.builder()
                .arity("1..*")
                .required(true)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .initialValue(List.of())
                .getter(binding)
                .setter(binding);
    }

    private static <T> OptionSpec.Builder bind(OptionSpec.Builder option, T first, Consumer<T> field) {
        Binding<T> binding = new Binding<>(first, field);
        return option.initialValue(first).getter(binding).setter(binding);
    }

    /** picocli asks for the value, too. */
    private static final class Binding<T> implements IGetter, ISetter {

        private final Consumer<T> field;
        private T value;

        private Binding(T first, Consumer<T> field) {
            this.value = first;
            this.field = field;
        }

        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the option has the type of its field
        public <V> V get() {
            return (V) value;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <V> V set(V next) {
            V previous = (V) value;
            value = (T) next;
            field.accept(value);
            return previous;
        }
    }
}
