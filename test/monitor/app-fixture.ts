/** A whole monitor without ports: store and sample log in memory, and every answer checked against the OpenAPI document. */
import type { Bus } from "../../src/bus/bus.ts";
import { createLocalBus } from "../../src/bus/local.ts";
import { hashSecret } from "../../src/kit/secrets/admin-token.ts";
import { createHealth } from "../../src/kit/observe/health.ts";
import { silentLog } from "../../src/kit/observe/log.ts";
import { createMetrics } from "../../src/kit/observe/metrics.ts";
import { createDocumentation, loadPageAssets, loadWebAssets } from "../../src/kit/http/web-assets.ts";
import type { AccountCenter } from "../../src/kit/outbound/account-center.ts";
import type { AccountCheck } from "../../src/monitor/access/account-check.ts";
import type { NotifyDeps } from "../../src/monitor/channels/notifying.ts";
import { type Feed, createFeed } from "../../src/monitor/fleet/feed.ts";
import { type MonitorAppOptions, createMonitorApp } from "../../src/monitor/app/app.ts";
import { type Monitor, createMonitor } from "../../src/monitor/app/monitor.ts";
import type { CheckOptions } from "../../src/monitor/app/check-parts.ts";
import type { MailEnvironment } from "../../src/monitor/channels/mail-server.ts";
import type { UpgradeWebSocket } from "../../src/runtime/runtime.ts";
import type { RollupStore } from "../../src/store/series/rollups/rollups.ts";
import { StoreError, type Store } from "../../src/store/store.ts";
import type { CheckpointEntry, SampleLog, SampleRow } from "../../src/store/series/samples/samples.ts";
import { createContract } from "../contract/openapi-contract.ts";
import { type FixedClock, createFixedClock } from "../support/fixed-clock.ts";
import { createTestNotify } from "./channels/notify-fixture.ts";
import { createTestRollups, createTestStore } from "./fixtures.ts";

export const ADMIN_TOKEN = "adm_test-token-of-the-suite";

/** A sample log in memory; `fail` makes it refuse rows, `hold` makes them wait until `release`. */
export interface TestSampleLog extends SampleLog {
  readonly rows: SampleRow[];
  failing: boolean;
  hold(): void;
  release(): void;
}

export function createTestSampleLog(
  kept: { rows: SampleRow[]; checkpoint: CheckpointEntry[]; isCovered?: boolean } = {
    rows: [],
    checkpoint: [],
  },
): TestSampleLog {
  let gate: Promise<void> | undefined;
  let open: () => void = () => undefined;
  const log: TestSampleLog = {
    rows: kept.rows,
    failing: false,
    hold: () => {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    release: () => {
      gate = undefined;
      open();
    },
    replay: async ({ onCheckpoint, onRow }) => {
      for (const entry of kept.checkpoint) onCheckpoint(entry);
      for (const row of kept.rows) onRow(row, 1, kept.isCovered ?? false);
      return { rows: kept.rows.length, segments: 1, checkpointEntries: kept.checkpoint.length };
    },
    append: async (row) => {
      await gate;
      await log.check();
      kept.rows.push({ ...row, values: Array.from(row.values) });
      return 1;
    },
    maintain: async () => undefined,
    roll: async () => undefined,
    check: async () => {
      if (log.failing) throw new StoreError("store_unavailable", "The disk is full");
    },
    close: async () => undefined,
  };
  return log;
}

export interface TestApp {
  readonly monitor: Monitor;
  readonly feed: Feed;
  readonly clock: FixedClock;
  readonly store: Store;
  readonly samples: TestSampleLog;
  /** Sends a request and checks the answer against the document. */
  fetch(path: string, init?: RequestInit & { from?: string }): Promise<Response>;
  /** Sends any request, such as for a page, which no document describes. */
  raw(path: string, init?: RequestInit & { from?: string; host?: string }): Promise<Response>;
  /** The same as administrator, with a JSON body. */
  admin(method: string, path: string, body?: unknown): Promise<Response>;
  document(): Promise<unknown>;
}

const noSockets: UpgradeWebSocket = () => {
  throw new Error("This test has no sockets");
};

export async function createTestApp(
  options: Partial<Omit<MonitorAppOptions, "clock">> & {
    upgradeWebSocket?: UpgradeWebSocket;
    store?: Store;
    samples?: TestSampleLog;
    notify?: NotifyDeps;
    mailEnvironment?: MailEnvironment;
    rollups?: RollupStore;
    /** Without it, parts of servers have no history. */
    partRollups?: RollupStore;
    bus?: Bus;
    checkAccount?: AccountCheck;
    center?: AccountCenter;
    clock?: FixedClock;
    checking?: CheckOptions;
    publicUrl?: string;
    pingKey?: string;
  } = {},
): Promise<TestApp> {
  const clock = options.clock ?? createFixedClock();
  const store = options.store ?? createTestStore();
  const samples = options.samples ?? createTestSampleLog();
  const rollups = options.rollups ?? createTestRollups(clock);
  const tokenHashes = [hashSecret(ADMIN_TOKEN)];
  const monitor = await createMonitor({
    store,
    bus: options.bus ?? createLocalBus("test"),
    samples,
    rollups,
    ...(options.partRollups === undefined ? {} : { partRollups: options.partRollups }),
    clock,
    log: options.log ?? silentLog,
    notify: options.notify ?? createTestNotify(),
    mailEnvironment: options.mailEnvironment ?? {},
    tokenHashes,
    checkAccount: options.checkAccount,
    center: options.center,
    publicUrl: options.publicUrl,
    pingKey: options.pingKey,
    ...(options.checking === undefined ? {} : { checking: options.checking }),
    instance: "test",
    // A machine that is busy must not look like a node that has nothing to tell.
    answerTimeoutMs: 30_000,
  });
  const feed = createFeed({
    publicSnapshot: monitor.publicSnapshot,
    countAlerts: monitor.countAlerts,
    checksRevision: (audience) => monitor.shownChecks.revision(audience),
    clock,
    upgradeWebSocket: options.upgradeWebSocket ?? noSockets,
  });
  const health = createHealth({ version: "0.0.0", clock, checks: { store: () => monitor.check() } });
  const app = createMonitorApp(monitor, {
    version: "0.0.0",
    assets: await loadWebAssets(),
    pageAssets: await loadPageAssets(),
    documentation: createDocumentation(),
    install: { listDownloads: async () => ({ items: [] }), script: "" },
    feed,
    log: silentLog,
    clock,
    metrics: createMetrics(),
    health,
    allowedOrigins: [],
    trustedProxies: [],
    metricsPublic: false,
    grpcPort: () => 50_051,
    onSettings: () => undefined,
    ...options,
  });
  const contract = createContract(app, "monitor");
  const raw: TestApp["raw"] = async (path, { from = "192.0.2.1", host = "localhost", ...init } = {}) =>
    app.fetch(new Request(`http://${host}${path}`, init), { remoteAddress: from });
  const send: TestApp["fetch"] = async (path, init = {}) => {
    const response = await raw(path, init);
    await contract.check({ method: init.method ?? "GET", path }, response.clone());
    return response;
  };
  return {
    monitor,
    feed,
    clock,
    store,
    samples,
    fetch: send,
    raw,
    admin: (method, path, body) =>
      send(path, {
        method,
        headers: {
          "x-admin-token": ADMIN_TOKEN,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    document: async () => (await app.request("/openapi.json")).json(),
  };
}
