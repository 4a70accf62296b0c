package org.rdma4j.ibsim.topology;

import java.util.Arrays;
import java.util.function.Consumer;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.TopologyException;

/** Topologies by name: {@code star:3}, {@code ring:5}, {@code fat-tree:4}, {@code torus:4,4}, {@code dragonfly:2,4,2}. */
public final class Topologies {

    /** What {@link #build} takes, for help texts. */
    public static final String FORMS =
            "star:HOSTS, ring:SWITCHES, fat-tree:K, torus:X,Y, dragonfly:GLOBAL,ROUTERS,HOSTS";

    private static final int MOST_NODES = 20_000;

    private final Fabric fabric;
    private final String name;

    private Topologies(Fabric fabric, String name) {
        this.fabric = fabric;
        this.name = name;
    }

    /** True where a name has the form of one of these. */
    public static boolean isName(String name) {
        return name.matches("(star|ring|fat-tree|torus|dragonfly):.*");
    }

    /**
     * Adds a topology to a fabric. Hosts are called {@code H-1} and on, switches {@code S-…}.
     *
     * @throws TopologyException where the name is not one of {@link #FORMS}
     */
    public static void build(String name, Fabric fabric) {
        Topologies builder = new Topologies(fabric, name);
        int colon = name.indexOf(':');
        if (colon < 0) {
            throw builder.unknown();
        }
        String sizes = name.substring(colon + 1);
        Consumer<int[]> form = switch (name.substring(0, colon)) {
            case "star" -> builder::star;
            case "ring" -> builder::ring;
            case "fat-tree" -> builder::fatTree;
            case "torus" -> builder::torus;
            case "dragonfly" -> builder::dragonfly;
            default -> throw builder.unknown();
        };
        form.accept(builder.numbers(sizes));
    }

    private TopologyException unknown() {
        return new TopologyException("\"" + name + "\" is no topology; there are " + FORMS);
    }

    private int[] numbers(String sizes) {
        try {
            int[] numbers =
                    Arrays.stream(sizes.split(",")).mapToInt(Integer::parseInt).toArray();
            if (Arrays.stream(numbers).anyMatch(number -> number < 1 || number > MOST_NODES)) {
                throw unknown();
            }
            return numbers;
        } catch (NumberFormatException e) {
            throw unknown();
        }
    }

    private void require(int[] sizes, int count) {
        if (sizes.length != count) {
            throw new TopologyException(
                    "\"" + name + "\" names " + sizes.length + " sizes, " + count + " are needed: " + FORMS);
        }
    }

    private void host(int number, Node at, int port) {
        fabric.connect(fabric.addChannelAdapter("H-" + number, 0, 1).port(1), at.port(port));
    }

    /** One switch, and so many hosts on it. */
    private void star(int[] sizes) {
        require(sizes, 1);
        Node middle = fabric.addSwitch("S-1", 0, sizes[0]);
        for (int host = 1; host <= sizes[0]; host++) {
            host(host, middle, host);
        }
    }

    /** So many switches in a ring, a host on each: ports 1 and 2 are the ring's, 3 the host's. */
    private void ring(int[] sizes) {
        require(sizes, 1);
        if (sizes[0] < 3) {
            throw new TopologyException("\"" + name + "\": a ring has at least 3 switches");
        }
        Node[] switches = switches("S-", sizes[0], 3);
        for (int at = 0; at < switches.length; at++) {
            fabric.connect(switches[at].port(2), switches[(at + 1) % switches.length].port(1));
            host(at + 1, switches[at], 3);
        }
    }

    private Node[] switches(String prefix, int count, int ports) {
        Node[] made = new Node[count];
        for (int at = 0; at < count; at++) {
            made[at] = fabric.addSwitch(prefix + (at + 1), 0, ports);
        }
        return made;
    }

    /** Two levels of switches with k ports: k leaves with k/2 hosts and k/2 cables up, k/2 spines. Full bisection. */
    private void fatTree(int[] sizes) {
        require(sizes, 1);
        int ports = sizes[0];
        if (ports % 2 != 0) {
            throw new TopologyException("\"" + name + "\": a fat tree's switches have an even number of ports");
        }
        int half = ports / 2;
        Node[] leaves = switches("S-leaf", ports, ports);
        Node[] spines = switches("S-spine", half, ports);
        int host = 1;
        for (int leaf = 0; leaf < ports; leaf++) {
            for (int port = 1; port <= half; port++) {
                host(host++, leaves[leaf], port);
                fabric.connect(leaves[leaf].port(half + port), spines[port - 1].port(leaf + 1));
            }
        }
    }

    /** x by y switches, each with four neighbours and a host. */
    private void torus(int[] sizes) {
        require(sizes, 2);
        int width = sizes[0];
        int height = sizes[1];
        if (width < 3 || height < 3) {
            throw new TopologyException("\"" + name + "\": each side of a torus has at least 3 switches");
        }
        Node[] switches = switches("S-", width * height, 5);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                Node here = switches[y * width + x];
                fabric.connect(here.port(2), switches[y * width + (x + 1) % width].port(1));
                fabric.connect(here.port(4), switches[(y + 1) % height * width + x].port(3));
                host(y * width + x + 1, here, 5);
            }
        }
    }

    /** Groups of routers that all know each other, a cable between any two groups: {@code global} cables a router. */
    private void dragonfly(int[] sizes) {
        require(sizes, 3);
        int global = sizes[0];
        int routers = sizes[1];
        int hosts = sizes[2];
        int groups = routers * global + 1;
        int local = routers - 1;
        Node[][] all = new Node[groups][];
        int host = 1;
        for (int group = 0; group < groups; group++) {
            all[group] = switches("S-" + (group + 1) + ".", routers, hosts + local + global);
            for (int one = 0; one < routers; one++) {
                for (int port = 1; port <= hosts; port++) {
                    host(host++, all[group][one], port);
                }
                for (int other = 0; other < one; other++) {
                    // A router's local ports go to the others of its group in their order, itself left out.
                    fabric.connect(all[group][one].port(hosts + 1 + other), all[group][other].port(hosts + one));
                }
            }
        }
        for (int from = 0; from < groups; from++) {
            for (int to = from + 1; to < groups; to++) {
                int out = to - from - 1;
                int back = groups - 1 - (to - from);
                fabric.connect(
                        all[from][out / global].port(hosts + local + 1 + out % global),
                        all[to][back / global].port(hosts + local + 1 + back % global));
            }
        }
    }
}
