package org.rdma4j.tools.conform.mutant.iwarp;

import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.rdma4j.tools.conform.iwarp.IwarpSetup;

/**
 * An iWARP device that does one thing wrong.
 *
 * @param id for the table
 * @param what it does wrong
 * @param tamper what changes its stream; a new one for each connection
 * @param setup what changes how its connections are set up
 */
record IwarpMutant(String id, String what, Supplier<StreamTamper> tamper, UnaryOperator<IwarpSetup> setup) {

    static IwarpMutant tampered(String id, String what, Supplier<StreamTamper> tamper) {
        return new IwarpMutant(id, what, tamper, UnaryOperator.identity());
    }

    static IwarpMutant setUp(String id, String what, UnaryOperator<IwarpSetup> setup) {
        return new IwarpMutant(id, what, () -> new StreamTamper() {}, setup);
    }

    /** What the device sends is changed. */
    static IwarpMutant sends(String id, String what, Predicate<Unit> when, Consumer<Unit> change) {
        return tampered(id, what, () -> new StreamTamper() {
            @Override
            public void fromDevice(Unit unit, Ways ways) {
                if (when.test(unit)) {
                    change.accept(unit);
                }
                ways.fromDevice(unit);
            }
        });
    }

    /** What the device should send is not sent. */
    static IwarpMutant omits(String id, String what, Predicate<Unit> when) {
        return tampered(id, what, () -> new StreamTamper() {
            @Override
            public void fromDevice(Unit unit, Ways ways) {
                if (!when.test(unit)) {
                    ways.fromDevice(unit);
                }
            }
        });
    }

    /** What the device sends is sent twice. */
    static IwarpMutant repeats(String id, String what, Predicate<Unit> when) {
        return tampered(id, what, () -> new StreamTamper() {
            @Override
            public void fromDevice(Unit unit, Ways ways) {
                if (when.test(unit)) {
                    ways.fromDevice(unit.copy());
                }
                ways.fromDevice(unit);
            }
        });
    }

    /** The device takes something for something else. */
    static IwarpMutant takes(String id, String what, Predicate<Unit> when, Consumer<Unit> change) {
        return tampered(id, what, () -> new StreamTamper() {
            @Override
            public void toDevice(Unit unit, Ways ways) {
                if (when.test(unit)) {
                    change.accept(unit);
                }
                ways.toDevice(unit);
            }
        });
    }

    /** The device ignores what it should heed. */
    static IwarpMutant ignores(String id, String what, Predicate<Unit> when) {
        return tampered(id, what, () -> new StreamTamper() {
            @Override
            public void toDevice(Unit unit, Ways ways) {
                if (!when.test(unit)) {
                    ways.toDevice(unit);
                }
            }
        });
    }

    /** The device breaks the connection for something that is right. */
    static IwarpMutant breaks(String id, String what, Predicate<Unit> when) {
        return tampered(id, what, () -> new StreamTamper() {
            @Override
            public void toDevice(Unit unit, Ways ways) {
                if (when.test(unit)) {
                    ways.breakFromDevice();
                } else {
                    ways.toDevice(unit);
                }
            }
        });
    }

    @Override
    public String toString() {
        return id + ": " + what;
    }
}
