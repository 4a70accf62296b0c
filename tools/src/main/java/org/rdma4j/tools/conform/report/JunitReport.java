package org.rdma4j.tools.conform.report;

import java.io.StringWriter;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.rdma4j.tools.conform.check.Verdict;

/** The report in the XML of JUnit, which every build server shows: a suite a group, a case a check. */
public final class JunitReport {

    private JunitReport() {}

    public static String of(Report report) {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuites");
            xml.writeAttribute("name", "rdma4j conform: " + report.peer());
            for (var group : report.groups().entrySet()) {
                xml.writeStartElement("testsuite");
                xml.writeAttribute("name", group.getKey());
                xml.writeAttribute("tests", Integer.toString(group.getValue().size()));
                xml.writeAttribute("failures", count(group.getValue(), Verdict.FAIL));
                xml.writeAttribute("errors", count(group.getValue(), Verdict.INCONCLUSIVE));
                xml.writeAttribute("skipped", count(group.getValue(), Verdict.NOT_APPLICABLE));
                for (Row row : group.getValue()) {
                    testCase(xml, row);
                }
                xml.writeEndElement();
            }
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return text.toString();
    }

    private static String count(Iterable<Row> rows, Verdict verdict) {
        int count = 0;
        for (Row row : rows) {
            count += row.verdict() == verdict ? 1 : 0;
        }
        return Integer.toString(count);
    }

    private static void testCase(XMLStreamWriter xml, Row row) throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", "conform." + row.check().group());
        xml.writeAttribute("name", row.check().toString());
        xml.writeAttribute("time", String.format(Locale.ROOT, "%.3f", row.nanos() / 1e9));
        String element = switch (row.verdict()) {
            case FAIL -> "failure";
            case INCONCLUSIVE -> "error";
            case NOT_APPLICABLE -> "skipped";
            case PASS, AMBIGUOUS, DEVIATION -> null;
        };
        StringBuilder words = new StringBuilder(row.verdict().name());
        if (!row.reason().isEmpty()) {
            words.append(": ").append(row.reason());
        }
        row.unsteady()
                .forEach(result ->
                        words.append("; ").append(result.variant()).append(": ").append(result.history()));
        if (element != null) {
            xml.writeEmptyElement(element);
            xml.writeAttribute("message", words.toString());
        } else if (row.verdict() != Verdict.PASS || !row.unsteady().isEmpty()) {
            xml.writeStartElement("system-out");
            xml.writeCharacters(words.toString());
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }
}
