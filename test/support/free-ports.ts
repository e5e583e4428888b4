/** Unused ports of loopback, for programs that do not pick one themselves. */
import { once } from "node:events";
import { createServer } from "node:net";

/** Free ports, all different: they are held until the last one is found. */
export async function findFreePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  const ports = await Promise.all(
    probes.map(async (probe) => {
      if (!probe.listening) await once(probe, "listening");
      const address = probe.address();
      return typeof address === "object" && address !== null ? address.port : 0;
    }),
  );
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return ports;
}

/** One free port. */
export async function findFreePort(): Promise<number> {
  const [port = 0] = await findFreePorts(1);
  return port;
}
