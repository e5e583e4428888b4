/** Puts the auth center together: its secret, its store, its listener, its timers, and its stop. */
import { type Auth, createAuth } from "./app/auth.ts";
import { createAuthApp } from "./app/app.ts";
import { authCollections } from "./app/records.ts";
import { authSecretCheck } from "./app/secret-check.ts";
import { checkRelyingParty } from "./passkeys/relying-party.ts";
import { keepOwnClient } from "./applications/own-clients.ts";
import { SHOP_NAME, keepShopBrand } from "./shop-brand/shop-brand.ts";
import { createBrandRead } from "../service/center/brand-read.ts";
import { loadSettings, readSettings } from "./settings/settings.ts";
import { createUpstreamOutbound } from "./upstream/outbound-fetch.ts";
import { loadCommonPasswords } from "./passwords/common-passwords.ts";
import { isLoopbackHost } from "../kit/mail/smtp-url.ts";
import { createOutbound } from "../kit/outbound/outbound.ts";
import { createForwardClock } from "../kit/time/forward-clock.ts";
import type { Metrics } from "../kit/observe/metrics.ts";
import { type PasswordHasher, createPasswordHasher } from "./base/hashing/password-hash.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import type { Store } from "../store/store.ts";
import { loadConsoleAssets, loadPageAssets } from "../kit/http/web-assets.ts";
import { createExamination } from "../service/doctor/doctor.ts";
import { listConsoles } from "../service/consoles.ts";
import { toAppOptions } from "../service/http.ts";
import { toInternalUrl, toLocalUrl } from "../service/local-url.ts";
import { withOwnUrls } from "../service/own-outbound.ts";
import { type StoredServer, openMails } from "../service/mail-source.ts";
import type { StartService } from "../service/service.ts";
import type { Job } from "../service/jobs.ts";
import { type OwnClient, listOwnAddresses, ownClients, toClientSecret } from "../service/own-clients.ts";
import { type ServiceBase, runService } from "../service/run.ts";
import { findServiceSecret } from "../service/secrets.ts";
import { VERSION } from "../version.ts";

/** As many records of one kind as a sweep takes at once. */
const SWEEP_BATCH = 200;
/** Tells the other nodes to reload the settings; all except the mail server are read on each use. */
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

/** Load of password hashing: with a full queue, sign-ins get a Retry-After. */
function declareHashMetrics(metrics: Metrics, { queue }: PasswordHasher): void {
  metrics.gauge({
    name: "trivet_password_hashes_running",
    help: "Password hashes in progress",
    read: queue.running,
  });
  metrics.gauge({
    name: "trivet_password_hashes_waiting",
    help: "Password hashes waiting in the queue",
    read: queue.waiting,
  });
}

const toLogoutUrl = (url: string): string => `${url}/backchannel-logout`;

const OWN_NAMES = { monitor: "Monitor", shop: SHOP_NAME } as const;

/** Creates what registers the other services of the install, as far as their secrets and addresses are known here. */
function createOwnClients(context: ServiceBase, auth: Auth): () => Promise<void> {
  const warned = new Set<string>();
  return async () => {
    for (const service of ownClients) {
      const secret = await findServiceSecret(context, service);
      const addresses = listOwnAddresses(context.config, service).map(({ appUrl }) => appUrl);
      if (secret === undefined || addresses.length === 0) continue;
      const local = toLocalUrl(context.config, service);
      const reached = local !== "" && context.services.includes(service) ? local : (addresses[0] ?? "");
      const kept = await keepOwnClient(auth, {
        id: service,
        name: OWN_NAMES[service],
        secret: toClientSecret(secret),
        redirectUris: addresses.map((url) => `${url}/callback`),
        postLogoutRedirectUris: addresses.map((url) => `${url}/`),
        logoutUrl: toLogoutUrl(reached),
      });
      if (kept === "kept" || warned.has(service)) continue;
      warned.add(service);
      context.log.warn(
        "A registered application has the ID of a service of this install, so users cannot sign in to that service. Give the application another ID",
        { application: service },
      );
    }
  };
}

const BRAND_TIMEOUT_MS = 5_000;

/** Takes over the brand of this install's shop: soon after the start, then every few minutes. */
function createBrandJob({ config, services }: ServiceBase, auth: Auth): Job {
  let everyMs = 3_000;
  return {
    name: "shop-brand",
    everyMs: () => everyMs,
    run: async () => {
      const local = services.includes("shop") ? toInternalUrl(config, "shop") : "";
      const shopUrl = local === "" ? listOwnAddresses(config, "shop")[0]?.appUrl : local;
      if (shopUrl === undefined) return;
      const read = createBrandRead({ shopUrl, timeoutMs: BRAND_TIMEOUT_MS });
      const outcome = await keepShopBrand(auth, read);
      everyMs = outcome === "unreadable" ? 15_000 : 300_000;
    },
  };
}

function listJobs(auth: Auth): Job[] {
  let swept = 0;
  let hasKeys = false;
  return [
    {
      name: "signing-keys",
      // Soon after the start, so the first request for the key set does not wait for an RSA key.
      everyMs: () => (hasKeys ? 3_600_000 : 1_000),
      run: async () => {
        await auth.signingKeys.complete();
        hasKeys = true;
      },
    },
    {
      name: "logouts",
      everyMs: () => 1_000,
      run: async () => {
        await auth.logoutDelivery.deliver();
      },
    },
    { name: "activity", everyMs: () => 30_000, run: () => auth.activity.flush() },
    { name: "refusals", everyMs: () => 5_000, run: () => auth.refusals.flush() },
    {
      name: "approval-notices",
      everyMs: () => 60_000,
      run: async () => {
        await auth.approvalNotices.tell();
      },
    },
    {
      name: "change-notices",
      everyMs: () => 60_000,
      run: async () => {
        await auth.changeNotices.tell();
      },
    },
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
      const issuer = publicUrl ?? toLocalUrl(config, "auth");
      const outbound = createUpstreamOutbound({ allowPrivate: config.upstreamPrivate });
      const kept = { store, clock, log, box, limits, outbox, outbound };
      const backchannel = withOwnUrls(
        createOutbound({
          allowPrivate: config.notifyPrivate,
          privateRemedy: "set NOTIFY_PRIVATE=1 to allow private addresses",
          userAgent: `Trivet/${VERSION}`,
        }),
        ownClients.map((service) => toLogoutUrl(toLocalUrl(config, service))),
      );
      const toPlaces = (service: OwnClient): string[] =>
        listOwnAddresses(config, service).map(({ appUrl }) => appUrl);
      const places = { shop: toPlaces("shop"), monitor: toPlaces("monitor") };
      // Without a public address, who listens on other addresses than this machine's may be reached there.
      const reach = publicUrl === undefined ? { isLoopback: isLoopbackHost(config.host) } : {};
      const options = { ...kept, ...reach, hasher, isCommonPassword, publicUrl, issuer, places, backchannel };
      const auth = createAuth(options);
      onClose(auth.logoutDelivery.close);
      await checkRelyingParty({ store, log }, auth.relyingParty);
      if ((await loadSettings(store, "registration")).unnamedForwardRoute)
        log.warn(
          "Proxies can call GET /api/auth/forward without naming the application, so a visitor can choose whose access policy applies. Change the proxies to call /api/auth/forward/{application}, then disable the setting unnamedForwardRoute",
        );
      // Counts since the last flush; a store that rejects writes must not keep the process alive.
      onClose(() =>
        Promise.all([auth.activity.flush(), auth.refusals.flush()])
          .then(() => undefined)
          .catch((error: unknown) => log.warn("Usage counts could not be stored", { error })),
      );
      const app = createAuthApp(auth, {
        ...toAppOptions(base, "auth", { checks: { store: () => store.check() } }),
        tokenHashes: base.tokenHashes,
        onTokenUse: base.onTokenUse,
        examine: createExamination(context),
        adminTokenInQuery: config.adminTokenInQuery,
        publicUrl,
        assets: await loadPageAssets(),
        consoleAssets: await loadConsoleAssets("auth"),
        consoles: listConsoles(context),
        onMailSettings: async () => {
          await mail.refresh();
          bus.publish(SETTINGS_TOPIC, {});
        },
      });
      const registerOwn = createOwnClients(base, auth);
      await registerOwn();
      const own: Job = { name: "own-clients", everyMs: () => 60_000, run: registerOwn };
      return { app, jobs: [...mail.jobs, own, createBrandJob(base, auth), ...listJobs(auth)] };
    },
  });
