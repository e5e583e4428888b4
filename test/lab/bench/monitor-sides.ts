/** The sides of the monitor's benchmarks, each a process of its own that runs `monitor-servers.ts`. */
import { rmSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { makeBundle } from "../bundle.ts";
import { type BenchServer, startServer } from "./measure.ts";
import type { ServerInfo } from "./monitor-servers.ts";

async function bundleServers(): Promise<string> {
  const file = await makeBundle({ entry: "test/lab/bench/monitor-servers.ts" });
  process.once("exit", () => rmSync(file, { force: true }));
  return file;
}

let bundle: Promise<string> | undefined;

/** Starts the side `kind`, bundled as `npm start` bundles; `servers` records exist in it when it is ready. */
export async function startSide(kind: string, servers = 0): Promise<BenchServer<ServerInfo>> {
  bundle ??= bundleServers();
  return startServer(pathToFileURL(await bundle), [kind, String(servers)]);
}

/** Lets what was started run for a while. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
