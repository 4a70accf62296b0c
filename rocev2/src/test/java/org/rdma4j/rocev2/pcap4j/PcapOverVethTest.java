package org.rdma4j.rocev2.pcap4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.Links;
import org.rdma4j.rocev2.EveryOperation;
import org.rdma4j.rocev2.packet.Namespace;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;

/** A device by libpcap and one by packet sockets on the ends of a cable of the kernel's. */
class PcapOverVethTest {

    private static final LinkOptions BY_PCAP = new LinkOptions(LinkOptions.ROCE_V2_PORT, 0, "pcap4j", false);

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "roce1:va,                                    roce1:vb",
        "roce1:va?vlan=5&priority=3,                  roce1:vb?vlan=5&priority=3",
        "roce1:va?priority=3,                         roce1:vb?priority=1",
        "roce2eth:va?address=10.9.0.1/24,             roce2eth:vb?address=10.9.0.2/24",
        "roce2eth:va?address=fd00::1/64,              roce2eth:vb?address=fd00::2/64",
        "roce2eth:va?vlan=5&address=fd00::1,          roce2eth:vb?vlan=5&address=fd00::2"
    })
    void everyOperationInBothDirections(String byPcap, String byPacketSocket) throws Throwable {
        assumeTrue(PcapLink.unsupportedReason() == null, PcapLink::unsupportedReason);
        Namespace.withVethPair(4500, () -> {
            Namespace.ip("addr add 10.10.0.1/24 dev va"); // Java does not find an interface without one
            try (DeviceContext here =
                            DeviceContext.open(byPcap, DeviceOptions.defaults().withLink(BY_PCAP));
                    DeviceContext there = DeviceContext.open(byPacketSocket)) {
                EveryOperation.between(here, there, 4096);
                EveryOperation.between(there, here, 256);
                assertEquals(0, here.linkCounters().icrcErrors + here.linkCounters().malformed);
            }
        });
    }

    @Test
    void anInterfaceThatIsNotThereIsOneClearLine() {
        assumeTrue(PcapLink.unsupportedReason() == null, PcapLink::unsupportedReason);
        LinkException refused = assertThrows(LinkException.class, () -> Links.open("roce1:nowhere0", BY_PCAP));
        assertEquals(
                "roce1:nowhere0: no Ethernet interface is called nowhere0; there ",
                refused.getMessage().replaceFirst("there .*", "there "));
        assertEquals(LinkException.Kind.UNKNOWN_DEVICE, refused.kind());
    }
}
