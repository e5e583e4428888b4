/** How the whole shop fares, for administrators. */
import { outboxCollection } from "../../records/outbox-record.ts";
import type { Collection, ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { type ProviderStatus, listProviderStatus } from "../settings/provider-status.ts";
import { orders } from "../orders/records.ts";
import { readSite, readSmtp } from "../site/settings.ts";
import type { SmtpSettings } from "../site/schema.ts";
import { type SiteWarning, listSiteWarnings } from "../settings/warnings.ts";

/** A person waits for the answer. */
const CHECK_MS = 1_500;
/** Records that a store of files is advised to keep, and from where it is warned about. */
const ADVISED_RECORDS = 500_000;
const NEAR_ADVISED = 400_000;
/** Mails that wait longer than this while SMTP is on do not get through. */
const STUCK_MS = 15 * 60_000;

/** Facts that only the composition knows; absent ones are not shown. */
export interface StatusFacts {
  readonly runtime?: () => {
    readonly uptimeSeconds: number;
    readonly residentBytes: number;
    readonly heapUsedBytes: number;
    readonly eventLoopDelayMaxMs: number;
  };
  /** Resolves when the auth center answers. */
  readonly checkAuth?: () => Promise<void>;
  readonly jobs?: () => readonly {
    readonly name: string;
    readonly lastRunAt?: number;
    readonly lastError?: string;
  }[];
  readonly storeKind?: "files" | "postgresql";
  /** Such as "node 22.12.0". */
  readonly program?: string;
  /** Of the disk that the data folder is on. */
  readonly readDisk?: () => Promise<{ readonly freeBytes: number; readonly totalBytes: number }>;
  /** Whether there is a place for backups. */
  readonly hasBackups?: boolean;
  readonly readBackups?: () => Promise<{
    /** Epoch ms. */
    readonly lastAt: number | undefined;
    readonly nextAt: number | undefined;
    readonly failure: string | undefined;
  }>;
  /** Mails leave by a server of the environment while the settings name none. */
  readonly hasMailServer?: () => boolean;
}

/** Facts about backups and disk; missing ones are not shown. */
async function readSurroundings({ readDisk, readBackups, hasBackups }: StatusFacts) {
  const [disk, backups] = await Promise.all([
    readDisk?.().catch(() => undefined),
    readBackups?.().catch(() => undefined),
  ]);
  return { disk, backups, hasBackups };
}

type CheckResult = "ok" | "failing" | "unknown";

async function runCheck(check: (() => Promise<void>) | undefined): Promise<CheckResult> {
  if (check === undefined) return "unknown";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<CheckResult>((resolve) => {
    timer = setTimeout(() => resolve("failing"), CHECK_MS);
  });
  const done = check().then(
    (): CheckResult => "ok",
    (): CheckResult => "failing",
  );
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function readCounts(tx: ReadTx, collections: readonly Collection[], nowMs: number) {
  let records = 0;
  for (const collection of collections) records += await tx.count(collection);
  const count = (state: string): Promise<number> =>
    tx.count(outboxCollection, "byState", { prefix: [state] });
  const outbox = {
    waiting: await count("waiting"),
    failed: await count("failed"),
    sent: await count("sent"),
  };
  // Ids sort by the time of writing, so that the first of the state is the oldest.
  const [oldest] = (await tx.list(outboxCollection, "byState", { prefix: ["waiting"], limit: 1 })).items;
  return {
    records,
    outbox,
    hasStuckMail: oldest !== undefined && oldest.createdAt < nowMs - STUCK_MS,
    hasOrders: (await tx.list(orders, "id", { limit: 1 })).items.length > 0,
  };
}

function toProviderWarnings(providers: readonly ProviderStatus[]): SiteWarning[] {
  return providers.flatMap(({ word, clockSkewMs, isSilent }) => [
    ...(clockSkewMs === undefined
      ? []
      : [
          {
            code: "clock_skew",
            message: `The clocks of the shop and of "${word}" differ by ${Math.round(clockSkewMs / 1_000)} s. Check the shop's clock first (NTP): signed payment notifications are rejected beyond 300 s`,
          },
        ]),
    ...(isSilent
      ? [
          {
            code: "silent_provider",
            message: `Several orders of the last 7 days chose "${word}", but it has sent no payment notifications since. Check its webhook URL /api/webhooks/${word}-pay`,
          },
        ]
      : []),
  ]);
}

function toSmtp({ enabled, host }: SmtpSettings, hasOther: boolean) {
  const state = enabled ? "on" : hasOther ? "environment" : "off";
  return { state, host } as const;
}

/** Everything but the warnings, and what only they need. */
interface StatusDeps extends Pick<ShopDeps, "store" | "clock"> {
  /** Everything that the shop stores: its records are counted. */
  readonly collections: readonly Collection[];
}

async function readStatus({ store, clock, collections }: StatusDeps, facts: StatusFacts) {
  const nowMs = clock.now();
  const [storeStatus, auth, surroundings, view] = await Promise.all([
    runCheck(() => store.check()),
    runCheck(facts.checkAuth),
    readSurroundings(facts),
    store.read(async (tx) => {
      const site = await readSite(tx);
      return {
        site,
        smtp: await readSmtp(tx),
        counts: await readCounts(tx, collections, nowMs),
        providers: await listProviderStatus(tx, { site, nowMs }),
      };
    }),
  ]);
  const { records, outbox, ...seen } = view.counts;
  const status = {
    runtime: facts.runtime?.(),
    program: facts.program,
    ...surroundings,
    store: { status: storeStatus, records, kind: facts.storeKind },
    auth,
    smtp: toSmtp(view.smtp, facts.hasMailServer?.() ?? false),
    outbox,
    providers: view.providers,
    jobs: facts.jobs?.() ?? [],
  };
  return { status, site: view.site, ...seen };
}

function toWarnings({
  status,
  hasStuckMail,
  hasOrders,
}: Omit<Awaited<ReturnType<typeof readStatus>>, "site">): SiteWarning[] {
  const { store, auth, outbox, smtp } = status;
  const isFailing = outbox.failed > 0 || (hasStuckMail && smtp.state !== "off");
  const found: [boolean, string, string][] = [
    [
      store.status === "failing",
      "store_unavailable",
      "The database does not accept writes. Check the log and the disk",
    ],
    [
      auth === "failing",
      "auth_unavailable",
      "The auth center is unavailable: signed-in customers cannot be served, guests can",
    ],
    [
      smtp.state === "off" && hasOrders,
      "mail_off",
      "There are orders, but emails cannot be sent: buyers receive neither confirmations nor digital items by email. Set a mail server with PATCH /api/admin/smtp or SMTP_URL",
    ],
    [
      isFailing,
      "mails_failing",
      "Emails have failed or have been waiting for a long time. See GET /api/admin/smtp/outbox, and test the settings with POST /api/admin/smtp/test",
    ],
    [
      store.kind !== "postgresql" && store.records >= NEAR_ADVISED,
      "store_large",
      `The database has ${store.records} records. File storage is recommended for up to ${ADVISED_RECORDS}. Migrate to PostgreSQL (npm run migrate)`,
    ],
    [
      status.jobs.some(({ lastError }) => lastError !== undefined),
      "job_failing",
      "The last run of a background job failed: see jobs",
    ],
  ];
  const own = found.flatMap(([isTrue, code, message]) => (isTrue ? [{ code, message }] : []));
  return [...own, ...toProviderWarnings(status.providers)];
}

export type SystemStatus = Awaited<ReturnType<ReturnType<typeof createSystemStatus>>>;

/** Creates the status over a shop's store. */
export function createSystemStatus({ box, ...deps }: StatusDeps & Pick<ShopDeps, "box">, facts: StatusFacts) {
  return async () => {
    const { site, ...read } = await readStatus(deps, facts);
    return { ...read.status, warnings: [...toWarnings(read), ...listSiteWarnings(site, box)] };
  };
}
