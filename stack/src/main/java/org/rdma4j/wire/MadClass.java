package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * Classes of management, their methods and the attributes of the subnet's, in words (IBTA volume 1, tables 113, 115 and
 * chapter 14).
 */
final class MadClass {

    static final int SUBNET_LID = 0x01;
    static final int SUBNET_DIRECTED = 0x81;

    private static final int RESPONSE = 0x80;

    /** In a directed route's packet, where the class-specific field of others is. */
    private static final int HOP_POINTER_OFFSET = 6;

    private static final int HOP_COUNT_OFFSET = 7;

    private MadClass() {}

    /** {@code "SMP Get NodeInfo, hop 1 of 2"}, {@code "PerfMgt GetResp attribute 0x0012"}. */
    static String words(MadHeader header, MemorySegment segment, long offset) {
        boolean isDirected = header.managementClass() == SUBNET_DIRECTED;
        boolean isSubnet = isDirected || header.managementClass() == SUBNET_LID;
        String attribute = isSubnet ? subnetAttribute(header.attributeId()) : attribute(header.attributeId());
        String words = name(header.managementClass()) + " " + method(header.method()) + " " + attribute;
        if (!isDirected) {
            return words;
        }
        int pointer = segment.get(NetworkOrder.BYTE, offset + HOP_POINTER_OFFSET) & 0xFF;
        int count = segment.get(NetworkOrder.BYTE, offset + HOP_COUNT_OFFSET) & 0xFF;
        return words + ", hop " + pointer + " of " + count;
    }

    private static String name(int managementClass) {
        return switch (managementClass) {
            case SUBNET_LID -> "SMP";
            case SUBNET_DIRECTED -> "SMP by directed route";
            case 0x03 -> "SubnAdm";
            case 0x04 -> "PerfMgt";
            case 0x05 -> "BoardMgt";
            case 0x06 -> "DevMgt";
            case MadHeader.CLASS_CM -> "ComMgt";
            case 0x08 -> "SNMP";
            default -> String.format(Locale.ROOT, "management class 0x%02x", managementClass);
        };
    }

    private static String method(int method) {
        String response = (method & RESPONSE) != 0 ? "Resp" : "";
        return switch (method & ~RESPONSE) {
            case 0x01 -> "Get" + response;
            case 0x02 -> "Set" + response;
            case 0x03 -> "Send" + response;
            case 0x05 -> "Trap" + response;
            case 0x06 -> "Report" + response;
            case 0x07 -> "TrapRepress";
            case 0x12 -> "GetTable" + response;
            case 0x14 -> "GetMulti" + response;
            case 0x15 -> "Delete" + response;
            default -> String.format(Locale.ROOT, "method 0x%02x", method);
        };
    }

    private static String subnetAttribute(int id) {
        return switch (id) {
            case 0x02 -> "Notice";
            case 0x10 -> "NodeDescription";
            case 0x11 -> "NodeInfo";
            case 0x12 -> "SwitchInfo";
            case 0x14 -> "GUIDInfo";
            case 0x15 -> "PortInfo";
            case 0x16 -> "P_KeyTable";
            case 0x17 -> "SLtoVLMappingTable";
            case 0x18 -> "VLArbitrationTable";
            case 0x19 -> "LinearForwardingTable";
            case 0x1A -> "RandomForwardingTable";
            case 0x1B -> "MulticastForwardingTable";
            case 0x20 -> "SMInfo";
            case 0x30 -> "VendorDiag";
            case 0x31 -> "LedInfo";
            default -> attribute(id);
        };
    }

    private static String attribute(int id) {
        return String.format(Locale.ROOT, "attribute 0x%04x", id);
    }
}
