package org.rdma4j.tools.conform.mutant;

import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.rdma4j.tools.conform.check.Setup;

/**
 * A device that does one thing wrong.
 *
 * @param id for the table
 * @param what it does wrong
 * @param tamper what changes its packets; a new one for each run
 * @param setup what changes how its queue pairs are set up
 */
record Mutant(String id, String what, Supplier<Tamper> tamper, UnaryOperator<Setup> setup) {

    static Mutant tampered(String id, String what, Supplier<Tamper> tamper) {
        return new Mutant(id, what, tamper, UnaryOperator.identity());
    }

    static Mutant setUp(String id, String what, UnaryOperator<Setup> setup) {
        return new Mutant(id, what, () -> new Tamper() {}, setup);
    }

    /** What the device sends is changed. */
    static Mutant sends(String id, String what, Predicate<Tampered> when, Consumer<Tampered> change) {
        return tampered(id, what, () -> new Tamper() {
            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                if (when.test(packet)) {
                    change.accept(packet);
                }
                ways.fromDevice(packet);
            }
        });
    }

    /** What the device should send is not sent. */
    static Mutant omits(String id, String what, Predicate<Tampered> when) {
        return tampered(id, what, () -> new Tamper() {
            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                if (!when.test(packet)) {
                    ways.fromDevice(packet);
                }
            }
        });
    }

    /** What the device sends is sent twice. */
    static Mutant repeats(String id, String what, Predicate<Tampered> when) {
        return tampered(id, what, () -> new Tamper() {
            @Override
            public void fromDevice(Tampered packet, Ways ways) {
                if (when.test(packet)) {
                    ways.fromDevice(packet.copy());
                }
                ways.fromDevice(packet);
            }
        });
    }

    /** The device takes a packet for another one. */
    static Mutant takes(String id, String what, Predicate<Tampered> when, Consumer<Tampered> change) {
        return tampered(id, what, () -> new Tamper() {
            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (when.test(packet)) {
                    change.accept(packet);
                }
                ways.toDevice(packet);
            }
        });
    }

    /** The device ignores a packet that it should heed. */
    static Mutant ignores(String id, String what, Predicate<Tampered> when) {
        return tampered(id, what, () -> new Tamper() {
            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (!when.test(packet)) {
                    ways.toDevice(packet);
                }
            }
        });
    }

    /** The device takes a packet in twice. */
    static Mutant doubles(String id, String what, Predicate<Tampered> when) {
        return tampered(id, what, () -> new Tamper() {
            @Override
            public void toDevice(Tampered packet, Ways ways) {
                if (when.test(packet)) {
                    ways.toDevice(packet.copy());
                }
                ways.toDevice(packet);
            }
        });
    }

    @Override
    public String toString() {
        return id + ": " + what;
    }
}
