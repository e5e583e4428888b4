/** Puts the auth center together: its secret, its store, its listener, its timers, and its stop. */
import { type Auth, createAuth } from "./auth.ts";
import { createAuthApp } from "./http/app.ts";
import { authCollections } from "./records.ts";
import { authSecretCheck } from "./state.ts";
import { readSettings } from "./settings/settings.ts";
import { type AuditUpkeep, openAudit } from "../records/audit-upkeep.ts";
import { loadCommonPasswords } from "./passwords/common-passwords.ts";
import { createForwardClock } from "../kit/time/forward-clock.ts";
import { type Metrics, createMetrics } from "../kit/observe/metrics.ts";
import { createOutbox } from "../records/outbox.ts";
import { type PasswordHasher, createPasswordHasher } from "./passwords/password-hash.ts";
import { addProcessMetrics } from "../kit/observe/process-metrics.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import type { Listener } from "../runtime/runtime.ts";
import type { Store } from "../store/store.ts";
import { VERSION } from "../version.ts";
import { openBase } from "../service/base.ts";
import { listAddresses, serveApp, toAppOptions } from "../service/http.ts";
import { toLocalUrl } from "../service/local-url.ts";
import { type MailSource, type StoredServer, openMailSource } from "../service/mail-source.ts";
import type { RunningService, ServiceContext } from "../service/service.ts";
import { type Job, startTimers } from "../service/jobs.ts";
import { openTokenWatch } from "../service/token-watch.ts";

/** As many records of one kind as a sweep takes at once. */
const SWEEP_BATCH = 200;
/** Says to the other nodes that they read the settings anew; all but the mail server are read at each use. */
const SETTINGS_TOPIC = "settings";

/** The SMTP server of the settings. */
async function readServer(store: Store, box: SecretBox): Promise<StoredServer> {
  const { fields, version } = await store.read((tx) => readSettings(tx, "mail"));
  if (!fields.enabled) return { version, server: undefined };
  const { host, port, security, user, password = "", from } = fields;
  const server = {
    host,
    port,
    security,
    from,
    ...(user === "" ? {} : { user }),
    ...(password === "" ? {} : { password: box.open(password, "smtp") }),
  };
  return { version, server };
}

/** Opens the store; what was opened is closed again when the rest fails. */
async function openAuth(context: ServiceContext): Promise<{
  auth: Auth;
  mail: MailSource;
  audit: AuditUpkeep;
  tokenWatch: readonly Job[];
  metrics: Metrics;
  close: () => Promise<void>;
}> {
  const { config, clock, log } = context;
  const isCommonPassword = await loadCommonPasswords();
  const { store, box, limits } = await openBase(context, "auth", {
    collections: authCollections,
    secretCheck: authSecretCheck,
  });
  try {
    const mail = await openMailSource(context, () => readServer(store, box));
    const stopFollowing = context.bus.subscribe(SETTINGS_TOPIC, () => {
      mail.refresh().catch(() => undefined); // or by the job
    });
    const outbox = createOutbox({
      store,
      clock: createForwardClock(clock),
      log,
      box,
      sender: () => mail.sender(),
    });
    const hasher = createPasswordHasher();
    const metrics = createMetrics();
    declareHashMetrics(metrics, hasher);
    const auth = createAuth({
      store,
      clock,
      log,
      box,
      outbox,
      hasher,
      isCommonPassword,
      limits,
      publicUrl: config.authPublicUrl,
      issuer: config.authPublicUrl ?? toLocalUrl(config.host, config.ports.auth),
    });
    const close = async (): Promise<void> => {
      stopFollowing();
      await outbox.close();
      mail.close();
      await store.close();
    };
    const audit = await openAudit({ store: auth.store, clock, log });
    const tokenWatch = await openTokenWatch(context, { store, box });
    return { auth, mail, audit, tokenWatch, metrics, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** How busy the hashing of passwords is: with a full queue sign-ins are told to come back. */
function declareHashMetrics(metrics: Metrics, { queue }: PasswordHasher): void {
  metrics.gauge({
    name: "trivet_password_hashes_running",
    help: "Passwords that are hashed now",
    read: queue.running,
  });
  metrics.gauge({
    name: "trivet_password_hashes_waiting",
    help: "Passwords that wait to be hashed",
    read: queue.waiting,
  });
}

function startHttp(
  context: ServiceContext,
  parts: { auth: Auth; mail: MailSource; metrics: Metrics },
): Promise<Listener> {
  const { config } = context;
  const { auth, mail, metrics } = parts;
  const app = createAuthApp(auth, {
    ...toAppOptions(context, "auth", { metrics, checks: { store: () => auth.store.check() } }),
    tokenHashes: context.tokenHashes,
    onTokenUse: context.onTokenUse,
    adminTokenInQuery: config.adminTokenInQuery,
    publicUrl: config.authPublicUrl,
    onMailSettings: async () => {
      await mail.refresh();
      context.bus.publish(SETTINGS_TOPIC, {});
    },
  });
  return serveApp(context, "auth", app);
}

function startJobs(
  { log }: ServiceContext,
  { auth, mail, audit, tokenWatch }: Omit<Awaited<ReturnType<typeof openAuth>>, "metrics" | "close">,
): () => Promise<void> {
  let swept = 0;
  return startTimers(
    [
      { name: "mail-settings", everyMs: () => 1_000, run: () => mail.refresh() },
      {
        name: "outbox",
        everyMs: () => 1_000,
        run: async () => {
          await auth.outbox.deliver();
        },
      },
      { name: "activity", everyMs: () => 30_000, run: () => auth.activity.flush() },
      {
        name: "sweep",
        // A full batch: more is waiting.
        everyMs: () => (swept >= SWEEP_BATCH ? 1_000 : 60_000),
        run: async () => {
          swept = await auth.sweep();
        },
      },
      { name: "audit", everyMs: () => 60_000, run: () => audit.run() },
      ...tokenWatch,
    ],
    log,
  );
}

/** Starts the auth center. Throws when the port is taken, the data folder is in use, a file is damaged, or the secret is another one. */
export async function startAuth(context: ServiceContext): Promise<RunningService> {
  const { log, runtime } = context;
  const { metrics, close, ...open } = await openAuth(context);
  const { auth, mail } = open;
  const stopProcessMetrics = addProcessMetrics(metrics, context.clock);
  try {
    const http = await startHttp(context, { auth, mail, metrics });
    const stopJobs = startJobs(context, open);
    log.info("Listening", { http: http.port, runtime: runtime.name, version: VERSION });
    return {
      addresses: listAddresses(context, "auth", http.port),
      stop: async ({ graceMs }) => {
        await stopJobs();
        await http.close({ graceMs });
        // What was counted since the last flush; a store that takes no writes must not keep the process.
        await auth.activity.flush().catch((error: unknown) => log.warn("Counts were not written", { error }));
        stopProcessMetrics();
        await close();
      },
    };
  } catch (error) {
    stopProcessMetrics();
    await close();
    throw error;
  }
}
