/** Builds the parts of the monitor over a store and a sample log, and wires them together. */
import type { Bus } from "../../bus/bus.ts";
import { auditCollection } from "../../records/audit-chain.ts";
import { withAuditKey } from "../../records/audit-key.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { coalesce } from "../../kit/limits/coalesce.ts";
import type { Log } from "../../kit/observe/log.ts";
import { type LimitSource, createLocalLimits } from "../../bus/shared-limit.ts";
import type { RollupStore } from "../../store/series/rollups/rollups.ts";
import type { SampleLog } from "../../store/series/samples/samples.ts";
import { observeStore } from "../../store/observed-store.ts";
import type { Store } from "../../store/store.ts";
import { Access } from "../access/access.ts";
import { type AccessDeps, createAccessParts } from "../access/access-parts.ts";
import { type AgentRegistry, createAgentRegistry } from "../ingest/agent-registry.ts";
import { countBySeverity } from "../alerts/incidents.ts";
import { type Alerts, createAlerts } from "../alerts/alerts.ts";
import { parents } from "../alerts/parents.ts";
import type { WatchedRef } from "../alerts/kinds/watched.ts";
import { addCheckRules, findRulesOfChannel } from "../alerts/rules.ts";
import { type Heartbeats, createHeartbeats } from "../heartbeats/heartbeats.ts";
import { findReminderDate } from "../fleet/billing.ts";
import { createPlaceParts } from "../places/place-parts.ts";
import { type PublicSnapshot, createPublicSnapshot } from "../fleet/snapshot.ts";
import { type NotifyDeps, createNotifying } from "../channels/notifying.ts";
import { takeRecords, withFreshRecords } from "./taken-records.ts";
import { createUpkeep } from "./upkeep.ts";
import { type Usage, createUsage } from "../usage/usage.ts";
import { createUptimeAnswers } from "../fleet/uptime-answers.ts";
import { Enrolments } from "../ingest/enrolments.ts";
import { type DiskUse, addDiskUse } from "../history/sizes.ts";
import { createHandover } from "../ingest/handover.ts";
import { type History, createHistory } from "../history/history.ts";
import { createPostedReports } from "../ingest/posted-reports.ts";
import { type Ingest, type IngestDeps, createIngest } from "../ingest/ingest.ts";
import { type Live, createLive } from "../fleet/live.ts";
import type { CheckWatch } from "../checks/run/watch.ts";
import { Directory } from "../checks/directory.ts";
import type { CheckDirectory, CheckIntake } from "../checks/standings.ts";
import { GroupWatch } from "../alerts/group-watch.ts";
import type { Scoped } from "../alerts/evaluate.ts";
import { type CheckOptions, createCheckParts } from "./check-parts.ts";
import { clearDefaultDays } from "../checks/default-days.ts";
import type { CheckSeries } from "../checks/series.ts";
import { createPartHistory } from "../parts/part-history.ts";
import { Parts } from "../parts/parts.ts";
import { Maintenance } from "../maintenance/maintenance.ts";
import { type Nodes, createNodes } from "../cluster/cluster.ts";
import type { ServerRecord } from "../base/schema.ts";
import type { CheckRecord } from "../checks/schema.ts";
import { type Servers, createServers } from "../fleet/servers.ts";
import { type MailEnvironment, createMailServers } from "../channels/mail-server.ts";
import { type PublicAddress, SiteAddress } from "../base/public-url.ts";
import { type Settings, createSettings } from "../site/settings.ts";
import { posts } from "../status/records.ts";
import { createFollowerParts } from "../status/followers/followers.ts";
import { AlertPosts } from "../status/from-alerts/alert-posts.ts";
import { createStatusParts } from "../status/status-parts.ts";
import type { ServerFacts } from "../fleet/server-view.ts";

export interface MonitorDeps extends AccessDeps {
  readonly store: Store;
  /** Joins the processes that serve the monitor; a local one for a process that runs alone. */
  readonly bus: Bus;
  readonly samples: SampleLog;
  /** Keeps the history beyond single reports; its tiers are those of `history/tiers.ts`. */
  readonly rollups: RollupStore;
  /** The same of parts of servers, with the tiers of `parts/part-history.ts`; without it, they have no history. */
  readonly partRollups?: RollupStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Limits by address; without it they count in this process alone. */
  readonly limits?: LimitSource;
  /** Dependencies for sending notifications. */
  readonly notify: NotifyDeps;
  /** The mail server of the environment, if any. */
  readonly mailEnvironment?: MailEnvironment;
  /** How checks are run; without it, none are. */
  readonly checking?: CheckOptions;
  /** Distinguishes this start of the process from others, in entity tags. */
  readonly instance: string;
  /** With it, `/ping/<key>/<slug>` names heartbeats. */
  readonly pingKey?: string | undefined;
  /** Where people reach the service, unless the settings say so. */
  readonly publicUrl?: string | undefined;
  /** Its base path, such as "/status"; without it, the root. */
  readonly basePath?: string;
  /** How long agents and charts wait for what other nodes know. Default 300 ms. */
  readonly answerTimeoutMs?: number;
}

/** Series of checks for the history. */
interface SeriesOfChecks {
  findCheckSeries(id: string): CheckSeries | undefined;
  listCheckSeries(): Promise<readonly CheckSeries[]>;
}

/** Facts shown of servers. The public snapshot shows usage, and usage asks the snapshot for records. */
function createServerFacts(
  { store, clock, bus, rollups, instance, publicUrl, basePath = "" }: MonitorDeps,
  parts: { live: Live; maintenance: Maintenance; checkDirectory: CheckDirectory },
) {
  const { live, maintenance, checkDirectory } = parts;
  const directory = {
    findRecord: (id: string): ServerRecord | undefined => publicSnapshot.findRecord(id),
    records: (): readonly ServerRecord[] => publicSnapshot.records(),
  };
  const usage = createUsage({ store, clock, bus, origin: rollups.origin, live, directory });
  const traffic = (record: ServerRecord): ServerFacts["traffic"] => usage.traffic(record);
  const maintenanceUntil = (record: ServerRecord): number | undefined => maintenance.findEnd(record);
  const publicSnapshot = createPublicSnapshot({ clock, live, traffic, maintenanceUntil, instance });
  const findWatched = ({ serverId = "", checkId }: WatchedRef): ServerRecord | CheckRecord | undefined =>
    checkId === undefined ? publicSnapshot.findRecord(serverId) : checkDirectory.findRecord(checkId);
  return {
    publicSnapshot,
    usage,
    /** Where people reach the monitor. */
    address: new SiteAddress(publicUrl, basePath),
    /** When the planned maintenance that a server or check is in ends, epoch milliseconds. */
    findMaintenanceEnd: (ref: WatchedRef) => maintenance.findEnd(findWatched(ref)),
    findWatched,
    uptimeAnswers: createUptimeAnswers({ usage, publicSnapshot, clock, instance }),
    factsOf: (record: ServerRecord): ServerFacts => ({
      live: live.get(record.id),
      traffic: traffic(record),
      maintenanceUntil: maintenanceUntil(record),
      now: clock.now(),
    }),
  };
}

async function openHistory(
  { clock, log, rollups, bus, answerTimeoutMs }: MonitorDeps,
  parts: {
    publicSnapshot: PublicSnapshot;
    settings: Settings;
    servers: Servers;
    nodes: () => Nodes;
    checks: () => SeriesOfChecks;
  },
): Promise<History> {
  const { publicSnapshot, settings, servers } = parts;
  const peers = (): readonly string[] => parts.nodes().reachable();
  const { rawRetentionMinutes, retention } = await settings.read();
  return createHistory({
    clock,
    log,
    rollups,
    retention,
    createdAt: (id) => (publicSnapshot.findRecord(id) ?? parts.checks().findCheckSeries(id))?.createdAt,
    rawMs: rawRetentionMinutes * 60_000,
    // A report each second, the shortest interval of an agent.
    maxPoints: rawRetentionMinutes * 60,
    nodes: {
      bus,
      peers,
      timeoutMs: answerTimeoutMs,
      listServers: async () => [...(await servers.listAll()), ...(await parts.checks().listCheckSeries())],
    },
  });
}

/** The parts of servers; undefined without a place for their history. */
async function openParts(
  { store, clock, log, partRollups, bus, answerTimeoutMs }: MonitorDeps,
  given: { publicSnapshot: PublicSnapshot; settings: Settings; servers: Servers; nodes: () => Nodes },
): Promise<Parts | undefined> {
  if (partRollups === undefined) return undefined;
  const { publicSnapshot, settings, servers } = given;
  const history = createPartHistory({
    clock,
    log,
    rollups: partRollups,
    retention: (await settings.read()).retention,
    createdAt: (id) => publicSnapshot.findRecord(id)?.createdAt,
    nodes: {
      bus,
      peers: () => given.nodes().reachable(),
      timeoutMs: answerTimeoutMs,
      listServers: () => servers.listAll(),
    },
  });
  return new Parts({ store, clock, log, history });
}

/** Alerts, and the channels that carry their notifications. */
function createAlerting(
  { store, clock, log, notify, mailEnvironment }: MonitorDeps,
  parts: {
    live: Live;
    publicSnapshot: PublicSnapshot;
    usage: Usage;
    settings: Settings;
    nodes: Nodes;
    maintenance: Maintenance;
    address: PublicAddress;
    checkDirectory: CheckDirectory;
    checkIntake: CheckIntake;
    checkWatch: CheckWatch;
  },
) {
  const { checkWatch } = parts;
  const { live, publicSnapshot, usage, settings, nodes, maintenance, address, checkDirectory } = parts;
  const notifying = createNotifying({
    store,
    clock,
    log,
    ...notify,
    findRules: findRulesOfChannel,
    isSender: () => nodes.isLeader,
  });
  const judging = {
    clock,
    canJudge: (serverId: string) => nodes.canJudge(serverId),
    isInMaintenance: (record: Scoped) => maintenance.findEnd(record) !== undefined,
  };
  const alerts = createAlerts({
    ...judging,
    store,
    live,
    directory: publicSnapshot,
    settings,
    facts: {
      traffic: (record) => usage.traffic(record),
      expiresAt: ({ billing }) => findReminderDate(billing),
    },
    notices: notifying.notices,
    lease: nodes.lease,
    address,
    checks: checkDirectory,
    canJudgeChecks: () => checkWatch.isCurrent,
  });
  const groups = new GroupWatch({ ...judging, ...parts, ...alerts });
  const environment = mailEnvironment ?? {};
  const mailServers = createMailServers({ store, clock, settings, box: notify.box, environment });
  return { ...notifying, mailServers, maintenance, alerts, groups };
}

/** The other processes on the same store; a process that runs alone has none, and leads. */
function joinNodes(
  deps: MonitorDeps,
  parts: {
    live: Live;
    registry: AgentRegistry;
    publicSnapshot: PublicSnapshot;
    refresh: () => Promise<void>;
  },
): Nodes {
  const { log } = deps;
  const { live, registry, publicSnapshot, refresh } = parts;
  const onChangeSignal = (): void => {
    refresh().catch((error: unknown) => log.warn("Changes of another node could not be read yet", { error }));
  };
  return createNodes({ ...deps, live, registry, directory: publicSnapshot, onChangeSignal });
}

function createReporting(
  deps: MonitorDeps,
  {
    nodes,
    ...known
  }: Omit<IngestDeps, "samples" | "handover" | "claim" | "clock" | "log"> & { nodes: Nodes },
): Ingest {
  const { bus, answerTimeoutMs: timeoutMs } = deps;
  const handover = createHandover({ bus, peers: () => nodes.reachable(), timeoutMs });
  return createIngest({ ...deps, ...known, handover, claim: (id) => nodes.claim(id) });
}

/** Restores the state from before a restart, in the required order. */
async function bringBack(parts: {
  refresh: () => Promise<void>;
  checkWatch: CheckWatch;
  usage: Usage;
  ingest: Ingest;
  nodes: Nodes;
  alerts: Alerts;
  heartbeats: Heartbeats;
}): Promise<void> {
  await parts.refresh();
  await parts.checkWatch.load();
  await parts.usage.load();
  await parts.ingest.restore();
  await parts.heartbeats.watch.load();
  parts.nodes.start();
  await parts.alerts.load();
}

/** A store whose changes by administrators, which leave an audit entry, are known before they resolve. */
function observeChanges(
  { store, notify, log }: MonitorDeps,
  parts: () => { readonly nodes: Nodes; readonly refresh: () => Promise<void> },
): Store {
  const observed = observeStore(store, {
    collections: [auditCollection, posts],
    onCommit: () => {
      const { nodes, refresh } = parts();
      nodes.signalChange();
      return refresh();
    },
    onError: (error) => log.warn("Changes could not be read yet", { error }),
  });
  return withAuditKey(observed, notify.box);
}

/** Wires the monitor and brings back what it knew before a restart. Throws what the store throws. */
export async function createMonitor(given: MonitorDeps) {
  const deps = { ...given, store: observeChanges(given, () => ({ nodes, refresh })) };
  const { store, clock, limits = createLocalLimits(clock) } = deps;
  const live = createLive({ clock });
  const settings = createSettings({ store, clock });
  const maintenance = new Maintenance({ store, clock, settings });
  const checkDirectory = new Directory();
  const serverFacts = createServerFacts(deps, { live, maintenance, checkDirectory });
  const { publicSnapshot, usage, address } = serverFacts;
  const plainServers = createServers({ store, clock, parents });
  const later = { nodes: (): Nodes => nodes, checks: (): SeriesOfChecks => checkParts };
  const history = await openHistory(deps, { publicSnapshot, settings, servers: plainServers, ...later });
  const parts = await openParts(deps, { publicSnapshot, settings, servers: plainServers, ...later });
  const registry = createAgentRegistry({ clock, live });

  const access = new Access({ store, clock, settings: (await settings.read()).access });

  const refresh = coalesce(async () => {
    const fields = await settings.read();
    history.retain(fields.retention);
    parts?.take(fields);
    await access.take(fields.access);
    address.take(fields);
    followers.take(fields);
    const dropped = [live, history, usage, ingest, nodes, ...(parts === undefined ? [] : [parts])];
    takeRecords(await plainServers.listAll(), { publicSnapshot, registry, dropped });
    nodes.recordsChanged();
    await checkParts.reloadChecks();
    for (const part of [maintenance, alerts]) await part.reload();
    await status.reload(fields);
  });

  const nodes = joinNodes(deps, { live, registry, publicSnapshot, refresh });

  const maintenanceUntil = (record: CheckRecord): number | undefined => maintenance.findEnd(record);
  const judging = { history, nodes, publicSnapshot, directory: checkDirectory, maintenanceUntil };
  const checkParts = createCheckParts({ ...deps, ...judging, live, onCreate: addCheckRules, parents });
  const servers = withFreshRecords(plainServers, { refresh, publicSnapshot });
  const enrolments = new Enrolments({ store, clock, limits });
  const alerting = { live, ...serverFacts, settings, nodes, maintenance, address, ...checkParts };
  const { alerts, ...notifying } = createAlerting(deps, alerting);
  const status = createStatusParts(deps, { ...alerting, history });
  const followers = createFollowerParts({ ...deps, limits }, { ...alerting, ...notifying, status });
  const accessParts = createAccessParts({ ...deps, limits, access });
  const placeParts = createPlaceParts({ ...checkParts, live, publicSnapshot });
  const known = { ...checkParts, ...placeParts, publicSnapshot, registry };
  const ingest = createReporting(deps, { servers, live, history, usage, limits, nodes, parts, ...known });
  const posted = createPostedReports({ ingest, limits, clock });
  const heartbeats = createHeartbeats({ ...deps, limits, ...checkParts, nodes });
  await clearDefaultDays({ store, clock });
  await bringBack({ refresh, ...checkParts, usage, ingest, nodes, alerts, heartbeats });
  const watching = [alerts, notifying.notices, history, status, followers, heartbeats.watch];
  const swept = [enrolments, posted, accessParts.sessions, access, ...watching, checkParts.checkTimeline];
  return {
    store,
    /** Reads see the store; changes also reach the public list and the streams before they resolve. */
    servers,
    enrolments,
    ...accessParts,
    ...notifying,
    ...known,
    heartbeats,
    settings,
    live,
    ...serverFacts,
    alerts,
    status,
    followers,
    /** Posts of status pages about alerts. */
    alertPosts: new AlertPosts({ store, clock, status, alerts, nodes }),
    /** Open alerts by severity. */
    countAlerts: () => countBySeverity(alerts.firing()),
    history,
    /** The parts of servers, where they have a history. */
    parts,
    /** Disk usage of the history now, and at most with the current servers and settings. */
    historyUse: async (): Promise<DiskUse> =>
      addDiskUse(await history.diskUse(publicSnapshot.records().length), await parts?.diskUse()),
    ingest,
    posted,
    /** The other processes that serve this monitor. */
    nodes,
    ...createUpkeep(deps, { ...known, live, usage, nodes, refresh, swept }),
  };
}

/** All parts of a monitor; only what composes a service, its application and tests know them together. */
export type Monitor = Awaited<ReturnType<typeof createMonitor>>;
