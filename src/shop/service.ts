/** Puts the shop together: its secret, its store, its listener, its timers, and its stop. */
import { createForwardClock } from "../kit/time/forward-clock.ts";
import type { Metrics } from "../kit/observe/metrics.ts";
import { createProcessFacts } from "../kit/observe/process-metrics.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import type { ServiceApp } from "../kit/http/app.ts";
import {
  type ConsoleAssets,
  type PageAssets,
  loadConsoleAssets,
  loadPageAssets,
} from "../kit/http/web-assets.ts";
import { toSmtpRules } from "../kit/mail/smtp-rules.ts";
import { type Outbound, createOutbound } from "../kit/outbound/outbound.ts";
import { createShopApp } from "./app/app.ts";
import { settleDemo } from "./settings/demo-switch.ts";
import { layOutDraft, sweepMailTexts } from "./mails/drafts.ts";
import { askMailGate, MAIL_TRIES } from "./mails/mail-gate.ts";
import { carryOverCategories } from "./categories/former-categories.ts";
import { carryOverAttachments } from "./chat/carry-over.ts";
import { createSharpSizes } from "./base/resize.ts";
import { toMailServer } from "./site/smtp-server.ts";
import { sweepKeys } from "./checkout/idempotency.ts";
import { sweepEvents } from "./payments/notices.ts";
import { sweepSessions } from "./payments/services/session-sweep.ts";
import { sweepConsoleSessions } from "../records/console-sessions.ts";
import { shopCollections, shopSecretCheck } from "./app/records.ts";
import type { StatusFacts } from "./operation/system-status.ts";
import { readSettings } from "./site/settings.ts";
import { type Shop, createShop } from "./app/shop.ts";
import type { Store } from "../store/store.ts";
import { VERSION } from "../version.ts";
import { createBearerCheck } from "./users/buyer-sessions.ts";
import { createAddressCheck } from "./users/verified-emails.ts";
import { noAccounts } from "./users/no-accounts.ts";
import { findServiceSecret } from "../service/secrets.ts";
import { type ServiceBase, runService } from "../service/run.ts";
import { openAccountCenter } from "../service/account-center.ts";
import type { AccountCenter } from "../kit/outbound/account-center.ts";
import { toAppOptions } from "../service/http.ts";
import { readDiskRoom } from "../service/disk.ts";
import { createExamination } from "../service/doctor/doctor.ts";
import { listConsoles } from "../service/consoles.ts";
import { fetchLocal } from "../kit/outbound/unix-socket.ts";
import { toLocalUrl } from "../service/local-url.ts";
import { type StoredServer, openMails } from "../service/mail-source.ts";
import { once, openShopBlobs } from "./service-blobs.ts";
import type { ServiceContext, StartService } from "../service/service.ts";
import { askAgain } from "./fulfilment/vat-jobs.ts";
import { type Job, type JobBook, createJobBook } from "../service/jobs.ts";

/** Form of versions: a number and a word. */
const SHOP_VERSION = `${VERSION}-trivet`;
/** User routes answer within 2 s when the auth center does not. */
const AUTH_TIMEOUT_MS = 1_800;

/** The SMTP server of the settings. */
async function readServer(store: Store, box: SecretBox): Promise<StoredServer> {
  const { fields, version } = await store.read((tx) => readSettings(tx, "smtp"));
  if (!fields.enabled) return { version, server: undefined };
  return { version, server: toMailServer(fields, box) };
}

/** How long the status page waits for the auth center. */
const PROBE_MS = 1_500;

/** Throws unless the auth center says that it is well. */
async function checkAuth(authUrl: string): Promise<void> {
  const url = `${authUrl.replace(/(?<!\/)\/+$/u, "")}/api/health`;
  const response = await fetchLocal(url, { signal: AbortSignal.timeout(PROBE_MS), redirect: "manual" });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The auth center responded with status ${response.status}`);
}

/** Facts for the status page from outside the store. */
interface FactSources {
  readonly book: JobBook;
  readonly processFacts: ReturnType<typeof createProcessFacts>;
}

function toFacts(
  { config, runtime, backups }: ServiceContext,
  { book, processFacts, hasAccounts }: FactSources & { readonly hasAccounts: boolean },
): StatusFacts {
  return {
    program: `${runtime.name} ${runtime.version}`,
    readDisk: () => readDiskRoom(config.dataDir),
    hasBackups: backups !== undefined,
    ...(backups === undefined
      ? {}
      : {
          readBackups: async () => {
            const { found, nextAt, failure } = await backups.overview();
            return { lastAt: found[0]?.createdAt, nextAt, failure: failure?.message };
          },
        }),
    runtime: () => processFacts.read(),
    ...(hasAccounts ? { checkAuth: () => checkAuth(config.authUrl) } : {}),
    jobs: () => book.list(),
    storeKind: config.databaseUrl === undefined ? "files" : "postgresql",
    hasMailServer: () => config.smtp !== undefined,
  };
}

/** Whether an auth center belongs to the install: it runs here, has run on this data folder, or is named. */
async function hasAuthCenter(context: Pick<ServiceContext, "config" | "log" | "services">): Promise<boolean> {
  return context.config.isAuthNamed || (await findServiceSecret(context, "auth")) !== undefined;
}

function createApp(
  context: ServiceBase & { metrics: Metrics },
  shop: Shop,
  {
    assets,
    consoleAssets,
    center,
    ...sources
  }: FactSources & {
    readonly assets: PageAssets;
    readonly consoleAssets: ConsoleAssets;
    readonly center: AccountCenter | undefined;
  },
): ServiceApp {
  const { authUrl, authPublicUrl = authUrl } = context.config;
  context.metrics.counterFrom({
    name: "shop_license_requests",
    help: "Requests of programs about license keys, by action and result; unknown_key are guesses or typing errors.",
    labels: ["action", "result"],
    read: () => shop.licenseApi.counts(),
  });
  const readAddresses = createAddressCheck({ authUrl, timeoutMs: AUTH_TIMEOUT_MS });
  return createShopApp(shop, {
    ...toAppOptions(context, "shop", {
      version: SHOP_VERSION,
      checks: {
        store: () => shop.store.check(),
        auth: () => (center === undefined ? Promise.resolve() : checkAuth(authUrl)),
      },
      // Catalogue, guests and payment notices need no auth center.
      optional: ["auth"],
    }),
    clock: shop.deps.clock,
    tokenHashes: context.tokenHashes,
    onTokenUse: context.onTokenUse,
    examine: createExamination(context),
    facts: toFacts(context, { ...sources, hasAccounts: center !== undefined }),
    assets,
    consoleAssets,
    center,
    consoles: listConsoles(context),
    authPublicUrl: center === undefined ? undefined : authPublicUrl,
    userCheck: center === undefined ? noAccounts : createBearerCheck(center, readAddresses),
  });
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

function listJobs({ deps, orderJobs, signals, ...shop }: Shop, isShared: boolean): Job[] {
  let hasMoreWishes = false;
  return [
    untilDone("orders-expire", 1_000, () => orderJobs.expire()),
    {
      name: "vat-checks",
      everyMs: () => 300_000,
      run: () => askAgain(deps, shop.vatChecks).then(() => undefined),
    },
    untilDone("checkout-reminders", 60_000, () => shop.reminders.run()),
    untilDone("review-invitations", 60_000, () => shop.invitations.run()),
    {
      name: "back-in-stock",
      everyMs: () => 60_000,
      run: () => shop.stockNotices.run().then(() => undefined),
    },
    untilDone("stock-requests-sweep", 3_600_000, () => shop.stockRequests.sweep()),
    untilDone("gift-card-emails", 5_000, () => shop.giftMails.run()),
    untilDone("orders-complete", 60_000, () => orderJobs.complete()),
    untilDone("payments", 1_000, () => shop.paymentJobs.run()),
    untilDone("refunds", 10_000, () => shop.refunds.run()),
    untilDone("subscriptions", 5_000, () => shop.renewalJobs.run()),
    untilDone("subscription-services", 1_000, () => shop.remoteJobs.run()),
    untilDone("checkout-keys", 60_000, () => sweepKeys(deps.store, deps.clock.now())),
    untilDone("console-sessions", 60_000, () =>
      deps.store.transact((tx) => sweepConsoleSessions(tx, deps.clock.now())),
    ),
    untilDone("payment-sessions", 3_600_000, () => sweepSessions(deps.store, deps.clock.now())),
    untilDone("payment-events", 60_000, () => sweepEvents(deps.store, deps.clock.now())),
    { name: "files-sweep", everyMs: () => 60_000, run: () => shop.uploads.sweep().then(() => undefined) },
    {
      name: "file-notices",
      everyMs: () => 5_000,
      run: () => shop.versionNotices.run().then(() => undefined),
    },
    { name: "imports", everyMs: () => 1_000, run: () => shop.imports.run().then(() => undefined) },
    untilDone("imports-sweep", 3_600_000, () => shop.imports.sweep()),
    untilDone("mail-texts-sweep", 3_600_000, () => sweepMailTexts(deps.store, deps.clock.now())),
    untilDone("mails-sweep", 60_000, () => deps.outbox.sweep()),
    { name: "views", everyMs: () => 2_000, run: () => shop.views.flush() },
    // On files there is no other process to follow.
    ...(isShared
      ? [
          { name: "catalogue", everyMs: () => signals.pollMs(), run: () => shop.catalogue.follow() },
          { name: "catalogue-sweep", everyMs: () => 60_000, run: () => shop.catalogue.sweep() },
        ]
      : []),
    once("catalogue-words", () => shop.catalogue.prepare()),
    once("chat-pictures-carry-over", async () => {
      await carryOverAttachments(deps);
    }),
    untilDone("picture-sizes-sweep", 3_600_000, () => shop.imageSizes.sweep()),
    untilDone("chat-pictures-sweep", 60_000, () => shop.chat.attachments.sweep()),
    { name: "webhooks", everyMs: () => 1_000, run: () => shop.webhookSender.wakeAll() },
    untilDone("customers-anonymise", 3_600_000, () => shop.customerErasure.run()),
    untilDone("webhooks-sweep", 60_000, () => shop.webhookSender.sweep()),
    { name: "chat-beat", everyMs: () => 1_000, run: () => shop.chat.beat() },
    { name: "chat", everyMs: () => signals.pollMs(), run: () => shop.chat.follow() },
    {
      name: "wishes",
      everyMs: () => (hasMoreWishes ? 5_000 : 60_000),
      run: async () => {
        hasMoreWishes = await shop.wishNotices.run();
      },
    },
  ];
}

/** How long a picture of an import may take. */
const PICTURE_MS = 30_000;

/** For what administrators name: webhooks, and payment services. */
function openOutbound({ notifyPrivate }: ServiceContext["config"], timeoutMs?: number): Outbound {
  return createOutbound({
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    allowPrivate: notifyPrivate,
    privateRemedy: "set NOTIFY_PRIVATE=1 to allow private addresses",
    userAgent: `Trivet/${VERSION}`,
  });
}

/** Starts the shop. Throws when the port is taken, the data folder is in use, a file is damaged, or the secret is another one. */
export const startShop: StartService = (context) =>
  runService(context, {
    name: "shop",
    collections: shopCollections,
    secretCheck: shopSecretCheck,
    open: async (base) => {
      const { config, bus, log, store, box, limits, onClose } = base;
      const clock = createForwardClock(base.clock);
      const blobs = await openShopBlobs(base);
      onClose(blobs.close);
      const read = (): Promise<StoredServer> => readServer(store, box);
      const { outbox, ...mail } = await openMails(base, {
        clock,
        read,
        maxTries: MAIL_TRIES,
        gate: askMailGate,
        layOut: layOutDraft,
      });
      const isShared = config.databaseUrl !== undefined;
      const outbound = openOutbound(config);
      const hasAccounts = await hasAuthCenter(base);
      const shop = createShop({
        hasAccounts,
        store,
        clock,
        log,
        box,
        outbox,
        limits,
        blobs: blobs.blobs,
        fileBlobs: blobs.fileBlobs,
        sizes: { blobs: blobs.sizes, ...createSharpSizes(log) },
        bus,
        smtpRules: toSmtpRules(config.smtpPrivate),
        webhookOutbound: outbound,
        paymentOutbound: outbound,
        pictureOutbound: openOutbound(config, PICTURE_MS),
        publicUrl: config.shopPublicUrl ?? toLocalUrl(config, "shop"),
        isShared,
      });
      onClose(() => shop.signals.close());
      onClose(shop.webhookSender.close);
      shop.signals.listen("settings", () => void mail.refresh().catch(() => undefined)); // or by the job
      await settleDemo(shop.deps, { wanted: config.shopDemo, isReadOnly: config.readOnly });
      await carryOverCategories(shop.deps);
      await shop.catalogue.load();
      onClose(() =>
        shop.views
          .flush()
          .catch((error: unknown) => log.warn("Product views could not be stored", { error })),
      );
      const processFacts = createProcessFacts(base.clock);
      onClose(processFacts.stop);
      const book = createJobBook(clock);
      return {
        app: createApp(base, shop, {
          book,
          processFacts,
          assets: await loadPageAssets(),
          consoleAssets: await loadConsoleAssets("shop"),
          center: hasAccounts ? await openAccountCenter(base, "shop") : undefined,
        }),
        jobs: [...listJobs(shop, isShared), ...mail.jobs, ...blobs.jobs],
        scrubs: [blobs.scrub],
        book,
        // The listener waits for what is under way.
        endStreams: () => {
          shop.chat.close();
          shop.watch.close();
          shop.imports.close();
          blobs.endJobs();
        },
      };
    },
  });
