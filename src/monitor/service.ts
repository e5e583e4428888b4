/** Puts the monitor together: its storage, its listeners, its timers, and its stop. */
import type { AuditUpkeep } from "../records/audit-upkeep.ts";
import type { Log } from "../kit/observe/log.ts";
import { type Metrics, createMetrics } from "../kit/observe/metrics.ts";
import { addProcessMetrics } from "../kit/observe/process-metrics.ts";
import { loadWebAssets } from "../kit/http/web-assets.ts";
import { createAgentStream, maxStreams } from "./ingest/agent-stream.ts";
import { type Feed, createFeed } from "./fleet/feed.ts";
import { createMonitorApp } from "./http/app.ts";
import type { Monitor } from "./monitor.ts";
import { connectPath } from "./proto/codec.ts";
import type { SettingsFields } from "./schema.ts";
import type { GrpcListener, GrpcOptions, Listener } from "../runtime/runtime.ts";
import { VERSION } from "../version.ts";
import { listAddresses, serveApp, toAppOptions } from "../service/http.ts";
import { toUrlHost } from "../service/local-url.ts";
import { openMonitor } from "./service-storage.ts";
import type { RunningService, ServiceContext } from "../service/service.ts";
import { type Job, startTimers } from "../service/jobs.ts";

/** Largest message of an agent. */
const MAX_MESSAGE_BYTES = 262_144;
/** A half-open stream is freed within the sum of these. */
const KEEPALIVE_MS = 20_000;
const KEEPALIVE_TIMEOUT_MS = 10_000;
/** How long a stop waits for streams before the goodbye; peers give a silent node up after 6 s. */
const DRAIN_MS = 5_000;

async function readTls(context: ServiceContext): Promise<Pick<GrpcOptions, "tls">> {
  const { tlsCertPath, tlsKeyPath } = context.config.grpc;
  if (tlsCertPath === undefined || tlsKeyPath === undefined) return {};
  const read = async (path: string, variable: string): Promise<string> => {
    try {
      return await context.runtime.readTextFile(path);
    } catch (cause) {
      throw new Error(`${variable} names "${path}", which cannot be read`, { cause });
    }
  };
  return {
    tls: { cert: await read(tlsCertPath, "GRPC_TLS_CERT"), key: await read(tlsKeyPath, "GRPC_TLS_KEY") },
  };
}

function describeAddresses(
  context: ServiceContext,
  ports: { http: number; grpc: number; tls: boolean },
): string[] {
  return [
    ...listAddresses(context, "monitor", ports.http),
    `         agents (gRPC)   ${toUrlHost(context.config.host)}:${ports.grpc}${ports.tls ? " with TLS" : ""}`,
  ];
}

function startGrpc(
  context: ServiceContext,
  parts: { monitor: Monitor; tls: Pick<GrpcOptions, "tls"> },
): Promise<GrpcListener> {
  const { config, runtime, clock, log } = context;
  return runtime.serveGrpc({
    hostname: config.host,
    port: config.grpc.port,
    ...parts.tls,
    methods: { [connectPath]: createAgentStream({ ingest: parts.monitor.ingest, clock, log }) },
    maxMessageBytes: MAX_MESSAGE_BYTES,
    maxStreams,
    keepaliveMs: KEEPALIVE_MS,
    keepaliveTimeoutMs: KEEPALIVE_TIMEOUT_MS,
    onEvent: ({ level, message }) => log[level](message),
  });
}

async function assertHealthy(grpc: GrpcListener): Promise<void> {
  if (!grpc.healthy) throw new Error("The gRPC listener is down");
}

async function startHttp(
  context: ServiceContext,
  parts: {
    monitor: Monitor;
    feed: Feed;
    grpc: GrpcListener;
    metrics: Metrics;
    onSettings: (settings: SettingsFields) => void;
  },
): Promise<Listener> {
  const { config } = context;
  const { monitor, feed, grpc, metrics, onSettings } = parts;
  const app = createMonitorApp(monitor, {
    ...toAppOptions(context, "monitor", {
      metrics,
      checks: { store: () => monitor.check(), grpc: () => assertHealthy(grpc) },
    }),
    assets: await loadWebAssets(),
    feed,
    publicUrl: config.publicUrl,
    grpcPort: () => grpc.port,
    grpcTls: config.grpc.tlsCertPath !== undefined,
    publicGrpc: config.publicGrpc,
    onSettings,
  });
  return serveApp(context, "monitor", app);
}

function startJobs(
  monitor: Monitor,
  feed: Feed,
  options: {
    log: Log;
    audit: AuditUpkeep;
    tokenWatch: readonly Job[];
    snapshotIntervalMs: () => number;
    onSettings: (settings: SettingsFields) => void;
  },
): () => Promise<void> {
  const follow = async (): Promise<void> => {
    if (await monitor.follow()) options.onSettings(await monitor.settings.read());
  };
  // Other nodes show what they are told after a flush.
  const flushMs = monitor.nodes.isShared ? 60_000 : 600_000;
  return startTimers(
    [
      { name: "follow", everyMs: () => 1_000, run: follow },
      { name: "presence", everyMs: () => 1_000, run: () => monitor.tick() },
      { name: "alerts", everyMs: () => 1_000, run: () => monitor.alerts.tick() },
      { name: "feed", everyMs: options.snapshotIntervalMs, run: () => feed.tick() },
      { name: "pings", everyMs: () => 1_000, run: () => feed.checkPongs() },
      { name: "leader lease", everyMs: () => 1_000, run: () => monitor.renewLease() },
      { name: "notices", everyMs: () => 1_000, run: () => monitor.notices.tick() },
      { name: "samples", everyMs: () => 5_000, run: () => monitor.maintain() },
      { name: "history", everyMs: () => 20_000, run: () => monitor.history.maintain() },
      // What the store lacks until then is in the checkpoint of the sample log.
      { name: "usage", everyMs: () => flushMs, run: () => monitor.usage.flush() },
      { name: "usage of other nodes", everyMs: () => 1_000, run: () => monitor.usage.catchUp() },
      { name: "sweep", everyMs: () => 60_000, run: () => monitor.sweep() },
      { name: "audit", everyMs: () => 60_000, run: () => options.audit.run() },
      ...options.tokenWatch,
    ],
    options.log,
  );
}

/**
 * Leaves the cluster: publishes what agents sent until their streams ended, answers handover questions until then, and
 * says goodbye. A connection that does not end delays this only as long as peers wait for a silent node.
 */
async function leaveNodes({ nodes }: Monitor, drained: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS);
  });
  // Another node becomes the leader at once: this one watches nothing any more.
  await Promise.all([nodes.stepDown(), Promise.race([drained.catch(() => undefined), late])]);
  clearTimeout(timer);
  await nodes.close();
}

/** Starts the monitor. Throws when a port is taken, the data folder is in use, or a file is damaged. */
export async function startMonitor(context: ServiceContext): Promise<RunningService> {
  const { runtime, clock, log } = context;
  const tls = await readTls(context);
  const { monitor, audit, tokenWatch, close } = await openMonitor(context);
  // Undone in the reverse order when a later step fails.
  const undo: (() => unknown)[] = [close];
  try {
    const metrics = createMetrics();
    const stopProcessMetrics = addProcessMetrics(metrics, clock);
    undo.unshift(stopProcessMetrics);
    const feed = createFeed({
      publicSnapshot: monitor.publicSnapshot,
      clock,
      upgradeWebSocket: runtime.upgradeWebSocket,
      limits: { maxViewersPerAddress: context.config.viewersPerAddress },
    });
    // Agents and viewers are taken when this node knows what the others know.
    await monitor.nodes.join();
    const grpc = await startGrpc(context, { monitor, tls });
    undo.unshift(() => grpc.close({ graceMs: 0 }));
    let settings: SettingsFields = await monitor.settings.read();
    const onSettings = (changed: SettingsFields): void => {
      settings = changed;
    };
    const http = await startHttp(context, { monitor, feed, grpc, metrics, onSettings });
    const stopJobs = startJobs(monitor, feed, {
      log,
      audit,
      tokenWatch,
      onSettings,
      snapshotIntervalMs: () => settings.snapshotIntervalMs,
    });
    log.info("Listening", { http: http.port, grpc: grpc.port, runtime: runtime.name, version: VERSION });
    return {
      addresses: describeAddresses(context, { http: http.port, grpc: grpc.port, tls: tls.tls !== undefined }),
      stop: async ({ graceMs }) => {
        await stopJobs();
        // What agents sent is stored and acknowledged, then their streams end with UNAVAILABLE.
        monitor.registry.shutDown();
        feed.close();
        const drained = grpc.close({ graceMs });
        const ends = [leaveNodes(monitor, drained), drained, http.close({ graceMs })];
        await Promise.allSettled(ends);
        stopProcessMetrics();
        await close();
        // A listener that could not be closed in order keeps nothing from being told and written.
        await Promise.all(ends);
      },
    };
  } catch (error) {
    for (const step of undo) await step();
    throw error;
  }
}
