package org.rdma4j.rocev2.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.rocev2.udp.Loopback;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;

/** A JVM that denies native access to everyone runs RDMA all the same, by channels, without a word of warning. */
class WithoutNativeAccessTest {

    @Test
    void aWriteWorksWhereNativeAccessIsDenied() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--illegal-native-access=deny",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WithoutNativeAccessTest.class.getName(),
                        Loopback.address(41))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        assertEquals("confined memory is refused\nwritten\n", said);
    }

    /** One device that writes to itself; which link it gets is its own choice. */
    public static void main(String[] arguments) {
        LinkOptions options = new LinkOptions(LinkOptions.ROCE_V2_PORT, 0, "", false);
        try (Arena arena = Arena.ofShared();
                Arena confined = Arena.ofConfined();
                DeviceContext device = DeviceContext.open(
                        "roce2:" + arguments[0], DeviceOptions.defaults().withLink(options))) {
            ProtectionDomain pd = device.allocPd();
            try {
                pd.register(confined.allocate(64), AccessFlags.LOCAL_WRITE);
            } catch (VerbsException e) {
                System.out.println("confined memory is refused");
            }
            CompletionQueue cq = device.createCq(8);
            QueuePair qp = pd.createQp(QpInitAttributes.rc(cq));
            int access = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
            qp.modify(
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(access));
            qp.modify(new QpAttributes()
                    .state(QpState.RTR)
                    .av(AhAttributes.to(device.queryGid(0)))
                    .pathMtu(1024)
                    .destQpNum(qp.qpNum())
                    .rqPsn(0)
                    .maxDestRdAtomic(1)
                    .minRnrTimer(12));
            qp.modify(new QpAttributes()
                    .state(QpState.RTS)
                    .sqPsn(0)
                    .timeout(14)
                    .retryCount(7)
                    .rnrRetry(7)
                    .maxRdAtomic(1));
            MemorySegment from = arena.allocate(100_000).fill((byte) 0x5A);
            MemorySegment to = arena.allocate(100_000);
            MemoryRegion source = pd.register(from, access);
            MemoryRegion target = pd.register(to, access);
            qp.postSend(new SendWorkRequest()
                    .reset(WrOpcode.RDMA_WRITE)
                    .sge(source, 0, 100_000)
                    .remote(target.address(), target.rKey())
                    .signaled());
            WorkCompletion completion = new WorkCompletion();
            long deadline = System.nanoTime() + 10_000_000_000L;
            while (!cq.poll(completion) && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            System.out.println(completion.isSuccess() && from.mismatch(to) < 0 ? "written" : completion);
        }
    }
}
