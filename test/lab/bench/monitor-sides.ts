/** The sides of the monitor's benchmarks, each a process of its own that runs `monitor-servers.ts`. */
import { type BenchServer, startServer } from "./measure.ts";
import type { ServerInfo } from "./monitor-servers.ts";

const script = new URL("monitor-servers.ts", import.meta.url);

/** Starts the side `kind`; `servers` records exist in it when it is ready. */
export function startSide(kind: string, servers = 0): Promise<BenchServer<ServerInfo>> {
  return startServer(script, [kind, String(servers)]);
}

/** Lets what was started run for a while. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
