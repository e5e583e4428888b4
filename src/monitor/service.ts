/** Puts the monitor together: its storage, its listeners, its timers, and its stop. */
import { createDocumentation, loadPageAssets, loadWebAssets } from "../kit/http/web-assets.ts";
import { createAgentStream, maxStreams } from "./ingest/agent-stream.ts";
import { type Feed, createFeed } from "./fleet/feed.ts";
import { createMonitorApp } from "./app/app.ts";
import type { Monitor } from "./app/monitor.ts";
import { connectPath } from "./proto/codec.ts";
import type { SettingsFields } from "./base/schema.ts";
import type { GrpcListener, GrpcOptions } from "../runtime/runtime.ts";
import { listConsoles } from "../service/consoles.ts";
import { toAppOptions } from "../service/http.ts";
import { loadInstall } from "./service-downloads.ts";
import { VERSION } from "../version.ts";
import { isSocketAddress } from "../kit/text/socket-address.ts";
import { toUrlHost } from "../kit/outbound/places.ts";
import { createExamination } from "../service/doctor/doctor.ts";
import { openMonitor } from "./service-storage.ts";
import type { ServiceContext, StartService } from "../service/service.ts";
import type { Job } from "../service/jobs.ts";
import { runService } from "../service/run.ts";
import { monitorCollections, monitorSecretCheck } from "./app/records.ts";

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

function startGrpc(
  context: ServiceContext,
  parts: { monitor: Monitor; tls: Pick<GrpcOptions, "tls"> },
): Promise<GrpcListener> {
  const { config, runtime, clock, log } = context;
  return runtime.serveGrpc({
    hostname: config.host,
    port: config.grpc.port,
    socketMode: config.socketMode,
    ...parts.tls,
    methods: { [connectPath]: createAgentStream({ ingest: parts.monitor.ingest, clock, log }) },
    maxMessageBytes: MAX_MESSAGE_BYTES,
    maxStreams,
    keepaliveMs: KEEPALIVE_MS,
    keepaliveTimeoutMs: KEEPALIVE_TIMEOUT_MS,
    onEvent: ({ level, message }) => log[level](message),
  });
}

/** Servers that the doctor names. */
const MAX_NAMED = 10;

async function assertHealthy(grpc: GrpcListener): Promise<void> {
  if (!grpc.healthy) throw new Error("The gRPC listener is down");
}

/** Servers that are watched, and those of them that never sent a report that was accepted. */
function countSilent({ publicSnapshot, live }: Pick<Monitor, "publicSnapshot" | "live">) {
  const watched = publicSnapshot.records().filter(({ disabled }) => !disabled);
  const silent = watched.filter(({ id }) => live.get(id).reportsStored === 0);
  return {
    servers: watched.length,
    silent: silent.slice(0, MAX_NAMED).map(({ name }) => name),
    silentCount: silent.length,
  };
}

function listJobs(
  monitor: Monitor,
  feed: Feed,
  options: { snapshotIntervalMs: () => number; onSettings: (settings: SettingsFields) => void },
): Job[] {
  const follow = async (): Promise<void> => {
    if (await monitor.follow()) options.onSettings(await monitor.settings.read());
  };
  // Other nodes show what they receive after a flush.
  const flushMs = monitor.nodes.isShared ? 60_000 : 600_000;
  return [
    { name: "follow", everyMs: () => 1_000, run: follow },
    { name: "presence", everyMs: () => 1_000, run: () => monitor.tick() },
    { name: "alerts", everyMs: () => 1_000, run: () => monitor.alerts.tick() },
    { name: "groups", everyMs: () => 1_000, run: () => monitor.groups.tick() },
    { name: "heartbeats", everyMs: () => 1_000, run: () => monitor.heartbeats.watch.tick() },
    { name: "feed", everyMs: options.snapshotIntervalMs, run: () => feed.tick() },
    { name: "viewers", everyMs: () => 10_000, run: () => feed.review(monitor.rightOf) },
    { name: "pings", everyMs: () => 1_000, run: () => feed.checkPongs() },
    { name: "leader lease", everyMs: () => 1_000, run: () => monitor.renewLease() },
    { name: "status pages", everyMs: () => 5_000, run: () => monitor.status.tick() },
    { name: "bars of status pages", everyMs: () => 300_000, run: () => monitor.status.uptime.refresh() },
    { name: "posts of alerts", everyMs: () => 2_000, run: () => monitor.alertPosts.follow() },
    { name: "followers", everyMs: () => 1_000, run: () => monitor.followers.tick() },
    { name: "checks", everyMs: () => 200, run: () => monitor.checkWatch.tick() },
    { name: "standings of checks", everyMs: () => 1_000, run: () => monitor.checkWatch.keep() },
    { name: "notices", everyMs: () => 1_000, run: () => monitor.notices.tick() },
    { name: "samples", everyMs: () => 5_000, run: () => monitor.maintain() },
    { name: "history", everyMs: () => 20_000, run: () => monitor.history.maintain() },
    { name: "parts", everyMs: () => 20_000, run: async () => monitor.parts?.maintain() },
    // Until then, the checkpoint of the sample log has what the store lacks.
    { name: "usage", everyMs: () => flushMs, run: () => monitor.usage.flush() },
    { name: "usage of other nodes", everyMs: () => 1_000, run: () => monitor.usage.catchUp() },
    { name: "sweep", everyMs: () => 60_000, run: () => monitor.sweep() },
  ];
}

/**
 * Leaves the cluster: publishes what agents sent until their streams ended, answers handover questions until then, and
 * says goodbye. A connection that does not end delays this only as long as peers wait for a silent node.
 */
async function leaveNodes({ nodes, heartbeats }: Monitor, drained: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS);
  });
  // Another node becomes the leader at once: this one stops watching.
  await Promise.all([nodes.stepDown(), Promise.race([drained.catch(() => undefined), late])]);
  clearTimeout(timer);
  heartbeats.watch.close();
  await nodes.close();
}

/** Starts the monitor. Throws when a port is taken, the data folder is in use, or a file is damaged. */
export const startMonitor: StartService = async (context) => {
  const tls = await readTls(context);
  return runService(context, {
    name: "monitor",
    collections: monitorCollections,
    secretCheck: monitorSecretCheck,
    open: async (base) => {
      const { config, runtime, clock, onClose } = base;
      const { monitor, scrubs } = await openMonitor(base);
      const feed = createFeed({
        countAlerts: monitor.countAlerts,
        checksRevision: (audience) => monitor.shownChecks.revision(audience),
        publicSnapshot: monitor.publicSnapshot,
        clock,
        upgradeWebSocket: runtime.upgradeWebSocket,
        limits: { maxViewersPerAddress: config.viewersPerAddress },
      });
      monitor.access.onChange(() => {
        feed
          .review(monitor.rightOf)
          .catch((error: unknown) =>
            context.log.warn("The access of viewers could not be rechecked", { error }),
          );
      });
      // Agents and viewers are taken when this node knows what the others know.
      await monitor.nodes.join();
      const grpc = await startGrpc(base, { monitor, tls });
      let drained: Promise<void> | undefined;
      const closeGrpc = (graceMs: number): Promise<void> => (drained ??= grpc.close({ graceMs }));
      onClose(() => closeGrpc(0).catch(() => undefined));
      let settings: SettingsFields = await monitor.settings.read();
      const onSettings = (changed: SettingsFields): void => {
        settings = changed;
      };
      const checks = { store: () => monitor.check(), grpc: () => assertHealthy(grpc) };
      base.observer.watchAgents(async () => countSilent(monitor));
      const app = createMonitorApp(monitor, {
        ...toAppOptions(base, "monitor", { checks }),
        assets: await loadWebAssets(),
        pageAssets: await loadPageAssets(),
        documentation: createDocumentation(),
        consoles: listConsoles(context),
        install: await loadInstall({ version: VERSION, log: context.log }),
        feed,
        notifyPrivate: config.notifyPrivate,
        checksPrivate: config.checksPrivate,
        backups: base.backups,
        examine: createExamination(context),
        hasDatabase: config.databaseUrl !== undefined,
        grpcPort: () => grpc.port,
        grpcTls: tls.tls !== undefined,
        publicGrpc: config.publicGrpc,
        onSettings,
      });
      const { port } = config.grpc;
      const place = isSocketAddress(port) ? port : `${toUrlHost(config.host)}:${grpc.port}`;
      const agents = `${place}${tls.tls === undefined ? "" : " with TLS"}`;
      return {
        app,
        ownsHost: (host) => monitor.status.board.findSlugOfHost(host) !== undefined,
        jobs: listJobs(monitor, feed, { onSettings, snapshotIntervalMs: () => settings.snapshotIntervalMs }),
        scrubs,
        ports: { grpc: isSocketAddress(port) ? port : grpc.port },
        addresses: [`         agents (gRPC)   ${agents}`],
        drain: (graceMs) => {
          // Received reports are stored and acknowledged, then the agents' streams end with UNAVAILABLE.
          monitor.registry.shutDown();
          feed.close();
          const ended = closeGrpc(graceMs);
          return [leaveNodes(monitor, ended), ended];
        },
      };
    },
  });
};
