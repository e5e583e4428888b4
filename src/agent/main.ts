/**
 * Composition root of the agent: command line → identity → ring, link, metrics → work until a signal.
 * It takes nothing from the service but acknowledgements: there is no way to run anything here.
 */
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import process from "node:process";
import { systemClock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import { createLog } from "../kit/log.ts";
import { textOf } from "../kit/thrown.ts";
import { nodeFileLayer } from "../store/file-layer.ts";
import { createAgent, measureOnce } from "./agent.ts";
import { createCollectionTimes } from "./collection-times.ts";
import { enrol } from "./enrol.ts";
import type { StoredIdentity } from "./identity.ts";
import { findIdentity, saveIdentity } from "./identity.ts";
import { createLink } from "./link.ts";
import { createMetricsSource } from "./metrics/this-machine.ts";
import type { AgentSettings } from "./options.ts";
import { helpText, parseAgentSettings } from "./options.ts";
import { openRing } from "./ring.ts";
import { systemTimers } from "./timers.ts";
import { createTransport } from "./transport.ts";
import { agentVersion } from "./version.ts";

/** 24 h at one a minute, the last minute at one a second, and what is under way. */
const RING_LIMIT = 1440 + 60 + 64;
const EXIT_USAGE = 2;

async function loadIdentity(settings: AgentSettings, log: Log): Promise<StoredIdentity> {
  const { id, key, server } = settings;
  if (id !== undefined && key !== undefined && server !== undefined) return { id, key, server };
  const stored = await findIdentity(nodeFileLayer, settings.folder);
  if (stored !== undefined) {
    if (settings.enrol !== undefined) log.info("This machine is enrolled already, the code is not used");
    return { ...stored, server: server ?? stored.server };
  }
  if (settings.enrol === undefined) {
    throw new Error(
      "Who this machine is stands nowhere: give --server, --id and --key, or --enrol and --url",
    );
  }
  const fresh = await enrol({
    ...settings.enrol,
    hostname: hostname(),
    ...(server === undefined ? {} : { server }),
  });
  await saveIdentity(nodeFileLayer, settings.folder, fresh);
  log.info("Enrolled", { id: fresh.id, server: fresh.server });
  return fresh;
}

async function run(settings: AgentSettings, log: Log): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop.abort());
  const shared = { clock: systemClock, timers: systemTimers, log };
  await nodeFileLayer.makeFolder(settings.folder);
  const identity = await loadIdentity(settings, log);
  const ca = settings.caFile === undefined ? {} : { ca: await readFile(settings.caFile, "utf8") };
  const ring = await openRing({
    ...shared,
    files: nodeFileLayer,
    path: `${settings.folder}/ring-${identity.id}.jsonl`,
    limit: RING_LIMIT,
  });
  const agent = createAgent({
    ...shared,
    source: await createMetricsSource({ clock: systemClock, agentVersion }),
    ring,
    times: createCollectionTimes(ring.last),
    intervalMs: settings.intervalMs,
    createLink: (events) =>
      createLink({
        ...shared,
        events,
        identity: { serverId: identity.id, agentKey: identity.key, hostname: hostname() },
        reports: ring,
        open: createTransport({ address: identity.server, ...(settings.tls ? { tls: ca } : {}) }),
        random: Math.random,
      }),
  });
  log.info("Agent started", {
    version: agentVersion,
    server: identity.server,
    id: identity.id,
    waiting: ring.size,
  });
  await agent.run(stop.signal);
  log.info("Agent stopped", { kept: ring.size });
}

async function printOnce(settings: AgentSettings): Promise<void> {
  const source = await createMetricsSource({ clock: systemClock, agentVersion });
  const payload = await measureOnce({ source, timers: systemTimers, intervalMs: settings.intervalMs });
  process.stdout.write(`${JSON.stringify(payload, undefined, 2)}\n`);
}

async function main(): Promise<number> {
  const isRoot = process.getuid?.() === 0;
  const parsed = parseAgentSettings(process.argv.slice(2), process.env, isRoot);
  if (!parsed.ok) {
    process.stderr.write(`${parsed.problems.join("\n")}\n`);
    return EXIT_USAGE;
  }
  const { settings } = parsed;
  const log = createLog({
    level: "info",
    pretty: process.stderr.isTTY === true,
    write: (line) => void process.stderr.write(`${line}\n`),
  });
  try {
    if (settings.command === "help") process.stdout.write(`${helpText}\n`);
    else if (settings.command === "once") await printOnce(settings);
    else await run(settings, log);
    return 0;
  } catch (error) {
    process.stderr.write(`${textOf(error)}\n`);
    return 1;
  }
}

// Not process.exit: what stands in the pipes still has to go out.
process.exitCode = await main();
