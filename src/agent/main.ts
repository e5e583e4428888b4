/**
 * Composition root of the agent: command line → identity → ring, link, metrics → work until a signal.
 * It takes nothing from the service but acknowledgements: there is no way to run anything here.
 */
import { hostname } from "node:os";
import process from "node:process";
import { systemClock } from "../kit/time/clock.ts";
import { type Log, createLog } from "../kit/observe/log.ts";
import { textOf } from "../kit/thrown.ts";
import { nodeFileLayer } from "../kit/files/file-layer.ts";
import { createAgent, measureOnce } from "./agent.ts";
import { createCollectionTimes } from "./collection-times.ts";
import { createLink } from "./connection/link.ts";
import { createMetricsSource } from "./metrics/this-machine.ts";
import { type AgentSettings, helpText, parseAgentSettings } from "./options.ts";
import { loadRegistration } from "./connection/registration.ts";
import { openRing } from "./queue/ring.ts";
import { systemTimers } from "./timers.ts";
import { createTransport } from "./connection/transport.ts";
import { agentVersion } from "./version.ts";

/** 24 h at one a minute, the last minute at one a second, and what is under way. */
const RING_LIMIT = 1440 + 60 + 64;
const EXIT_USAGE = 2;

async function run(settings: AgentSettings, log: Log): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop.abort());
  const shared = { clock: systemClock, timers: systemTimers, log };
  await nodeFileLayer.makeFolder(settings.folder);
  const name = settings.name ?? hostname();
  const { id, key, server, tls } = await loadRegistration(settings, {
    files: nodeFileLayer,
    hostname: name,
    log,
  });
  const ring = await openRing({
    ...shared,
    files: nodeFileLayer,
    path: `${settings.folder}/ring-${id}.jsonl`,
    limit: RING_LIMIT,
  });
  const agent = createAgent({
    ...shared,
    source: await createMetricsSource({ clock: systemClock, agentVersion, root: settings.root }),
    ring,
    times: createCollectionTimes(ring.last),
    intervalMs: settings.intervalMs,
    createLink: (events) =>
      createLink({
        ...shared,
        events,
        identity: { serverId: id, agentKey: key, hostname: name },
        reports: ring,
        open: createTransport({ address: server, ...(tls === undefined ? {} : { tls }) }),
        random: Math.random,
      }),
  });
  log.info("Agent started", {
    version: agentVersion,
    server,
    tls: tls !== undefined,
    id,
    waiting: ring.size,
  });
  await agent.run(stop.signal);
  log.info("Agent stopped", { kept: ring.size });
}

async function printOnce(settings: AgentSettings): Promise<void> {
  const source = await createMetricsSource({ clock: systemClock, agentVersion, root: settings.root });
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
    else if (settings.command === "version") process.stdout.write(`${agentVersion}\n`);
    else if (settings.command === "once") await printOnce(settings);
    else await run(settings, log);
    return 0;
  } catch (error) {
    process.stderr.write(`${textOf(error)}\n`);
    return 1;
  }
}

// Not process.exit: what stands in the pipes still has to go out. No await here: single executables are CommonJS.
void main().then((code) => {
  process.exitCode = code;
});
