/** Puts the shop together: its secret, its store, its listener, its timers, and its stop. */
import { createAuthClient } from "../auth/client/client.ts";
import { type AuditUpkeep, openAudit } from "../records/audit-upkeep.ts";
import { createForwardClock } from "../kit/time/forward-clock.ts";
import { type Metrics, createMetrics } from "../kit/observe/metrics.ts";
import { createOutbox } from "../records/outbox.ts";
import { addProcessMetrics, createProcessFacts } from "../kit/observe/process-metrics.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import { toSmtpRules } from "../kit/mail/smtp-rules.ts";
import type { Listener } from "../runtime/runtime.ts";
import { createShopApp } from "./http/app.ts";
import { settleDemo } from "./settings/demo-switch.ts";
import { askMailGate, MAIL_TRIES } from "./mails/mail-gate.ts";
import { carryOverAttachments } from "./chat/carry-over.ts";
import { toMailServer } from "./site/smtp-server.ts";
import { sweepKeys } from "./checkout/idempotency.ts";
import { sweepEvents } from "./payments/notices.ts";
import { shopCollections, shopSecretCheck } from "./records.ts";
import type { StatusFacts } from "./operation/system-status.ts";
import { readSettings } from "./site/settings.ts";
import { type Shop, createShop } from "./shop.ts";
import type { Store } from "../store/store.ts";
import { VERSION } from "../version.ts";
import { createAddressCheck } from "./users/address-check.ts";
import { openBase } from "../service/base.ts";
import { listAddresses, serveApp, toAppOptions } from "../service/http.ts";
import { toLocalUrl } from "../service/local-url.ts";
import { type MailSource, type StoredServer, openMailSource } from "../service/mail-source.ts";
import { type OpenBlobs, once, openShopBlobs } from "./service-blobs.ts";
import type { RunningService, ServiceContext } from "../service/service.ts";
import { type Job, type JobBook, createJobBook, startTimers } from "../service/jobs.ts";
import { openTokenWatch } from "../service/token-watch.ts";

/** Form of versions: a number and a word. */
const SHOP_VERSION = `${VERSION}-trivet`;
/** How long an answer of the auth center may be used. */
const AUTH_CACHE_MS = 5_000;
/** User routes answer within 2 s when the auth center does not. */
const AUTH_TIMEOUT_MS = 1_800;

/** The SMTP server of the settings. */
async function readServer(store: Store, box: SecretBox): Promise<StoredServer> {
  const { fields, version } = await store.read((tx) => readSettings(tx, "smtp"));
  if (!fields.enabled) return { version, server: undefined };
  return { version, server: toMailServer(fields, box) };
}

interface OpenShop {
  readonly shop: Shop;
  readonly mail: MailSource;
  readonly audit: AuditUpkeep;
  readonly tokenWatch: readonly Job[];
  readonly blobs: OpenBlobs;
  readonly metrics: Metrics;
  readonly processFacts: ReturnType<typeof createProcessFacts>;
  readonly book: JobBook;
  readonly close: () => Promise<void>;
}

/** Opens the store; what was opened is closed again when the rest fails. */
async function openShop(context: ServiceContext): Promise<OpenShop> {
  const { config, log } = context;
  const { store, box, limits } = await openBase(context, "shop", {
    collections: shopCollections,
    secretCheck: shopSecretCheck,
  });
  const opened: { close(): Promise<void> }[] = [store];
  try {
    const clock = createForwardClock(context.clock);
    const blobs = await openShopBlobs(context);
    opened.unshift(blobs);
    const mail = await openMailSource(context, () => readServer(store, box));
    const outbox = createOutbox({
      store,
      clock,
      log,
      box,
      sender: () => mail.sender(),
      maxTries: MAIL_TRIES,
      gate: askMailGate,
    });
    const shop = createShop({
      store,
      clock,
      log,
      box,
      outbox,
      limits,
      blobs: blobs.blobs,
      bus: context.bus,
      smtpRules: toSmtpRules(config.smtpPrivate),
      publicUrl: config.shopPublicUrl ?? toLocalUrl(config.host, config.ports.shop),
      isShared: config.databaseUrl !== undefined,
    });
    shop.signals.listen("settings", () => void mail.refresh().catch(() => undefined)); // or by the job
    opened.unshift({ close: async () => shop.signals.close() });
    const audit = await openAudit(shop.deps);
    const tokenWatch = await openTokenWatch(context, { store, box });
    await settleDemo(shop.deps, config.shopDemo);
    await shop.catalogue.load();
    const processFacts = createProcessFacts(context.clock);
    const close = async (): Promise<void> => {
      processFacts.stop();
      await shop.views
        .flush()
        .catch((error: unknown) => log.warn("Views of products could not be stored", { error }));
      await outbox.close();
      mail.close();
      for (const one of opened) await one.close();
    };
    return {
      shop,
      mail,
      audit,
      tokenWatch,
      blobs,
      metrics: createMetrics(),
      processFacts,
      book: createJobBook(clock),
      close,
    };
  } catch (error) {
    for (const one of opened) await one.close();
    throw error;
  }
}

/** How long the status page waits for the auth center. */
const PROBE_MS = 1_500;

/** Throws unless the auth center says that it is well. */
async function checkAuth(authUrl: string): Promise<void> {
  const url = `${authUrl.replace(/(?<!\/)\/+$/u, "")}/api/health`;
  const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS), redirect: "manual" });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The auth center answered ${response.status}`);
}

/** What the status page tells beyond the store. */
function toFacts(context: ServiceContext, { book, processFacts }: OpenShop): StatusFacts {
  const { config } = context;
  return {
    runtime: () => processFacts.read(),
    checkAuth: () => checkAuth(config.authUrl),
    jobs: () => book.list(),
    storeKind: config.databaseUrl === undefined ? "files" : "postgresql",
    hasMailServer: () => config.smtp !== undefined,
  };
}

function startHttp(context: ServiceContext, open: OpenShop): Promise<Listener> {
  const { shop, metrics } = open;
  const { config } = context;
  const app = createShopApp(shop, {
    ...toAppOptions(context, "shop", {
      version: SHOP_VERSION,
      metrics,
      checks: { store: () => shop.store.check(), auth: () => checkAuth(config.authUrl) },
      // Catalogue, guests and payment notices need no auth center.
      optional: ["auth"],
    }),
    clock: shop.deps.clock,
    tokenHashes: context.tokenHashes,
    onTokenUse: context.onTokenUse,
    facts: toFacts(context, open),
    authPublicUrl: config.authPublicUrl ?? config.authUrl,
    userCheck: {
      ...createAuthClient({
        authUrl: config.authUrl,
        clientName: "shop",
        timeoutMs: AUTH_TIMEOUT_MS,
        cacheMs: AUTH_CACHE_MS,
      }),
      readAddresses: createAddressCheck({ authUrl: config.authUrl, timeoutMs: AUTH_TIMEOUT_MS }),
    },
  });
  return serveApp(context, "shop", app);
}

/** As many records of one kind as a job takes at once. */
const BATCH = 200;

/** A job that comes again soon while there is more to do than it takes at once. */
function untilDone(name: string, everyMs: number, run: () => Promise<number>): Job {
  let done = 0;
  return {
    name,
    everyMs: () => (done >= BATCH ? 10 : everyMs),
    run: async () => {
      done = await run();
    },
  };
}

function startJobs({ config, log }: ServiceContext, open: OpenShop): () => Promise<void> {
  const { shop, mail, audit, tokenWatch, book, blobs } = open;
  const { deps, orderJobs, signals } = shop;
  let hasMoreWishes = false;
  return startTimers(
    [
      untilDone("orders-expire", 1_000, () => orderJobs.expire()),
      untilDone("orders-complete", 60_000, () => orderJobs.complete()),
      untilDone("checkout-keys", 60_000, () => sweepKeys(deps.store, deps.clock.now())),
      untilDone("payment-events", 60_000, () => sweepEvents(deps.store, deps.clock.now())),
      { name: "audit", everyMs: () => 60_000, run: () => audit.run() },
      ...tokenWatch,
      untilDone("mails-sweep", 60_000, () => deps.outbox.sweep()),
      { name: "mail-settings", everyMs: () => 1_000, run: () => mail.refresh() },
      { name: "views", everyMs: () => 2_000, run: () => shop.views.flush() },
      // On files there is no other process to follow.
      ...(config.databaseUrl === undefined
        ? []
        : [
            { name: "catalogue", everyMs: () => signals.lookMs(), run: () => shop.catalogue.follow() },
            { name: "catalogue-sweep", everyMs: () => 60_000, run: () => shop.catalogue.sweep() },
          ]),
      ...blobs.jobs,
      once("chat-pictures-carry-over", async () => {
        await carryOverAttachments(deps);
      }),
      untilDone("chat-pictures-sweep", 60_000, () => shop.chat.attachments.sweep()),
      { name: "chat-beat", everyMs: () => 1_000, run: () => shop.chat.beat() },
      { name: "chat", everyMs: () => signals.lookMs(), run: () => shop.chat.follow() },
      {
        name: "outbox",
        everyMs: () => 1_000,
        run: async () => {
          await shop.deps.outbox.deliver();
        },
      },
      {
        name: "wishes",
        everyMs: () => (hasMoreWishes ? 5_000 : 60_000),
        run: async () => {
          hasMoreWishes = await shop.wishNotices.run();
        },
      },
    ],
    log,
    book,
  );
}

/** Starts the shop. Throws when the port is taken, the data folder is in use, a file is damaged, or the secret is another one. */
export async function startShop(context: ServiceContext): Promise<RunningService> {
  const { log, runtime } = context;
  const open = await openShop(context);
  const stopProcessMetrics = addProcessMetrics(open.metrics, context.clock);
  try {
    const http = await startHttp(context, open);
    const stopJobs = startJobs(context, open);
    log.info("Listening", { http: http.port, runtime: runtime.name, version: VERSION });
    return {
      addresses: listAddresses(context, "shop", http.port),
      stop: async ({ graceMs }) => {
        // Streams end first: the listener waits for what is under way.
        open.shop.chat.close();
        open.shop.watch.close();
        open.blobs.endJobs();
        await stopJobs();
        await http.close({ graceMs });
        stopProcessMetrics();
        await open.close();
      },
    };
  } catch (error) {
    stopProcessMetrics();
    await open.close();
    throw error;
  }
}
