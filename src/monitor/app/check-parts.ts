/** The parts of checks, made together. */
import type { Bus } from "../../bus/bus.ts";
import { lookUpAll } from "../../kit/outbound/look-up.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { SampleLog } from "../../store/series/samples/samples.ts";
import type { Store } from "../../store/store.ts";
import { CheckHistory } from "../checks/check-history.ts";
import { type ChecksDeps, Checks, listChecks } from "../checks/checks.ts";
import type { Directory } from "../checks/directory.ts";
import { openTarget } from "../checks/target-secrets.ts";
import type { Prober } from "../checks/prober.ts";
import { CheckRows } from "../checks/run/check-rows.ts";
import { Keeper } from "../checks/run/keeper.ts";
import { type Anchor, OwnNetwork, isNetworkFault } from "../checks/run/own-network.ts";
import { Runner } from "../checks/run/runner.ts";
import { Sharing } from "../checks/run/sharing.ts";
import { StandingWriter } from "../checks/run/standing-writer.ts";
import { CheckWatch, toIsUp } from "../checks/run/watch.ts";
import { CENTER, type CheckRecord } from "../checks/schema.ts";
import { type CheckSeries, findCheckSeries, listCheckSeries, toSeriesId } from "../checks/series.ts";
import { ShownChecks } from "../checks/shown-checks.ts";
import { ShownUptime } from "../checks/shown-uptime.ts";
import { Timeline } from "../checks/timeline.ts";
import type { CheckDirectory, CheckIntake } from "../checks/standings.ts";
import type { Nodes } from "../cluster/cluster.ts";
import type { History } from "../history/history.ts";
import type { ServerRecord } from "../base/schema.ts";
import type { KeyedServer } from "../base/server-key.ts";
import { type ContainerSources, judgeContainer } from "./container-check.ts";

/** How checks ask the world; for tests. */
export interface CheckOptions {
  /** Runs checks from here; without it, none run. */
  readonly probe?: Prober;
  /** Hosts that must answer, be it with a refusal, while the monitor's own network is there. */
  readonly anchors?: readonly Anchor[];
  /** Default: what the system says. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** 0 to 1. */
  readonly random?: () => number;
  readonly defer?: (work: () => void, ms: number) => () => void;
}

export interface CheckPartsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly bus: Bus;
  readonly samples: SampleLog;
  readonly notify: { readonly box: SecretBox };
  readonly history: History;
  readonly nodes: Nodes;
  readonly publicSnapshot: {
    findRecord(id: string): (KeyedServer & Pick<ServerRecord, "name" | "disabled">) | undefined;
  };
  readonly live: ContainerSources["live"];
  readonly checking?: CheckOptions | undefined;
  /** The checks and their states. */
  readonly directory: Directory;
  /** End of the planned maintenance that a check is in, epoch milliseconds. */
  readonly maintenanceUntil: (record: CheckRecord) => number | undefined;
  /** Called when the first check is created, in the same transaction. */
  readonly onCreate?: ChecksDeps["onCreate"];
  readonly parents?: ChecksDeps["parents"];
}

/** A witness that does not answer within this time does not answer. */
const WITNESS_MS = 5_000;

const asksNobody: Prober = async () => ({ fault: "unsupported", detail: "This process does not run checks" });

function deferByTimer(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

function createOwnNetwork(
  { clock, log, checking = {} }: CheckPartsDeps,
  parts: { readonly probe: Prober; readonly runner: () => Runner },
): OwnNetwork {
  const { anchors = [], resolve = lookUpAll } = checking;
  return new OwnNetwork({
    clock,
    log,
    anchors,
    resolve,
    witnesses: () => parts.runner().witnesses(),
    ask: async (target) => {
      const { signal } = new AbortController();
      const { fault } = await parts.probe(target, { timeoutMs: WITNESS_MS, signal });
      return !isNetworkFault(fault) && fault !== "forbidden" && fault !== "unsupported";
    },
  });
}

/** Running and judging checks. */
function createWatch(
  deps: CheckPartsDeps,
  parts: {
    readonly directory: Directory;
    readonly probe: Prober;
    readonly timeline: Timeline;
    readonly findSeries: (id: string) => CheckSeries | undefined;
  },
): { readonly watch: CheckWatch; readonly network: OwnNetwork } {
  const { store, clock, log, bus, nodes, checking = {} } = deps;
  const { box } = deps.notify;
  const { directory, probe, findSeries, timeline } = parts;
  const { random = Math.random, defer = deferByTimer } = checking;
  const writer = new StandingWriter({ store, lease: nodes.lease, onEvent: (id) => timeline.noteWritten(id) });
  const rows = new CheckRows({ ...deps, findSeries });
  const sharing = new Sharing({
    bus,
    hasPeers: () => nodes.peers().length > 0,
    term: () => nodes.lease.term,
    standings: () => directory.kept(),
    onStanding: (standing) => directory.take(standing),
    onTries: (serverId, tries) => watch.takeTriesOfOthers(serverId, tries),
  });
  const keeper = new Keeper({
    clock,
    directory,
    onStore: (standing, isOtherState) => writer.add(standing, isOtherState),
    onTake: (standing) => sharing.touch(standing),
  });
  const network = createOwnNetwork(deps, { probe, runner: () => runner });
  const runner: Runner = new Runner({
    clock,
    log,
    probe,
    network,
    random,
    defer,
    openTarget: (record) => openTarget(box, record),
    findStanding: (id) => directory.findStanding(id),
    onOutcome: (record, outcome) => {
      const standing = keeper.take(record, outcome);
      if (standing === undefined) return undefined;
      const { at, latencyMs } = outcome;
      rows.note(findSeries(toSeriesId(record.id, CENTER)), { at, isUp: toIsUp(standing), latencyMs });
      return standing;
    },
  });
  const running = { directory, keeper, writer, runner, rows, sharing, network, findSeries, random };
  const watch: CheckWatch = new CheckWatch({ store, clock, log, ...running, isLeader: () => nodes.isLeader });
  return { watch, network };
}

export function createCheckParts(deps: CheckPartsDeps) {
  const { store, clock, history, publicSnapshot, directory, onCreate, parents } = deps;
  const { box } = deps.notify;
  const findServer = (id: string) => publicSnapshot.findRecord(id);
  const { probe: probeTarget = asksNobody } = deps.checking ?? {};
  const probe: Prober = async (target, options) =>
    target.kind === "container" ? judgeContainer(target, deps) : probeTarget(target, options);
  const findRecord = (id: string) => directory.findRecord(id);
  const findCheck = (id: string) => findCheckSeries(id, { findRecord, findServer });
  const timeline = new Timeline({ store, clock, isLeader: () => deps.nodes.isLeader });
  const { watch, network } = createWatch(deps, { directory, probe, timeline, findSeries: findCheck });
  const checkDirectory: CheckDirectory = directory;
  const checkHistory = new CheckHistory({ history, directory, clock });
  const shownUptime = new ShownUptime({ history: checkHistory, clock });
  const checkIntake: CheckIntake = watch;
  return {
    checks: new Checks({ store, clock, box, probe, onCreate, parents }),
    /** Every check with its state. */
    checkDirectory,
    /** Receives results of agents and heartbeats. */
    checkIntake,
    /** Opens what checks keep sealed. */
    checkBox: box,
    /** Tries checks and judges them; the service calls it. */
    checkWatch: watch,
    checkTimeline: timeline,
    checkHistory,
    /** The checks of the dashboard, and their uptime. */
    shownChecks: new ShownChecks({ directory, maintenanceUntil: deps.maintenanceUntil }),
    shownUptime,
    /** Whether the monitor's own network was found away last. */
    isNetworkAway: (): boolean => network.isAwayNow,
    /** The series of the history that are of checks. */
    findCheckSeries: findCheck,
    listCheckSeries: async (): Promise<readonly CheckSeries[]> =>
      listCheckSeries(await store.read(listChecks), { findServer }),
    /** Reloads the checks from the store. */
    reloadChecks: async (): Promise<void> => {
      const { changed: others, gone } = directory.reload(await store.read(listChecks));
      for (const { id } of gone) timeline.noteGone(id);
      shownUptime.drop(gone.map(({ id }) => id));
      for (const record of gone)
        for (const series of listCheckSeries([record], { findServer })) history.drop(series.id, series);
      watch.review(others, gone);
    },
  };
}
