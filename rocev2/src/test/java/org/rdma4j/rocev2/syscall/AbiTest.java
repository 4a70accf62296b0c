package org.rdma4j.rocev2.syscall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every offset, size and number of this package is the one that the C compiler finds in the headers. */
class AbiTest {

    private static final String INCLUDES = """
            #define _GNU_SOURCE
            #include <stdio.h>
            #include <stddef.h>
            #include <errno.h>
            #include <limits.h>
            #include <poll.h>
            #include <sys/eventfd.h>
            #include <sys/socket.h>
            #include <sys/uio.h>
            #include <sys/mman.h>
            #include <sys/ioctl.h>
            #include <ifaddrs.h>
            #include <net/if.h>
            #include <net/if_arp.h>
            #include <linux/filter.h>
            #include <linux/if_ether.h>
            #include <linux/if_packet.h>
            #include <netinet/in.h>
            #include <netinet/udp.h>
            """;

    @TempDir
    Path directory;

    @Test
    void agreesWithTheHeaders() throws Exception {
        Map<String, Long> expressions = new LinkedHashMap<>();
        structure(expressions, MsgHdr.class, "struct msghdr", "msg_");
        structure(expressions, IoVec.class, "struct iovec", "iov_");
        structure(expressions, CmsgHdr.class, "struct cmsghdr", "cmsg_");
        structure(expressions, SockaddrIn.class, "struct sockaddr_in", "sin_");
        structure(expressions, SockaddrIn6.class, "struct sockaddr_in6", "sin6_");
        structure(expressions, IpMreqn.class, "struct ip_mreqn", "imr_");
        structure(expressions, Ipv6Mreq.class, "struct ipv6_mreq", "ipv6mr_");
        structure(expressions, PollFd.class, "struct pollfd", "");
        structure(expressions, SockaddrLl.class, "struct sockaddr_ll", "sll_");
        structure(expressions, TpacketReq.class, "struct tpacket_req", "tp_");
        structure(expressions, Tpacket2Hdr.class, "struct tpacket2_hdr", "tp_");
        structure(expressions, PacketMreq.class, "struct packet_mreq", "mr_");
        structure(expressions, SockFprog.class, "struct sock_fprog", "");
        structure(expressions, IfAddrs.class, "struct ifaddrs", "ifa_");
        structure(expressions, Ifreq.class, "struct ifreq", "ifr_");
        numbers(expressions, SocketOption.class);
        numbers(expressions, Errno.class);
        assertTrue(expressions.size() > 80, "the reflection found too little: " + expressions.keySet());

        Map<String, Long> compiled = compileAndRun(expressions.keySet());
        assertEquals(expressions, compiled);
    }

    @Test
    void theFunctionsAreThere() {
        assertEquals(null, SyscallSupport.unsupportedReason());
        assertEquals(-Errno.EBADF, new LibC().close(-1));
    }

    private static void structure(Map<String, Long> into, Class<?> type, String struct, String prefix)
            throws IllegalAccessException {
        for (Field field : type.getFields()) {
            String expression = switch (type.getSimpleName() + "." + field.getName()) {
                case "IoVec.MAX" -> "IOV_MAX";
                case "CmsgHdr.DATA" -> "CMSG_LEN(0)";
                case "CmsgHdr.SPACE" -> "CMSG_SPACE(8)";
                case "PollFd.POLLIN", "PollFd.POLLOUT" -> field.getName();
                case "Tpacket2Hdr.TRANSMIT_DATA" -> "TPACKET2_HDRLEN - sizeof(struct sockaddr_ll)";
                case "Tpacket2Hdr.RECEIVE_ROOM" -> "TPACKET2_HDRLEN + 2 * TPACKET_ALIGNMENT";
                case "SockFprog.INSTRUCTION" -> "sizeof(struct sock_filter)";
                case "Ifreq.NAME_SIZE" -> "IFNAMSIZ";
                default ->
                    field.getName().startsWith("TP_STATUS") || field.getName().startsWith("PACKET_MR")
                            ? field.getName()
                            : field.getName().equals("SIZE")
                                    ? "sizeof(" + struct + ")"
                                    : "offsetof(" + struct + ", " + prefix
                                            + field.getName().toLowerCase(Locale.ROOT) + ")";
            };
            into.put(expression, ((Number) field.get(null)).longValue());
        }
    }

    private static void numbers(Map<String, Long> into, Class<?> type) throws IllegalAccessException {
        for (Field field : type.getFields()) {
            into.put(field.getName(), ((Number) field.get(null)).longValue());
        }
    }

    private Map<String, Long> compileAndRun(Iterable<String> expressions) throws IOException, InterruptedException {
        StringBuilder source = new StringBuilder(INCLUDES).append("int main(void) {\n");
        for (String expression : expressions) {
            source.append("  printf(\"%lld\\t%s\\n\", (long long) (")
                    .append(expression)
                    .append("), \"")
                    .append(expression)
                    .append("\");\n");
        }
        source.append("  return 0;\n}\n");
        Path file = Files.writeString(directory.resolve("abi.c"), source);
        Path program = directory.resolve("abi");
        try {
            run("gcc", "-o", program.toString(), file.toString());
        } catch (IOException e) {
            abort("gcc is not installed, so the layouts cannot be compared with the headers: " + e.getMessage());
        }
        Map<String, Long> values = new LinkedHashMap<>();
        for (String line : run(program.toString()).lines().toList()) {
            String[] parts = line.split("\t");
            values.put(parts[1], Long.parseLong(parts[0]));
        }
        return values;
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "no end: " + String.join(" ", command));
        assertEquals(0, process.exitValue(), output);
        return output;
    }
}
