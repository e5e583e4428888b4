/**
 * The alert service: takes up rules and records, makes one evaluation pass a second, stores its results together
 * with their notifications, and sends pending notifications when due.
 */
import { coalesce } from "../../kit/limits/coalesce.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { newId } from "../../kit/secrets/id.ts";
import { createKeyedQueue } from "../../kit/limits/keyed-queue.ts";
import type { Store } from "../../store/store.ts";
import type { PublicSnapshot } from "../fleet/snapshot.ts";
import type { Notices } from "../channels/notification.ts";
import type { Live } from "../fleet/live.ts";
import { type LeaderLease, LeaseLost, soleLease } from "../cluster/leader-lease.ts";
import type { ServerRecord, SettingsRecord } from "../schema.ts";
import type { PublicAddress } from "../site/public-address.ts";
import type { Settings } from "../site/settings.ts";
import { OK } from "./alert-machine.ts";
import type { AlertRuleRecord, IncidentRecord } from "./schema.ts";
import { type Closing, findEnd, isSameRules } from "./end-reasons.ts";
import type { AlertFacts } from "./kinds/kind.ts";
import { type IncidentLog, createIncidentLog, toOpenKey } from "./incident-log.ts";
import { toBeginning, toEnded, withDecision } from "./incident-edits.ts";
import { createIncidents } from "./incidents.ts";
import { type WordsOptions, toNotice, toWordsOptions } from "./notification-words.ts";
import { sendPending } from "./pending.ts";
import { type AlertEvent, type Evaluator, createEvaluator } from "./evaluation-pass.ts";
import { sendReminders } from "./reminders.ts";
import { createAlertRules, readPresentRules } from "./rules.ts";
import { createPolicyContext } from "./context.ts";
import {
  type PolicyContext,
  type NotificationPolicy,
  createNotificationPolicy,
} from "./notification-policy.ts";
import { type RuleState, type Watch, createWatch } from "./watch.ts";

export interface AlertsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly live: Pick<Live, "get" | "onChange">;
  /** The present records. */
  readonly directory: Pick<PublicSnapshot, "records" | "findRecord" | "recordsRevision">;
  readonly settings: Pick<Settings, "read">;
  readonly facts: AlertFacts;
  readonly notices: Notices;
  /** Only the leader writes and notifies; without a lease, this process does. */
  readonly lease?: LeaderLease;
  /** Whether the known state of a server is current; without it, always. */
  readonly canJudge?: (serverId: string) => boolean;
  /** Whether planned maintenance of a server goes on, in which nobody is notified; without it, never. */
  readonly isInMaintenance?: (record: ServerRecord) => boolean;
  /** Where people reach the service; without it, notices carry no link. */
  readonly address?: Pick<PublicAddress, "publicUrl">;
}

/** With several nodes, open incidents are read this often, to show what another node changed. */
const RELOAD_MS = 5_000;

class AlertService {
  readonly #deps: AlertsDeps;
  readonly #watch: Watch = createWatch();
  readonly #evaluator: Evaluator;
  readonly #lease: LeaderLease;
  readonly #incidentLog: IncidentLog;
  #policy: NotificationPolicy;
  /** The lease term under which rule states were matched with incidents. */
  #term: number | undefined;
  #loadedMs = -Infinity;
  #rules: readonly AlertRuleRecord[] = [];
  #settings: SettingsRecord | undefined;
  #recordsRevision = -1;
  #takenRules: readonly AlertRuleRecord[] | undefined;
  /** Whether open incidents must be compared with rules and records. */
  #isReviewDue = true;

  constructor(deps: AlertsDeps) {
    this.#deps = deps;
    this.#evaluator = createEvaluator({ ...deps, watch: this.#watch });
    this.#policy = createNotificationPolicy(deps);
    this.#lease = deps.lease ?? soleLease;
    this.#term = this.#lease.term;
    this.#incidentLog = createIncidentLog({ ...deps, lease: this.#lease });
    deps.live.onChange((id) => this.#evaluator.touch(id));
  }

  get incidentLog(): IncidentLog {
    return this.#incidentLog;
  }

  pending(): readonly RuleState[] {
    const isOpen = ({ rule, record }: RuleState): boolean =>
      this.#incidentLog.open.has(toOpenKey({ ruleId: rule.id, serverId: record.id }));
    // Where another node is the leader, what fires stays pending here.
    return [...this.#watch.pending].filter((ruleState) => !isOpen(ruleState));
  }

  async reload(): Promise<void> {
    const rules = await this.#deps.store.read(readPresentRules);
    if (!isSameRules(rules, this.#rules)) this.#rules = rules;
    this.#settings = await this.#deps.settings.read();
  }

  async load(): Promise<void> {
    if (this.#settings === undefined) await this.reload();
    this.#loadedMs = this.#deps.clock.monotonic();
    for (const incident of await this.#incidentLog.load()) {
      this.#policy.resume(incident);
      if (incident.state === "open") this.#evaluator.distrust(incident.serverId);
      this.#isReviewDue = true;
    }
  }

  /** Loads what another process without a bus left pending; with a bus the leader knows it all. */
  async loadAsLeader(): Promise<void> {
    if (this.#lease.term !== undefined && this.#lease.term === this.#term) await this.load();
  }

  async tick(): Promise<void> {
    if (this.#settings === undefined) await this.load();
    const { term } = this.#lease;
    if (term === undefined) return this.#observe();
    if (term !== this.#term) await this.#takeOver(term);
    else if (this.#lease !== soleLease && this.#isLoadDue()) await this.load();
    try {
      await this.#evaluateAndNotify();
    } catch (error) {
      // Nothing was written; once the lease has noticed too, this node only observes.
      if (!(error instanceof LeaseLost)) throw error;
    }
  }

  /** Continues where the last leader stopped: the store says what was announced. */
  async #takeOver(term: number): Promise<void> {
    this.#stepDown();
    this.#incidentLog.clear();
    this.#policy = createNotificationPolicy(this.#deps);
    await this.load();
    for (const { serverId } of this.#incidentLog.open.values()) this.#evaluator.touchAll(serverId);
    this.#term = term;
  }

  /** Nothing fires while another node is the leader: what it wrote is not known here. */
  #stepDown(): void {
    this.#term = undefined;
    for (const ruleState of this.#watch.firing()) {
      ruleState.occasion = undefined;
      this.#watch.move(ruleState, OK);
      this.#evaluator.touchAll(ruleState.record.id);
    }
  }

  /** Evaluates without notifying, so that a breach has lasted as long here when this node takes over. */
  async #observe(): Promise<void> {
    if (this.#term !== undefined) this.#stepDown();
    this.#takeChanges();
    this.#evaluator.run();
    this.#evaluator.settled();
    if (!this.#isLoadDue()) return;
    this.#loadedMs = this.#deps.clock.monotonic();
    await this.#incidentLog.load();
  }

  #isLoadDue(): boolean {
    return this.#deps.clock.monotonic() - this.#loadedMs >= RELOAD_MS;
  }

  async #evaluateAndNotify(): Promise<void> {
    const before = this.#incidentLog.written;
    try {
      this.#takeChanges();
      await this.#review();
      const { fires, resolves } = this.#evaluator.run();
      await this.#resolve(resolves);
      await this.#fire(fires);
      this.#evaluator.settled();
      await sendPending({
        incidentLog: this.#incidentLog,
        policy: this.#policy,
        words: this.#words(),
        createContext: () => this.#context(),
      });
      await sendReminders({
        incidentLog: this.#incidentLog,
        rules: this.#rules,
        words: () => this.#words(),
        createContext: () => this.#context(),
      });
    } finally {
      if (this.#incidentLog.written !== before) this.#deps.notices.wake();
    }
  }

  /** Follows rules and records, which show whether they have changed. */
  #takeChanges(): void {
    const { directory } = this.#deps;
    if (directory.recordsRevision === this.#recordsRevision && this.#rules === this.#takenRules) return;
    this.#recordsRevision = directory.recordsRevision;
    this.#takenRules = this.#rules;
    const changed = this.#watch.update(this.#rules, directory.records());
    for (const id of changed) this.#evaluator.touchAll(id);
    if (changed.length > 0) this.#isReviewDue = true;
  }

  async #review(): Promise<void> {
    if (!this.#isReviewDue) return;
    const { directory } = this.#deps;
    const closings: Closing[] = [];
    for (const incident of this.#incidentLog.open.values()) {
      const closedBy = findEnd(incident, { directory, rules: this.#rules });
      if (closedBy === undefined) this.#attach(incident);
      else closings.push({ incident, closedBy });
    }
    await this.#close(closings);
    this.#isReviewDue = false;
  }

  /** Reunites an open incident with its rule state after a restart. */
  #attach({ ruleId, serverId, occasion }: IncidentRecord): void {
    const ruleState = this.#watch.find(ruleId, serverId);
    if (ruleState === undefined || ruleState.state.phase === "firing") return;
    ruleState.occasion = occasion;
    this.#watch.move(ruleState, { phase: "firing", sinceMs: this.#deps.clock.monotonic() });
  }

  async #resolve(resolves: readonly AlertEvent[]): Promise<void> {
    const closings = resolves.flatMap(({ ruleState, finding }): Closing[] => {
      const key = toOpenKey({ ruleId: ruleState.rule.id, serverId: ruleState.record.id });
      const incident = this.#incidentLog.open.get(key);
      // Another process on the same store may have closed it.
      return incident === undefined ? [] : [{ incident, closedBy: "recovered", value: finding.value }];
    });
    await this.#close(closings);
    for (const { ruleState } of resolves) {
      ruleState.lastOccasion = ruleState.occasion;
      ruleState.occasion = undefined;
      this.#watch.move(ruleState, OK);
    }
  }

  async #close(closings: readonly Closing[]): Promise<void> {
    if (closings.length === 0) return;
    const context = this.#context({ ending: new Set(closings.map(({ incident }) => incident.id)) });
    const words = this.#words();
    const now = this.#deps.clock.now();
    const announced = closings.map(({ incident }) => incident).filter((incident) => incident.told.down);
    const decisions = this.#policy.decide("up", announced, context);
    const planned = new Map(announced.map(({ id }, index) => [id, decisions[index]]));
    const changes = closings.map(({ incident, closedBy, value }) => {
      const { id, serverId } = incident;
      const decision = planned.has(id) ? planned.get(id) : "unplanned";
      const ending = { now, closedBy, value, decision, isMuted: context.isMuted(serverId) } as const;
      const ended = toEnded(incident, ending);
      return {
        id,
        edit: (current: IncidentRecord) => toEnded(current, ending),
        notice: ended?.told.up === true ? toNotice(ended, "up", words) : undefined,
      };
    });
    await this.#incidentLog.change(changes);
    this.#policy.remember("up", announced, decisions);
  }

  async #fire(fires: readonly AlertEvent[]): Promise<void> {
    if (fires.length === 0) return;
    const { clock, live } = this.#deps;
    const context = this.#context({ beginning: new Set(fires.map(({ ruleState }) => ruleState)) });
    const now = clock.now();
    const beginnings = fires.map((event) =>
      toBeginning(event, {
        id: newId("inc", now),
        now,
        lastSeenAt: live.get(event.ruleState.record.id).lastSeenAt,
      }),
    );
    const decisions = this.#policy.decide("down", beginnings, context);
    const words = this.#words();
    const results = await this.#incidentLog.begin(
      beginnings.map((beginning, index) => {
        const incident = withDecision(beginning, decisions[index]);
        return { incident, notice: incident.told.down ? toNotice(incident, "down", words) : undefined };
      }),
    );
    fires.forEach(({ ruleState, finding }, index) => {
      const isOpen = results[index]?.result !== "already_announced";
      if (isOpen) ruleState.occasion = finding.occasion;
      else ruleState.lastOccasion = finding.occasion;
      this.#watch.move(ruleState, { phase: isOpen ? "firing" : "ok", sinceMs: clock.monotonic() });
    });
    this.#policy.remember("down", beginnings, decisions);
  }

  #present(): SettingsRecord {
    if (this.#settings === undefined) throw new TypeError("Alerts must be loaded first");
    return this.#settings;
  }

  #words(): WordsOptions {
    return toWordsOptions(this.#present(), this.#deps);
  }

  #context(deciding: Parameters<typeof createPolicyContext>[1] = {}): PolicyContext {
    const { clock, directory } = this.#deps;
    const { quietHours } = this.#present();
    return createPolicyContext(
      {
        quietHours,
        now: clock.now(),
        nowMs: clock.monotonic(),
        findRecord: (id) => directory.findRecord(id),
        isInMaintenance: this.#deps.isInMaintenance ?? (() => false),
        pendingStates: this.#watch.pending,
        open: this.#incidentLog.open.values(),
        pendingIncidents: this.#incidentLog.pendingIncidents,
      },
      deciding,
    );
  }
}

/** Creates the alerts of a monitor. */
export function createAlerts(deps: AlertsDeps) {
  const service = new AlertService(deps);
  // Evaluating, loading and sweeping run in turn: each expects memory as the last one left it.
  const inTurn = createKeyedQueue();
  const reload = coalesce(() => service.reload());
  const incidents = createIncidents({
    ...deps,
    changed: (incident) => service.incidentLog.refresh(incident),
  });
  return {
    rules: createAlertRules({ ...deps, changed: reload }),
    incidents,
    /**
     * Restores open incidents and pending notifications; call it once, after the live state was restored and before
     * `tick`.
     */
    load: (): Promise<void> => inTurn("alerts", () => service.load()),
    /** Reads rules and quiet hours from the store. */
    reload,
    /** Evaluates and notifies; call it every second. Throws what the store throws, and loses nothing then. */
    tick: (): Promise<void> => inTurn("alerts", () => service.tick()),
    /**
     * Takes up notifications that other processes left pending, and removes incidents older than 400 days, in
     * bounded steps.
     */
    sweep: (): Promise<void> =>
      inTurn("alerts", async () => {
        await service.loadAsLeader();
        await incidents.sweep();
      }),
    /** Open incidents as of now, the oldest first. */
    firing: (): readonly IncidentRecord[] =>
      [...service.incidentLog.open.values()].sort((a, b) => a.openedAt - b.openedAt),
    /** Breaches that have not lasted long enough yet. */
    pending: (): readonly RuleState[] => service.pending(),
  };
}

export type Alerts = ReturnType<typeof createAlerts>;
