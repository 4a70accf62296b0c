package org.rdma4j.tools.decode;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rdma4j.analysis.Finding;
import org.rdma4j.analysis.Flow;
import org.rdma4j.analysis.FlowFigures;
import org.rdma4j.analysis.PacketPlace;
import org.rdma4j.analysis.Resend;
import org.rdma4j.analysis.Spread;
import org.rdma4j.iwarp.capture.CapturedUnit;
import org.rdma4j.wire.Opcode;

/**
 * What programs read: one JSON object a line, a packet each, and the summary last. Each is put together in the same
 * place: it is good until the next one.
 */
final class JsonLine {

    private final LineText text = new LineText();
    private boolean isFirst;

    LineText of(String file, DecodedFrame decoded) {
        begin().put("type", "packet").put("file", file).put("number", decoded.number());
        name("time").text.exactSeconds(decoded.captured().timestamp());
        if (decoded.frame() != null) {
            put("source", NetworkHeaders.end(decoded.frame(), decoded.frame().source()));
            put(
                    "destination",
                    NetworkHeaders.end(decoded.frame(), decoded.frame().destination()));
            put("encapsulation", decoded.frame().encapsulation().text());
            put("opcode", Opcode.name(decoded.opcode()));
            put("icrc", decoded.icrc().text().toLowerCase(Locale.ROOT));
        }
        if (decoded.malformed() != null) {
            put("malformed", decoded.malformed().reason());
        }
        if (decoded.packet() != null) {
            put("payload", decoded.packet().payload().byteSize());
            put("again", decoded.place().again());
            put("late", decoded.place().isLate());
            put("gap", decoded.place().missing());
            place(decoded.place());
        }
        findings(decoded.findings());
        comments(decoded.captured().comments());
        headers(Headers.of(decoded));
        return close('}').text;
    }

    LineText of(String file, IwarpFrame frame, CapturedUnit unit) {
        begin().put("type", "iwarp").put("file", file).put("number", frame.number());
        name("time").text.exactSeconds(frame.captured().timestamp());
        put("source", IwarpLine.end(frame.tcp().source(), frame.tcp().sourcePort()));
        put("destination", IwarpLine.end(frame.tcp().destination(), frame.tcp().destinationPort()));
        put("unit", IwarpText.name(unit));
        if (unit instanceof CapturedUnit.Fpdu fpdu) {
            put("crc", fpdu.crc().text().toLowerCase(Locale.ROOT));
        } else if (unit instanceof CapturedUnit.Lost lost) {
            put("lost", lost.reason());
        }
        if (frame.endsWith(unit)) {
            iwarpFindings(frame.findings());
        }
        comments(frame.captured().comments());
        headers(IwarpHeaders.of(unit));
        return close('}').text;
    }

    LineText of(String file, Summary summary) {
        begin().put("type", "summary").put("file", file);
        put("packets", summary.packets());
        put("wrong_icrc", summary.wrongIcrcs());
        put("malformed", summary.malformed());
        put("again", summary.again());
        name("other_frames").open('{');
        for (Map.Entry<String, Long> other : summary.others().entrySet()) {
            put(other.getKey(), other.getValue());
        }
        return close('}').close('}').text;
    }

    private void place(PacketPlace place) {
        if (place.flow() != null) {
            put("flow", place.flow().number());
            put("relative_psn", place.relativePsn());
        }
        if (place.resend() != Resend.NONE) {
            put("resend", place.resend().id());
        }
        if (place.cause() > 0) {
            put("cause", place.cause());
        }
    }

    private void iwarpFindings(List<IwarpFinding> findings) {
        if (findings.isEmpty()) {
            return;
        }
        name("findings").open('[');
        for (IwarpFinding finding : findings) {
            comma();
            open('{').put("severity", finding.severity().text());
            put("rule", finding.id()).put("clause", finding.clause());
            put("text", finding.text()).close('}');
        }
        close(']');
    }

    private void findings(List<Finding> findings) {
        if (findings.isEmpty()) {
            return;
        }
        name("findings").open('[');
        for (Finding finding : findings) {
            comma();
            open('{').put("kind", finding.kind().id());
            put("severity", finding.kind().severity().text());
            put("rule", finding.kind().rule()).put("clause", finding.kind().clause());
            if (finding.other() > 0) {
                put("other", finding.other());
            }
            put("text", finding.text()).close('}');
        }
        close(']');
    }

    /** A connection's requests in one direction, and what was counted of them. */
    LineText of(String file, Flow flow) {
        FlowFigures figures = flow.figures();
        begin().put("type", "flow").put("file", file).put("flow", flow.number());
        put("name", flow.name())
                .put("from", flow.from().toString())
                .put("to", flow.to().toString());
        put("destination_qp", flow.destQp()).put("source_qp", flow.answerQp());
        put("first_psn", flow.firstPsn());
        if (flow.announcement() != null) {
            put("announced_by", flow.announcement().said());
        }
        put("requests", figures.packets()).put("resent", figures.resent()).put("copies", figures.copies());
        put("late", figures.late()).put("lost", figures.lost());
        put("lost_responses", figures.lostResponses());
        name("rounds").open('{');
        figures.rounds().forEach((why, count) -> put(why.id(), count));
        close('}');
        put("acks", figures.acks()).put("naks", figures.naks()).put("rnr_naks", figures.rnrs());
        put("messages", figures.messages()).put("smallest_message", figures.smallestMessage());
        put("mean_message", figures.meanMessage()).put("largest_message", figures.largestMessage());
        put("payload_bytes", figures.payloadBytes()).put("goodput_bits_per_second", Math.round(figures.goodput()));
        spread("ack_latency_ns", figures.ackLatency());
        spread("read_latency_ns", figures.readLatency());
        if (figures.leastCredits() >= 0) {
            put("least_credits", figures.leastCredits());
        }
        put("ce_marked", figures.marked()).put("cnps", figures.cnps());
        return close('}').text;
    }

    private void spread(String name, Spread spread) {
        if (spread.count() == 0) {
            return;
        }
        name(name).open('{').put("count", spread.count()).put("least", spread.least());
        put("p50", spread.percentile(50)).put("p99", spread.percentile(99)).put("largest", spread.largest());
        close('}');
    }

    private void comments(List<String> comments) {
        if (comments.isEmpty()) {
            return;
        }
        name("comments").open('[');
        for (String comment : comments) {
            comma();
            string(comment);
        }
        close(']');
    }

    private void headers(List<Header> headers) {
        name("headers").open('[');
        for (Header header : headers) {
            comma();
            open('{').put("header", header.name());
            for (Header.Field field : header.fields()) {
                put(field);
            }
            close('}');
        }
        close(']');
    }

    private JsonLine put(String name, long value) {
        name(name).text.add(value);
        return this;
    }

    private JsonLine put(String name, boolean value) {
        name(name).text.add(value ? "true" : "false");
        return this;
    }

    private JsonLine put(String name, String value) {
        return name(name).string(value);
    }

    private JsonLine put(Header.Field field) {
        if (field.value() instanceof Number number) {
            return put(field.name(), number.longValue());
        }
        return field.value() instanceof Boolean bit
                ? put(field.name(), bit.booleanValue())
                : put(field.name(), field.value().toString());
    }

    private JsonLine name(String name) {
        comma();
        string(name).text.add(":");
        return this;
    }

    private JsonLine begin() {
        text.clear();
        return open('{');
    }

    private JsonLine open(char bracket) {
        text.add(bracket);
        isFirst = true;
        return this;
    }

    private JsonLine close(char bracket) {
        text.add(bracket);
        isFirst = false;
        return this;
    }

    private void comma() {
        if (!isFirst) {
            text.add(',');
        }
        isFirst = false;
    }

    private JsonLine string(String value) {
        text.add('"').add(isPlain(value) ? value : escaped(value)).add('"');
        return this;
    }

    private static boolean isPlain(String value) {
        for (int index = 0; index < value.length(); index++) {
            if (needsEscape(value.charAt(index))) {
                return false;
            }
        }
        return true;
    }

    private static boolean needsEscape(char each) {
        return each == '"' || each == '\\' || each < ' ' || Character.isSurrogate(each);
    }

    private static String escaped(String value) {
        StringBuilder escaped = new StringBuilder();
        for (int index = 0; index < value.length(); index++) {
            char each = value.charAt(index);
            if (each == '"' || each == '\\') {
                escaped.append('\\').append(each);
            } else if (needsEscape(each)) {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) each));
            } else {
                escaped.append(each);
            }
        }
        return escaped.toString();
    }
}
