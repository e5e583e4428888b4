/** Puts the auth center together: its secret, its store, its listener, its timers, and its stop. */
import { type Auth, createAuth } from "./auth.ts";
import { createAuthApp } from "./http/app.ts";
import { authCollections } from "./records.ts";
import { authSecretCheck } from "./state.ts";
import { readSettings } from "./settings/settings.ts";
import { loadCommonPasswords } from "./passwords/common-passwords.ts";
import { createForwardClock } from "../kit/time/forward-clock.ts";
import type { Metrics } from "../kit/observe/metrics.ts";
import { type PasswordHasher, createPasswordHasher } from "./passwords/password-hash.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import type { Store } from "../store/store.ts";
import { toAppOptions } from "../service/http.ts";
import { toLocalUrl } from "../service/local-url.ts";
import { type StoredServer, openMails } from "../service/mail-source.ts";
import type { StartService } from "../service/service.ts";
import type { Job } from "../service/jobs.ts";
import { runService } from "../service/run.ts";

/** As many records of one kind as a sweep takes at once. */
const SWEEP_BATCH = 200;
/** Says to the other nodes that they read the settings anew; all but the mail server are read at each use. */
const SETTINGS_TOPIC = "settings";

/** The SMTP server of the settings. */
async function readServer(store: Store, box: SecretBox): Promise<StoredServer> {
  const { fields, version } = await store.read((tx) => readSettings(tx, "mail"));
  if (!fields.enabled) return { version, server: undefined };
  const { host, port, security, user, password = "", from } = fields;
  const login = {
    user: user === "" ? undefined : user,
    password: password === "" ? undefined : box.open(password, "smtp"),
  };
  return { version, server: { host, port, security, from, ...login } };
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

function listJobs(auth: Auth): Job[] {
  let swept = 0;
  return [
    { name: "activity", everyMs: () => 30_000, run: () => auth.activity.flush() },
    {
      name: "sweep",
      // A full batch: more is waiting.
      everyMs: () => (swept >= SWEEP_BATCH ? 1_000 : 60_000),
      run: async () => {
        swept = await auth.sweep();
      },
    },
  ];
}

/** Starts the auth center. Throws when the port is taken, the data folder is in use, a file is damaged, or the secret is another one. */
export const startAuth: StartService = (context) =>
  runService(context, {
    name: "auth",
    collections: authCollections,
    secretCheck: authSecretCheck,
    open: async (base) => {
      const { config, bus, clock, log, store, box, limits, metrics, onClose } = base;
      const isCommonPassword = await loadCommonPasswords();
      const { outbox, ...mail } = await openMails(base, {
        clock: createForwardClock(clock),
        read: () => readServer(store, box),
      });
      // Or by the job.
      onClose(bus.subscribe(SETTINGS_TOPIC, () => void mail.refresh().catch(() => undefined)));
      const hasher = createPasswordHasher();
      declareHashMetrics(metrics, hasher);
      const publicUrl = config.authPublicUrl;
      const issuer = publicUrl ?? toLocalUrl(config.host, config.ports.auth);
      const kept = { store, clock, log, box, limits, outbox };
      const auth = createAuth({ ...kept, hasher, isCommonPassword, publicUrl, issuer });
      // What was counted since the last flush; a store that takes no writes must not keep the process.
      onClose(() =>
        auth.activity.flush().catch((error: unknown) => log.warn("Counts were not written", { error })),
      );
      const app = createAuthApp(auth, {
        ...toAppOptions(base, "auth", { checks: { store: () => store.check() } }),
        tokenHashes: base.tokenHashes,
        onTokenUse: base.onTokenUse,
        adminTokenInQuery: config.adminTokenInQuery,
        publicUrl,
        onMailSettings: async () => {
          await mail.refresh();
          bus.publish(SETTINGS_TOPIC, {});
        },
      });
      return { app, jobs: [...mail.jobs, ...listJobs(auth)] };
    },
  });
