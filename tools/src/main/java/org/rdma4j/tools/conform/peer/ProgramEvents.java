package org.rdma4j.tools.conform.peer;

import java.util.Set;
import java.util.regex.Pattern;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.tools.conform.check.Heard;

/** The events that ucmatose and udaddy print: those that end them. */
record ProgramEvents(Program program) implements Heard {

    private static final Set<CmEventType> PRINTED =
            Set.of(CmEventType.REJECTED, CmEventType.UNREACHABLE, CmEventType.CONNECT_ERROR);

    @Override
    public boolean shows(CmEventType type) {
        return program != Program.ELSEWHERE && PRINTED.contains(type);
    }

    @Override
    public long count(CmEventType type, int status) {
        return Pattern.compile("event: " + type + ", error: " + status + "\\b")
                .matcher(program.output())
                .results()
                .count();
    }
}
