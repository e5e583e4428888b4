/**
 * The skeleton of every service: opens its dependencies, serves what it declares, and stops in reverse order.
 */
import { type LimitSource, createSharedLimits } from "../bus/shared-limit.ts";
import type { ServiceName } from "../kit/services.ts";
import type { ServiceApp } from "../kit/http/app.ts";
import { type Metrics, createMetrics } from "../kit/observe/metrics.ts";
import { addProcessMetrics } from "../kit/observe/process-metrics.ts";
import type { SocketAddress } from "../kit/text/socket-address.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import { watchAdminToken } from "../records/admin-token-watch.ts";
import { withAuditKey } from "../records/audit-key.ts";
import { openAudit } from "../records/audit-upkeep.ts";
import { type SecretCheck, assertSecret } from "../records/secret-check.ts";
import { DatabaseUnavailable } from "../store/postgres/unavailable.ts";
import type { Collection, Store } from "../store/store.ts";
import { VERSION } from "../version.ts";
import type { Scrub } from "../store/scrub.ts";
import { type DataWatch, createDataWatch } from "./data-watch.ts";
import { type Observer, createObserver } from "./observed.ts";
import type { OwnsHost } from "./gateway.ts";
import { listAddresses, serveApp } from "./http.ts";
import { type Job, type JobBook, startTimers } from "./jobs.ts";
import { openSecretBox, scrubAdminToken } from "./secrets.ts";
import type { RunningService, ServiceContext } from "./service.ts";
import { openStore } from "./storage.ts";

const START_PATIENCE_MS = 30_000;
const START_PAUSE_MS = 1_000;

/** The base of an open service. */
export interface ServiceBase extends ServiceContext {
  readonly store: Store;
  readonly box: SecretBox;
  readonly limits: LimitSource;
  /** Where damaged data is noted. */
  readonly data: DataWatch;
  /** Passes over the store's files, the secret and the administrator token. */
  readonly scrubs: readonly Scrub[];
  /** Adds a step of the stop, which comes before those that were added earlier; a failed start takes them too. */
  readonly onClose: (step: () => unknown) => void;
  /** Notes for the doctor. */
  readonly observer: Observer;
}

/** An open service. */
export interface OpenService {
  readonly app: ServiceApp;
  /** Of hosts that are the service's alone on the port that services share. */
  readonly ownsHost?: OwnsHost;
  readonly jobs: readonly Job[];
  /** Passes over what the service keeps beside its store. */
  readonly scrubs?: readonly Scrub[];
  /** Records runs of jobs, if there is a reader. */
  readonly book?: JobBook;
  /** Ports beside that of HTTP, for the log. */
  readonly ports?: Readonly<Record<string, number | SocketAddress>>;
  /** Further lines for people: where it listens. */
  readonly addresses?: readonly string[];
  /** Ends streams at once, before the jobs are stopped. */
  readonly endStreams?: () => void;
  /** Begins the end of what is served beside HTTP. */
  readonly drain?: (graceMs: number) => readonly Promise<unknown>[];
}

/** A service: what it keeps, and what it opens over that. */
export interface ServiceDeclaration {
  readonly name: ServiceName;
  readonly collections: readonly Collection[];
  readonly secretCheck: SecretCheck;
  readonly open: (base: ServiceBase & { readonly metrics: Metrics }) => Promise<OpenService>;
}

/**
 * Opens the dependencies of a service; `close` runs the steps of the stop.
 * @throws Error when the store cannot be opened, or was created with another secret
 */
export async function openBase(
  context: ServiceContext,
  { name, collections, secretCheck }: Omit<ServiceDeclaration, "open">,
): Promise<ServiceBase & { close(): Promise<void> }> {
  const { bus, clock, log } = context;
  const data = createDataWatch({ clock, log, everyHours: context.config.scrubEveryHours });
  const store = await openStore({ ...context, data }, { name, collections });
  const steps: (() => unknown)[] = [() => store.close()];
  const close = async (): Promise<void> => {
    for (const step of steps.splice(0).toReversed()) await step();
  };
  try {
    // After the store's lock: of two first starts at once, only the one that goes on may make the secret.
    const { box: ofSecret, scrub } = await openSecretBox(context, name);
    const box = await assertSecret(store, ofSecret, secretCheck);
    const limits = createSharedLimits({ bus, clock, mac: (text) => box.mac(text, "limits") });
    const observer = createObserver(name, context.config.dataDir);
    const ofToken = scrubAdminToken(context.config, name);
    const scrubs = [...(store.scrub === undefined ? [] : [store.scrub]), scrub, ...ofToken];
    const onClose = (step: () => unknown): void => void steps.push(step);
    return { ...context, store, box, limits, observer, data, scrubs, onClose, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Jobs of every service: the audit's upkeep, and the watch for nodes with another token where a database can have several. */
async function openUpkeep({ config, clock, log, tokenHashes, store, box }: ServiceBase): Promise<Job[]> {
  const audit = await openAudit({ store: withAuditKey(store, box), clock, log });
  const jobs: Job[] = [{ name: "audit", everyMs: () => 60_000, run: () => audit.run() }];
  if (config.databaseUrl === undefined) return jobs;
  const run = await watchAdminToken({ store, box, log, tokenHashes });
  return [...jobs, { name: "admin-token", everyMs: () => 60_000, run }];
}

async function startOnce(context: ServiceContext, declaration: ServiceDeclaration): Promise<RunningService> {
  const { name } = declaration;
  const { clock, log, runtime } = context;
  const base = await openBase(context, declaration);
  try {
    const metrics = createMetrics();
    base.onClose(addProcessMetrics(metrics, clock));
    base.data.addMetrics(metrics);
    const upkeep = await openUpkeep(base);
    const service = await declaration.open({ ...base, metrics });
    const http = await serveApp(context, name, service);
    const pass = base.data.createJob([...base.scrubs, ...(service.scrubs ?? [])]);
    const passes = pass.job === undefined ? [] : [pass.job];
    const stopJobs = startTimers(
      [...service.jobs, ...upkeep, base.observer.job, ...passes],
      log,
      service.book,
    );
    log.info("Listening", { http: http.port, ...service.ports, runtime: runtime.name, version: VERSION });
    return {
      addresses: [...listAddresses(context, name, http.port), ...(service.addresses ?? [])],
      stop: async ({ graceMs }) => {
        service.endStreams?.();
        await stopJobs();
        await pass.close();
        const ends = [...(service.drain?.(graceMs) ?? []), http.close({ graceMs })];
        await Promise.allSettled(ends);
        await base.close();
        // A listener that could not be closed in order keeps nothing from being written.
        await Promise.all(ends);
      },
    };
  } catch (error) {
    await base.close();
    throw error;
  }
}

/**
 * Starts a service, with retries for half a minute while its database is unavailable, which often starts a little later.
 * @throws Error when a port is taken, the store cannot be opened, a file is damaged, or the secret is another one
 */
export async function runService(
  context: ServiceContext,
  declaration: ServiceDeclaration,
): Promise<RunningService> {
  const { clock, log } = context;
  const startMs = clock.monotonic();
  let told = false;
  for (;;) {
    try {
      return await startOnce(context, declaration);
    } catch (error) {
      const isLate = clock.monotonic() - startMs > START_PATIENCE_MS;
      if (isLate || !(error instanceof DatabaseUnavailable)) throw error;
      if (!told) log.warn("Waiting for PostgreSQL", { error: error.message });
      told = true;
      await new Promise((resolve) => setTimeout(resolve, START_PAUSE_MS));
    }
  }
}
