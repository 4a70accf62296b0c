package org.rdma4j.tools.conform;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Judge;
import org.rdma4j.tools.conform.check.Peer;
import org.rdma4j.tools.conform.check.Result;
import org.rdma4j.tools.conform.check.Variant;

/** Runs checks, several at a time: most of their time is waiting for what does not come. */
final class Runner {

    /** One run to be made. */
    private record Errand(int number, Check check, Variant variant) {}

    private final List<Peer> peers;
    private final Profile profile;
    private final Consumer<Result> progress;

    /** @param peers each makes one run at a time */
    Runner(List<Peer> peers, Profile profile, Consumer<Result> progress) {
        this.peers = peers;
        this.profile = profile;
        this.progress = progress;
    }

    /** @param variants the ways in which a check is run. @return the results in the order of the checks */
    List<Result> run(List<Check> checks, Function<Check, List<Variant>> variants) throws InterruptedException {
        Queue<Errand> errands = new ConcurrentLinkedQueue<>();
        for (Check check : checks) {
            for (Variant variant : variants.apply(check)) {
                errands.add(new Errand(errands.size(), check, variant));
            }
        }
        Result[] results = new Result[errands.size()];
        Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (Peer peer : peers) {
            Thread.Builder thread = Thread.ofPlatform().name("conform " + threads.size());
            threads.add(thread.start(() -> {
                try {
                    work(peer, errands, results);
                } catch (Throwable e) {
                    broken.add(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (!broken.isEmpty()) {
            throw new IllegalStateException("a check ended in an error of its own", broken.peek());
        }
        return List.of(results);
    }

    private void work(Peer peer, Queue<Errand> errands, Result[] results) {
        Judge judge = new Judge(peer, profile::judge);
        for (Errand errand = errands.poll(); errand != null; errand = errands.poll()) {
            String spared = profile.spares(errand.check);
            Result result = spared == null
                    ? judge.run(errand.check, errand.variant)
                    : Result.notRun(errand.check, errand.variant, spared);
            results[errand.number] = result;
            synchronized (this) {
                progress.accept(result);
            }
        }
    }
}
