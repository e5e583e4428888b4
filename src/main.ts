/**
 * The composition root: command line, configuration, stores, services, listeners, signals. The only file
 * that knows the runtime, the adapters and the environment.
 */
import { runtime } from "#runtime";
import { type Config, ConfigError, configVariables, loadConfig } from "./config.ts";
import type { ServiceName } from "./kit/services.ts";
import { hashSecret } from "./kit/secrets/admin-token.ts";
import {
  loadAdminToken,
  removeShownToken,
  renewAdminToken,
  writeShownToken,
} from "./kit/secrets/admin-token-file.ts";
import { readSecretFiles, secretFileVariables } from "./kit/secrets/secrets-from-files.ts";
import { systemClock } from "./kit/time/clock.ts";
import { createLinePrefix } from "./kit/observe/journal.ts";
import { type Log, createLog } from "./kit/observe/log.ts";
import { type ServiceManager, createServiceManager } from "./kit/observe/service-manager.ts";
import { type Backups, createBackups } from "./service/backup/backups.ts";
import { findCommand, runCommand } from "./service/commands/commands.ts";
import { startTimers } from "./service/jobs.ts";
import type { RunningService, StartService } from "./service/service.ts";
import { openBus } from "./service/bus.ts";
import { type Gateway, createGateway } from "./service/gateway.ts";
import { SHARED_ORIGIN_ADVICE, findSharedOrigin } from "./service/doctor/shared-origin.ts";
import { type Updates, createUpdates } from "./service/updates.ts";
import { codeOf, textOf } from "./kit/thrown.ts";
import { nodeFileLayer } from "./kit/files/file-layer.ts";
import { VERSION } from "./version.ts";

/** The services of this version, each with what starts it; loaded only when it is started. */
const starters: Readonly<Record<ServiceName, () => Promise<StartService>>> = {
  monitor: async () => (await import("./monitor/service.ts")).startMonitor,
  auth: async () => (await import("./auth/service.ts")).startAuth,
  shop: async () => (await import("./shop/service.ts")).startShop,
};

const NEW_TOKEN = "--new-admin-token";

const usage = `Usage: trivet [SERVICE …]           starts services (default: all of ${Object.keys(starters).join(", ")})
       trivet backup | restore      backs up the data folder, even while services run, or restores it
       trivet check                 verifies all checksums, references and totals in a folder or database
       trivet migrate               moves the records between a folder and PostgreSQL
       trivet change-key            replaces the keys that seal secrets, as after a leak
       trivet doctor                checks an install and shows how to fix problems
       trivet agent                 reports the state of this machine to a monitor
       trivet ${NEW_TOKEN}     replaces the administrator token in the data folder
       trivet --version | --help    prints the version or this help. Each command has its own --help

"trivet" is "npm start --" in a clone, "node trivet.js" beside a bundle.
Environment variables set ports, folders and tokens: see docs/configuration.md.`;

/** How long a stop may take until what is left is cut off. */
const STOP_MS = 10_000;

/** How often it is looked whether a backup is due. */
const BACKUP_LOOK_MS = 60_000;

const serviceEnv = runtime.env(["JOURNAL_STREAM", "NOTIFY_SOCKET", "WATCHDOG_USEC"]);
const toErrorLine = createLinePrefix(serviceEnv, 2);

function say(text: string): void {
  console.error(text);
}

function fail(text: string): never {
  say(toErrorLine(text, "error"));
  return runtime.exit(1);
}

function parseServices(args: readonly string[]): readonly ServiceName[] {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    runtime.exit(0);
  }
  if (args.includes("--version")) {
    console.log(VERSION);
    runtime.exit(0);
  }
  const known = Object.keys(starters) as ServiceName[]; // the keys of the table above
  const unknown = args.filter((name) => !known.some((service) => service === name));
  if (unknown.length > 0) {
    say(`Unknown service "${unknown.join('", "')}".\n\n${usage}`);
    runtime.exit(2);
  }
  return args.length === 0 ? known : known.filter((service) => args.includes(service));
}

const readVariables = () => runtime.env([...configVariables, ...secretFileVariables]);

function failFor({ message, problems }: ConfigError): never {
  return fail(`${message}:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
}

function readConfig(): Config {
  try {
    return loadConfig(readVariables());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return failFor(error);
  }
}

function describeStartFailure(error: unknown, service: ServiceName | "gateway"): string {
  const text = textOf(error);
  const code = codeOf(error);
  // What is wrong with a Unix socket is a sentence already.
  if (text.startsWith("unix:")) return text;
  if (code === "EADDRINUSE")
    return `${text}: another program uses this port. Stop it, or set another port (see docs/configuration.md)`;
  if (code === "EACCES" || code === "EPERM")
    return `${text}: permission denied. Choose a port from 1024 up, or a folder that you can write to`;
  if (code === "ENOSPC")
    return `The ${service} did not start: ${text}: the disk is full. Free some space: a start writes a few kB (lock, journal, samples) before it serves requests`;
  return `The ${service} did not start: ${text}`;
}

/** Nodes with their own tokens would each reject the others' administrator. */
function missingToken(service: ServiceName): string {
  const own = `${service.toUpperCase()}_ADMIN_TOKEN`;
  return `ADMIN_TOKEN is not set: nodes connected by NATS_URL use the same token. Set ADMIN_TOKEN (or ${own}) on every node`;
}

/** Shows a token on a terminal; a log would keep it, so without a terminal it goes to a file (0600). */
async function showToken(
  config: Config,
  { madeToken, path }: { madeToken: string; path: string },
): Promise<void> {
  if (runtime.isTerminal) {
    console.log(
      `\n  Administrator token (not shown again; its hash is stored in ${path}):\n\n    ${madeToken}\n`,
    );
    return;
  }
  const shown = await writeShownToken(nodeFileLayer, config.dataDir, madeToken);
  say(
    `  The administrator token is in ${shown}. Keep a copy: the file is deleted when the token is first used`,
  );
}

/** Creates a new token in the data folder, then exits. */
async function renewToken(config: Config): Promise<never> {
  const isGiven = (service: ServiceName): boolean => config.adminTokens[service] !== undefined;
  if (parseServices([]).every(isGiven))
    fail("ADMIN_TOKEN is set and takes precedence over the data folder. Change the variable on every node");
  try {
    await showToken(config, await renewAdminToken(nodeFileLayer, config.dataDir));
  } catch (error) {
    fail(`The token in the data folder "${config.dataDir}" (DATA_DIR) was not replaced: ${textOf(error)}`);
  }
  say("  The previous token remains valid until the services are restarted");
  return runtime.exit(0);
}

async function loadTokenHashes(
  config: Config,
  services: readonly ServiceName[],
): Promise<Map<ServiceName, string>> {
  const hashes = new Map<ServiceName, string>();
  for (const service of services) {
    const given = config.adminTokens[service];
    if (given !== undefined) {
      hashes.set(service, hashSecret(given));
      continue;
    }
    if (config.nats !== undefined) fail(missingToken(service));
    const { tokenHash, madeToken, path } = await loadAdminToken(nodeFileLayer, config.dataDir);
    hashes.set(service, tokenHash);
    if (madeToken === undefined) continue;
    await showToken(config, { madeToken, path });
    if (config.databaseUrl !== undefined)
      say("  The token is valid for this node only. Set ADMIN_TOKEN if several nodes share the database.\n");
  }
  return hashes;
}

function stopOnSignal(running: readonly RunningService[], log: Log, manager: ServiceManager): void {
  let stopping = false;
  runtime.onStopSignal((signal) => {
    if (stopping) {
      log.warn("Second signal: exiting immediately", { signal });
      runtime.exit(1);
    }
    stopping = true;
    log.info("Stopping", { signal });
    if (running.length === 0) runtime.exit(0);
    void manager.stopping();
    const overdue = setTimeout(() => {
      log.error("The shutdown took too long: exiting", { afterMs: STOP_MS + 2_000 });
      runtime.exit(1);
    }, STOP_MS + 2_000);
    Promise.all(running.map((service) => service.stop({ graceMs: STOP_MS })))
      .then(() => {
        clearTimeout(overdue);
        log.info("Stopped");
        runtime.exit(0);
      })
      .catch((error: unknown) => {
        log.error("The shutdown failed", { error });
        runtime.exit(1);
      });
  });
}

/** What to do about a data folder that cannot be used. */
const folderAdvice: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full. Free some space",
  EROFS: "The file system is read-only. Mount it for writing, or set another folder",
  EACCES: "The folder must belong to the user that runs Trivet (chown -R USER FOLDER)",
  EPERM: "The folder must belong to the user that runs Trivet (chown -R USER FOLDER)",
  EEXIST: "A file has this name. Remove the file, or set another folder",
};

async function prepareFolder(
  config: Config,
  services: readonly ServiceName[],
): Promise<Map<ServiceName, string>> {
  try {
    await nodeFileLayer.makeFolder(config.dataDir);
    return await loadTokenHashes(config, services);
  } catch (error) {
    const advice = folderAdvice[codeOf(error) ?? ""];
    return fail(
      `The data folder "${config.dataDir}" (DATA_DIR) cannot be used: ${textOf(error)}${advice === undefined ? "" : `. ${advice}`}`,
    );
  }
}

/** Starts a service with its own bus, which ends after it. */
async function startService(
  service: ServiceName,
  parts: {
    services: readonly ServiceName[];
    config: Config;
    log: Log;
    tokenHash: string;
    backups: Backups | undefined;
    gateway: Gateway | undefined;
    updates: Updates | undefined;
  },
): Promise<RunningService> {
  const { config, log, tokenHash, ...shared } = parts;
  const start = await starters[service]();
  const bus = await openBus({ config, log }, service);
  try {
    const started = await start({
      config,
      runtime,
      clock: systemClock,
      log,
      bus,
      ...shared,
      tokenHashes: [tokenHash],
      onTokenUse: () => {
        removeShownToken(nodeFileLayer, config.dataDir, tokenHash).catch((error: unknown) =>
          log.warn("The file with the administrator token could not be deleted", { error }),
        );
      },
    });
    return {
      ...started,
      stop: async (options) => {
        await started.stop(options);
        await bus.close();
      },
    };
  } catch (error) {
    await bus.close();
    throw error;
  }
}

/** The backups of the data folder, which one process makes for all services that run in it. */
function openBackups({ backups: plan, dataDir: data }: Config, log: Log): Backups | undefined {
  if (plan === undefined) return undefined;
  return createBackups({ ...plan, data, clock: systemClock, log, runSelf: (args) => runtime.runSelf(args) });
}

/** Begins to ask for newer versions. */
function openUpdates(address: string, log: Log): Updates {
  const updates = createUpdates({ address, version: VERSION, log });
  startTimers([{ name: "update-check", everyMs: updates.everyMs, run: updates.check }], log);
  return updates;
}

/** The listener for all services, where there is a port for it. */
async function openGateway(config: Config, log: Log): Promise<Gateway | undefined> {
  const { gatewayPort } = config;
  if (gatewayPort === undefined) return undefined;
  return createGateway({ config: { ...config, gatewayPort }, runtime, clock: systemClock, log });
}

async function serve(): Promise<void> {
  if (runtime.args.includes(NEW_TOKEN)) await renewToken(readConfig());
  const services = parseServices(runtime.args);
  const config = readConfig();
  const toLine = createLinePrefix(serviceEnv, 1);
  const log = createLog({
    level: config.logLevel,
    write: (line, level) => runtime.print(toLine(line, level)),
    pretty: runtime.isTerminal,
  });
  const manager = createServiceManager({
    env: serviceEnv,
    onFault: (error) =>
      log.warn("The watchdog message to systemd could not be sent", { reason: textOf(error) }),
  });
  const sharedOrigin = findSharedOrigin(config, services);
  if (sharedOrigin !== undefined) log.warn(sharedOrigin, { advice: SHARED_ORIGIN_ADVICE });
  const tokenHashes = await prepareFolder(config, services);
  const backups = openBackups(config, log);
  const gateway = await openGateway(config, log);
  const updates = config.updateCheck === undefined ? undefined : openUpdates(config.updateCheck, log);
  const shared = { services, backups, gateway, updates };
  const running: RunningService[] = [];
  // Before anything runs: a signal that comes during the start must not skip the stop.
  stopOnSignal(running, log, manager);
  for (const service of services) {
    const tokenHash = tokenHashes.get(service);
    if (tokenHash === undefined) continue;
    try {
      running.push(
        await startService(service, { config, log: log.child({ service }), tokenHash, ...shared }),
      );
    } catch (error) {
      await Promise.allSettled(running.map((started) => started.stop({ graceMs: 0 })));
      return fail(describeStartFailure(error, service));
    }
  }
  const shownPlaces = await gateway?.listen().catch(async (error: unknown) => {
    await Promise.allSettled(running.map((started) => started.stop({ graceMs: 0 })));
    return fail(describeStartFailure(error, "gateway"));
  });
  if (backups !== undefined)
    startTimers([{ name: "backup", everyMs: () => BACKUP_LOOK_MS, run: () => backups.tick() }], log);
  for (const line of [...running.flatMap(({ addresses }) => addresses), ...(shownPlaces ?? [])])
    say(`  ${line}`);
  await manager.ready();
}

const [word, ...words] = runtime.args;
const command = findCommand(word);
if (command === undefined) await serve();
else {
  const { variables, problems } = readSecretFiles(readVariables());
  // The doctor reports them itself.
  if (problems.length > 0 && word !== "doctor") failFor(new ConfigError(problems));
  const { DATA_DIR, BACKUP_DIR } = variables;
  await runCommand(command, words, {
    DATA_DIR: DATA_DIR || undefined,
    BACKUP_DIR: BACKUP_DIR || undefined,
    variables,
  });
}
