/** The metrics of the fleet and of the monitor itself. */
import { earliestEnd } from "../../kit/probes/certificate-end.ts";
import type { Metrics, MetricsAudience, Reading } from "../../kit/observe/metrics.ts";
import { countBySeverity } from "../alerts/incidents.ts";
import type { Alerts } from "../alerts/alerts.ts";
import type { CheckDirectory } from "../checks/standings.ts";
import type { CheckRecord, CheckStanding } from "../checks/schema.ts";
import type { NoticeLog } from "../channels/notification-log.ts";
import type { Nodes } from "../cluster/cluster.ts";
import type { AgentRegistry } from "../ingest/agent-registry.ts";
import type { Ingest } from "../ingest/ingest.ts";
import type { Live } from "../fleet/live.ts";
import type { PublicSnapshot } from "../fleet/snapshot.ts";
import type { Feed } from "../fleet/feed.ts";
import { findNextExpiry } from "../fleet/billing.ts";
import { readLatest } from "../ingest/latest-sample.ts";
import { metrics as reportMetrics } from "../base/metric-table.ts";
import type { StoredMetricName } from "../base/metrics.ts";
import type { ServerRecord } from "../base/schema.ts";
import type { ServerFacts } from "../fleet/server-view.ts";

export interface Measured {
  readonly publicSnapshot: Pick<PublicSnapshot, "records" | "entries">;
  readonly live: Pick<Live, "get">;
  readonly factsOf: (record: ServerRecord) => ServerFacts;
  readonly checks: CheckDirectory;
  readonly alerts: Pick<Alerts, "firing" | "pending">;
  readonly notices: Pick<NoticeLog, "counts">;
  readonly nodes: Pick<Nodes, "peers" | "isLeader" | "isConnected">;
  readonly registry: Pick<AgentRegistry, "size">;
  readonly ingest: Pick<Ingest, "counts">;
  readonly feed: Pick<Feed, "viewers" | "sent">;
}

/** Servers that `audience` may know of: a hidden one is hidden here too. */
function findRecords(
  { publicSnapshot }: Pick<Measured, "publicSnapshot">,
  audience: MetricsAudience,
): readonly ServerRecord[] {
  return audience === "administrators"
    ? publicSnapshot.records()
    : publicSnapshot.entries().map(({ record }) => record);
}

function readFleet(monitor: Measured, metric: StoredMetricName, scale: number): Reading {
  return (audience) =>
    findRecords(monitor, audience).flatMap((record) => {
      const { latest, state } = monitor.live.get(record.id);
      const value = latest === undefined || state !== "online" ? undefined : readLatest(latest, metric);
      return value === undefined
        ? []
        : [{ labels: { server: record.id, name: record.name }, value: value * scale }];
    });
}

/** Usage and billing of a server, where known. */
const bookGauges: readonly {
  name: string;
  help: string;
  read: (record: ServerRecord, facts: ServerFacts) => number | undefined;
}[] = [
  {
    name: "trivet_server_traffic_used_bytes",
    help: "Traffic of the current cycle that counts towards the limit",
    read: (_record, { traffic }) => traffic.usedBytes,
  },
  {
    name: "trivet_server_traffic_limit_bytes",
    help: "Traffic limit of a cycle",
    read: (_record, { traffic }) => (traffic.limitBytes > 0 ? traffic.limitBytes : undefined),
  },
  {
    name: "trivet_server_expiry_timestamp_seconds",
    help: "Next end of the billing period",
    read: ({ billing }, { now }) => {
      const expiry = findNextExpiry(billing, now);
      return expiry === undefined ? undefined : expiry / 1_000;
    },
  },
];

function declareBookMetrics(metrics: Metrics, monitor: Measured): void {
  for (const { name, help, read } of bookGauges) {
    const readEach: Reading = (audience) =>
      findRecords(monitor, audience).flatMap((record) => {
        const value = read(record, monitor.factsOf(record));
        return value === undefined ? [] : [{ labels: { server: record.id, name: record.name }, value }];
      });
    metrics.gauge({ name, help, labels: ["server", "name"], read: readEach });
  }
}

/** One value for each check that is up, down or partial; none while its state is unknown. */
const checkGauges: readonly {
  name: string;
  help: string;
  read: (standing: CheckStanding) => number | undefined;
}[] = [
  {
    name: "trivet_check_up",
    help: "1 if the check is up, or down from some locations only; 0 if it is down",
    read: ({ state }) => (state === "down" ? 0 : state === "up" || state === "partial" ? 1 : undefined),
  },
  {
    name: "trivet_check_latency_seconds",
    help: "Response time of the last successful attempt, from the first location that has one",
    read: ({ places }) => {
      const latencyMs = places.find((place) => place.latencyMs !== undefined)?.latencyMs;
      return latencyMs === undefined ? undefined : latencyMs / 1_000;
    },
  },
  {
    name: "trivet_check_certificate_end_timestamp_seconds",
    help: "Expiry time of the last seen certificate",
    read: ({ certificate }) => (certificate === undefined ? undefined : earliestEnd(certificate) / 1_000),
  },
  {
    name: "trivet_check_domain_end_timestamp_seconds",
    help: "Expiry time of the domain, as its registry gave it last",
    read: ({ registration }) => registration && registration.expiresAt / 1_000,
  },
];

/** Checks are for administrators alone. */
function declareCheckMetrics(metrics: Metrics, { checks }: Measured): void {
  const labels = ["check", "name"];
  const each =
    (read: (standing: CheckStanding) => number | undefined): Reading =>
    (audience) =>
      audience === "everyone"
        ? []
        : checks.records().flatMap(({ id, name }: CheckRecord) => {
            const standing = checks.findStanding(id);
            const value = standing === undefined || standing.state === "paused" ? undefined : read(standing);
            return value === undefined ? [] : [{ labels: { check: id, name }, value }];
          });
  for (const { name, help, read } of checkGauges) metrics.gauge({ name, help, labels, read: each(read) });
  metrics.gauge({
    name: "trivet_checks",
    help: "Checks by state",
    labels: ["state"],
    read: () => {
      const counts = new Map<string, number>();
      for (const { id } of checks.records()) {
        const state = checks.findStanding(id)?.state ?? "unknown";
        counts.set(state, (counts.get(state) ?? 0) + 1);
      }
      return [...counts].map(([state, value]) => ({ labels: { state }, value }));
    },
  });
}

function declareAlertMetrics(metrics: Metrics, monitor: Measured): void {
  metrics.gauge({
    name: "trivet_alerts_firing",
    help: "Open incidents by severity",
    labels: ["severity"],
    read: () =>
      Object.entries(countBySeverity(monitor.alerts.firing())).map(([severity, value]) => ({
        labels: { severity },
        value,
      })),
  });
  metrics.gauge({
    name: "trivet_alerts_pending",
    help: "Pending alerts, which have not lasted long enough to fire",
    read: () => monitor.alerts.pending().length,
  });
  metrics.counterFrom({
    name: "trivet_notices",
    help: "Notifications by outcome",
    labels: ["result"],
    read: () => {
      const { sent, failed } = monitor.notices.counts;
      return [
        { labels: { result: "sent" }, value: sent },
        { labels: { result: "failed" }, value: failed },
      ];
    },
  });
  metrics.gauge({
    name: "trivet_notices_waiting",
    help: "Notifications waiting to be sent",
    read: () => monitor.notices.counts.waiting,
  });
}

function declareNodeMetrics(metrics: Metrics, { nodes }: Measured): void {
  metrics.gauge({
    name: "trivet_monitor_peers",
    help: "Other live nodes of the monitor known to this node",
    read: () => nodes.peers().length,
  });
  metrics.gauge({
    name: "trivet_monitor_leader",
    help: "1 on the node that evaluates alerts and sends notifications; the sum over all nodes is at most 1",
    read: () => (nodes.isLeader ? 1 : 0),
  });
  metrics.gauge({
    name: "trivet_monitor_bus_up",
    help: "1 if the bus to the other nodes is connected; always 1 for a single process",
    read: () => (nodes.isConnected ? 1 : 0),
  });
}

/** Declares what the monitor adds to the process's metrics. */
export function declareMonitorMetrics(metrics: Metrics, monitor: Measured): void {
  const labels = ["server", "name"];
  metrics.gauge({
    name: "trivet_server_up",
    help: "1 if the agent of the server reports",
    labels,
    read: (audience) =>
      findRecords(monitor, audience).map((record) => ({
        labels: { server: record.id, name: record.name },
        value: monitor.live.get(record.id).state === "online" ? 1 : 0,
      })),
  });
  for (const metric of reportMetrics) {
    if (!("exported" in metric)) continue;
    const { type, name, help } = metric.exported;
    const read = readFleet(monitor, metric.name, "scale" in metric.exported ? metric.exported.scale : 1);
    if (type === "gauge") metrics.gauge({ name, help, labels, read });
    else metrics.counterFrom({ name, help, labels, read });
  }
  declareBookMetrics(metrics, monitor);
  declareCheckMetrics(metrics, monitor);
  declareAlertMetrics(metrics, monitor);
  declareNodeMetrics(metrics, monitor);
  metrics.gauge({
    name: "trivet_agent_streams",
    help: "Open agent streams",
    read: () => monitor.registry.size,
  });
  metrics.gauge({
    name: "trivet_feed_viewers",
    help: "Connected viewers of the live feed",
    read: () => monitor.feed.viewers,
  });
  metrics.counterFrom({
    name: "trivet_feed_frames",
    help: "Frames sent to viewers",
    read: () => monitor.feed.sent.frames,
  });
  metrics.counterFrom({
    name: "trivet_feed_sent_bytes",
    help: "Bytes sent to viewers",
    read: () => monitor.feed.sent.bytes,
  });
  metrics.counterFrom({
    name: "trivet_reports",
    help: "Agent reports by outcome",
    labels: ["result"],
    read: () => {
      const { stored, repeated, rejected } = monitor.ingest.counts;
      return [
        { labels: { result: "stored" }, value: stored },
        { labels: { result: "repeated" }, value: repeated },
        { labels: { result: "rejected" }, value: rejected },
      ];
    },
  });
}
