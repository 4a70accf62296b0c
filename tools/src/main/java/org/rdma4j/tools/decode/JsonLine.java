package org.rdma4j.tools.decode;

import java.math.BigDecimal;
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
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Opcode;

/** What programs read: one JSON object a line, a packet each, and the summary last. */
final class JsonLine {

    private final StringBuilder text = new StringBuilder(512);
    private boolean isFirst = true;

    private JsonLine() {}

    static String of(String file, DecodedFrame decoded) {
        JsonLine json = new JsonLine();
        json.open('{').put("type", "packet").put("file", file).put("number", decoded.number());
        json.put("time", BigDecimal.valueOf(decoded.captured().timestamp(), 9));
        if (decoded.frame() != null) {
            json.put(
                    "source",
                    NetworkHeaders.end(decoded.frame(), decoded.frame().source()));
            json.put(
                    "destination",
                    NetworkHeaders.end(decoded.frame(), decoded.frame().destination()));
            json.put("encapsulation", decoded.frame().encapsulation().text());
            json.put(
                    "opcode",
                    Opcode.name(Bth.opcode(
                            decoded.frame().segment(), decoded.frame().bthOffset())));
            json.put("icrc", decoded.icrc().text().toLowerCase(Locale.ROOT));
        }
        if (decoded.malformed() != null) {
            json.put("malformed", decoded.malformed().reason());
        }
        if (decoded.packet() != null) {
            json.put("payload", decoded.packet().payload().byteSize());
            json.put("again", decoded.place().again());
            json.put("late", decoded.place().isLate());
            json.put("gap", decoded.place().missing());
            json.place(decoded.place());
        }
        json.findings(decoded.findings());
        json.comments(decoded.captured().comments());
        json.headers(Headers.of(decoded));
        return json.close('}').text.toString();
    }

    static String of(String file, IwarpFrame frame, CapturedUnit unit) {
        JsonLine json = new JsonLine();
        json.open('{').put("type", "iwarp").put("file", file).put("number", frame.number());
        json.put("time", BigDecimal.valueOf(frame.captured().timestamp(), 9));
        json.put("source", IwarpLine.end(frame.tcp().source(), frame.tcp().sourcePort()));
        json.put(
                "destination",
                IwarpLine.end(frame.tcp().destination(), frame.tcp().destinationPort()));
        json.put("unit", IwarpText.name(unit));
        if (unit instanceof CapturedUnit.Fpdu fpdu) {
            json.put("crc", fpdu.crc().text().toLowerCase(Locale.ROOT));
        } else if (unit instanceof CapturedUnit.Lost lost) {
            json.put("lost", lost.reason());
        }
        if (frame.endsWith(unit)) {
            json.iwarpFindings(frame.findings());
        }
        json.comments(frame.captured().comments());
        json.headers(IwarpHeaders.of(unit));
        return json.close('}').text.toString();
    }

    static String of(String file, Summary summary) {
        JsonLine json = new JsonLine();
        json.open('{').put("type", "summary").put("file", file);
        json.put("packets", summary.packets());
        json.put("wrong_icrc", summary.wrongIcrcs());
        json.put("malformed", summary.malformed());
        json.put("again", summary.again());
        json.name("other_frames").open('{');
        for (Map.Entry<String, Long> other : summary.others().entrySet()) {
            json.put(other.getKey(), other.getValue());
        }
        return json.close('}').close('}').text.toString();
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
    static String of(String file, Flow flow) {
        FlowFigures figures = flow.figures();
        JsonLine json = new JsonLine();
        json.open('{').put("type", "flow").put("file", file).put("flow", flow.number());
        json.put("name", flow.name())
                .put("from", flow.from().toString())
                .put("to", flow.to().toString());
        json.put("destination_qp", flow.destQp()).put("source_qp", flow.answerQp());
        json.put("first_psn", flow.firstPsn());
        if (flow.announcement() != null) {
            json.put("announced_by", flow.announcement().said());
        }
        json.put("requests", figures.packets()).put("resent", figures.resent()).put("copies", figures.copies());
        json.put("late", figures.late()).put("lost", figures.lost());
        json.put("lost_responses", figures.lostResponses());
        json.name("rounds").open('{');
        figures.rounds().forEach((why, count) -> json.put(why.id(), count));
        json.close('}');
        json.put("acks", figures.acks()).put("naks", figures.naks()).put("rnr_naks", figures.rnrs());
        json.put("messages", figures.messages()).put("smallest_message", figures.smallestMessage());
        json.put("mean_message", figures.meanMessage()).put("largest_message", figures.largestMessage());
        json.put("payload_bytes", figures.payloadBytes()).put("goodput_bits_per_second", Math.round(figures.goodput()));
        json.spread("ack_latency_ns", figures.ackLatency());
        json.spread("read_latency_ns", figures.readLatency());
        if (figures.leastCredits() >= 0) {
            json.put("least_credits", figures.leastCredits());
        }
        json.put("ce_marked", figures.marked()).put("cnps", figures.cnps());
        return json.close('}').text.toString();
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
                put(field.name(), field.value());
            }
            close('}');
        }
        close(']');
    }

    private JsonLine put(String name, Object value) {
        name(name);
        if (value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else {
            string(value.toString());
        }
        return this;
    }

    private JsonLine name(String name) {
        comma();
        string(name);
        text.append(':');
        return this;
    }

    private JsonLine open(char bracket) {
        text.append(bracket);
        isFirst = true;
        return this;
    }

    private JsonLine close(char bracket) {
        text.append(bracket);
        isFirst = false;
        return this;
    }

    private void comma() {
        if (!isFirst) {
            text.append(',');
        }
        isFirst = false;
    }

    private void string(String value) {
        text.append('"');
        for (int index = 0; index < value.length(); index++) {
            char each = value.charAt(index);
            if (each == '"' || each == '\\') {
                text.append('\\').append(each);
            } else if (each < ' ' || Character.isSurrogate(each)) {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) each));
            } else {
                text.append(each);
            }
        }
        text.append('"');
    }
}
