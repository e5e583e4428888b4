/**
 * The agent as a program: command line → identity → ring, link, metrics → work until a signal. It takes nothing from
 * the service but acknowledgements: there is no way to run anything here.
 */
import process from "node:process";
import { type Clock, systemClock } from "../kit/time/clock.ts";
import { type Log, createLog } from "../kit/observe/log.ts";
import { createLinePrefix } from "../kit/observe/journal.ts";
import { codeOf, textOf } from "../kit/thrown.ts";
import { nodeFileLayer } from "../kit/files/file-layer.ts";
import { createAgent, measureOnce } from "./agent.ts";
import { type ChecksSource, createChecks } from "./checks/checks.ts";
import { type PendingResults, createPendingResults } from "./checks/results.ts";
import { type Choices, createChoices } from "./choices.ts";
import { createCollectionTimes } from "./collection-times.ts";
import { createFactReader } from "./facts.ts";
import { createLink } from "./connection/link.ts";
import { createMachineDetails } from "./details/this-machine.ts";
import { createMetricsSource, readMachineName } from "./metrics/this-machine.ts";
import { type AgentSettings, helpText, parseAgentSettings } from "./options.ts";
import { EnrolError } from "./connection/enrol.ts";
import { loadRegistration } from "./connection/registration.ts";
import type { SessionEvents } from "./connection/session.ts";
import { openRing } from "./queue/ring.ts";
import { type AgentStatus, type StatusFile, createStatusFile } from "./status-file.ts";
import { type Timers, systemTimers } from "./timers.ts";
import { createTransport } from "./connection/transport.ts";
import { agentVersion } from "./version.ts";

/** 24 h at one a minute, the last minute at one a second, and what is under way. */
const RING_LIMIT = 1440 + 60 + 64;
const EXIT_USAGE = 2;

/** A failure with what to do, where the system refuses something in the data folder. */
function explain(error: unknown, { folder }: AgentSettings): string {
  const path = error instanceof Error && "path" in error ? String(error.path) : "";
  // Missing parents of the folder are made, so that the path may also be one of these.
  const isOwn = path !== "" && (path.startsWith(folder) || folder.startsWith(path));
  if (!isOwn || !/^(?:EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOENT)$/u.test(codeOf(error) ?? ""))
    return textOf(error);
  return `The data folder "${folder}" cannot be used: ${textOf(error)}. Choose another one with --data FOLDER (TRIVET_DATA), or allow this user to write to it`;
}

function createMachineChecks(
  { checksFile }: AgentSettings,
  shared: { clock: Clock; timers: Timers; log: Log; pending: PendingResults },
): ChecksSource {
  return createChecks({ ...shared, path: checksFile, random: Math.random });
}

/** Applies the monitor's lists; invalid ones are logged, and the previous ones stay in use. */
function takeLists(text: string, { choices, log }: { choices: Choices; log: Log }): void {
  try {
    choices.take(text);
    log.info("Took the lists of the monitor", { revision: choices.revision });
  } catch (error) {
    log.warn(textOf(error));
  }
}

/** Writes events of the stream into the status file. */
function toStatusEvents(events: SessionEvents, status: StatusFile, key: string | undefined) {
  const set = (next: AgentStatus): void => void status.set({ ...next, key });
  return {
    ...events,
    onAcknowledged: (collectedAtUnixMs: number, tookMs: number) => {
      set({ state: "reporting" });
      events.onAcknowledged?.(collectedAtUnixMs, tookMs);
    },
    onRejected: (_collectedAtUnixMs: number, reason: string) => set({ state: "rejected", reason }),
    onOffline: (reason: string) => set({ state: "offline", reason }),
  };
}

async function run(settings: AgentSettings, log: Log, status: StatusFile): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop.abort());
  const shared = { clock: systemClock, timers: systemTimers, log, facts: createFactReader(log) };
  await nodeFileLayer.makeFolder(settings.folder);
  await status.set({ state: "starting" });
  let unusedKey: string | undefined;
  const name = settings.name ?? readMachineName(settings.root);
  const { id, key, server, tls } = await loadRegistration(settings, {
    files: nodeFileLayer,
    hostname: name,
    log,
    onKeyUnused: (reason) => {
      unusedKey = reason;
    },
  });
  const pending = createPendingResults();
  const ring = await openRing({
    ...shared,
    files: nodeFileLayer,
    path: `${settings.folder}/ring-${id}.jsonl`,
    limit: RING_LIMIT,
    onThinned: pending.takeBack,
  });
  const choices = createChoices(settings.lists);
  const { filters } = choices;
  const agent = createAgent({
    ...shared,
    choices,
    source: await createMetricsSource({ ...shared, ...settings, filters, agentVersion }),
    details: createMachineDetails({ ...settings, ...shared, choices }),
    checks: createMachineChecks(settings, { ...shared, pending }),
    ring,
    times: createCollectionTimes(ring.last),
    intervalMs: settings.intervalMs,
    createLink: (events) =>
      createLink({
        ...shared,
        events: {
          ...toStatusEvents(events, status, unusedKey),
          onLists: (text) => takeLists(text, { choices, log }),
        },
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

async function printOnce(settings: AgentSettings, log: Log): Promise<void> {
  const facts = createFactReader(log);
  const shared = { clock: systemClock, timers: systemTimers, log, facts };
  const choices = createChoices(settings.lists);
  const { filters } = choices;
  const source = await createMetricsSource({ ...shared, ...settings, filters, agentVersion });
  const details = createMachineDetails({ ...settings, ...shared, choices });
  const checks = createMachineChecks(settings, { ...shared, pending: createPendingResults() });
  const { intervalMs } = settings;
  const payload = await measureOnce({ ...shared, source, details, checks, intervalMs });
  process.stdout.write(`${JSON.stringify(payload, undefined, 2)}\n`);
}

/** Runs the agent with the arguments of a command line. Returns the exit status. */
export async function runAgent(args: readonly string[]): Promise<number> {
  const isRoot = process.getuid?.() === 0;
  const parsed = parseAgentSettings(args, process.env, isRoot);
  if (!parsed.ok) {
    process.stderr.write(`${parsed.problems.join("\n")}\n`);
    return EXIT_USAGE;
  }
  const { settings } = parsed;
  const toLine = createLinePrefix(process.env, 2);
  const log = createLog({
    level: "info",
    pretty: process.stderr.isTTY === true,
    write: (line, level) => void process.stderr.write(`${toLine(line, level)}\n`),
  });
  const status = createStatusFile({ files: nodeFileLayer, folder: settings.folder });
  try {
    if (settings.command === "help") process.stdout.write(`${helpText}\n`);
    else if (settings.command === "version") process.stdout.write(`${agentVersion}\n`);
    else if (settings.command === "once") await printOnce(settings, log);
    else await run(settings, log, status);
    return 0;
  } catch (error) {
    const cause = error instanceof EnrolError ? error.failure : "other";
    if (settings.command === "run")
      await status.set({ state: "failed", cause, reason: explain(error, settings) });
    process.stderr.write(`${toLine(explain(error, settings), "error")}\n`);
    return 1;
  }
}
