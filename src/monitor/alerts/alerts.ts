/**
 * The alert service: takes up rules, servers and checks, makes one evaluation pass a second, stores its results
 * together with their notifications, and sends pending notifications when due.
 */
import { coalesce } from "../../kit/limits/coalesce.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { createKeyedQueue } from "../../kit/limits/keyed-queue.ts";
import type { Store } from "../../store/store.ts";
import type { CheckDirectory } from "../checks/standings.ts";
import type { PublicSnapshot } from "../fleet/snapshot.ts";
import type { AddressedNotice, Notices } from "../channels/notification.ts";
import type { Live } from "../fleet/live.ts";
import { type LeaderLease, LeaseLost, soleLease } from "../cluster/leader-lease.ts";
import type { SettingsRecord } from "../base/schema.ts";
import type { PublicAddress } from "../base/public-url.ts";
import type { Settings } from "../site/settings.ts";
import { Dependencies } from "./dependencies.ts";
import { OK } from "./alert-machine.ts";
import type { AlertRuleRecord, IncidentRecord } from "./schema.ts";
import { type Closing, findEnd, isSameRules } from "./end-reasons.ts";
import type { AlertFacts } from "./kinds/kind.ts";
import { type IncidentLog, createIncidentLog, toOpenKey } from "./incident-log.ts";
import { createIncidents } from "./incidents.ts";
import { toAcknowledged } from "./notification-words.ts";
import { type WordsOptions, toWordsOptions } from "./words-options.ts";
import { sendPending } from "./pending.ts";
import { type AlertEvent, type Evaluator, createEvaluator } from "./evaluation-pass.ts";
import { sendEscalations } from "./escalation.ts";
import { sendReminders } from "./reminders.ts";
import { createAlertRules, readPresentRules } from "./rules.ts";
import { createPolicyContext } from "./context.ts";
import {
  type PolicyContext,
  type NotificationPolicy,
  createNotificationPolicy,
} from "./notification-policy.ts";
import { type Recording, closeIncidents, openIncidents } from "./recording.ts";
import type { Scoped } from "./evaluate.ts";
import { type WatchedRef, toWatchedKey, toWatchedRef } from "./kinds/watched.ts";
import { type RuleState, type Watch, createWatch, keyOf } from "./watch.ts";
import { type WatchedDirectory, createWatchedDirectory } from "./watched-directory.ts";

export interface AlertsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly live: Pick<Live, "get" | "onChange">;
  /** The present records. */
  readonly directory: Pick<PublicSnapshot, "records" | "findRecord" | "recordsRevision">;
  /** Without it, there are no checks. */
  readonly checks?: CheckDirectory;
  readonly settings: Pick<Settings, "read">;
  readonly facts: AlertFacts;
  readonly notices: Notices;
  /** Only the leader writes and notifies; without a lease, this process does. */
  readonly lease?: LeaderLease;
  /** Whether the known state of a server is current; without it, always. */
  readonly canJudge?: (serverId: string) => boolean;
  /** The same of checks, all together. */
  readonly canJudgeChecks?: () => boolean;
  /** Whether a server or check is in planned maintenance, which sends no notifications; without it, never. */
  readonly isInMaintenance?: (record: Scoped) => boolean;
  /** Where people reach the service; without it, notices carry no link. */
  readonly address?: Pick<PublicAddress, "publicUrl">;
}

/** With several nodes, open incidents are read this often, to show what another node changed. */
const RELOAD_MS = 5_000;

class AlertService {
  readonly #deps: AlertsDeps;
  readonly watched: WatchedDirectory;
  readonly #watch: Watch = createWatch();
  readonly #evaluator: Evaluator;
  readonly dependencies: Dependencies;
  readonly #lease: LeaderLease;
  readonly #incidentLog: IncidentLog;
  #policy: NotificationPolicy;
  /** The lease term under which rule states were matched with incidents. */
  #term: number | undefined;
  #loadedMs = -Infinity;
  #rules: readonly AlertRuleRecord[] = [];
  #settings: SettingsRecord | undefined;
  #recordsRevision = "";
  #takenRules: readonly AlertRuleRecord[] | undefined;
  /** Whether open incidents must be compared with rules and records. */
  #isReviewDue = true;

  constructor(deps: AlertsDeps) {
    this.#deps = deps;
    this.watched = createWatchedDirectory(deps);
    this.dependencies = new Dependencies({
      watched: this.watched,
      live: deps.live,
      findEntry: (key) => this.#watch.entries.get(key),
    });
    this.#evaluator = createEvaluator({
      ...deps,
      watch: this.#watch,
      dependencies: this.dependencies,
    });
    this.#policy = createNotificationPolicy(deps);
    this.#lease = deps.lease ?? soleLease;
    this.#term = this.#lease.term;
    this.#incidentLog = createIncidentLog({ ...deps, lease: this.#lease });
    deps.live.onChange((serverId) => this.#evaluator.touch(toWatchedKey({ serverId })));
    deps.checks?.onChange((checkId) => this.#evaluator.touch(toWatchedKey({ checkId })));
  }

  isMuted(ref: WatchedRef): boolean {
    return this.#context().isMuted(ref);
  }

  toAcknowledged(incident: IncidentRecord): AddressedNotice | undefined {
    return toAcknowledged(incident, this.#words());
  }

  get incidentLog(): IncidentLog {
    return this.#incidentLog;
  }

  pending(): readonly RuleState[] {
    const isOpen = ({ rule, watched }: RuleState): boolean =>
      this.#incidentLog.open.has(toOpenKey({ ruleId: rule.id, ...toWatchedRef(watched) }));
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
      const { state, serverId } = incident;
      if (state === "open" && serverId !== undefined) this.#evaluator.distrust(serverId);
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
    for (const incident of this.#incidentLog.open.values()) this.#evaluator.touchAll(toWatchedKey(incident));
    this.#term = term;
  }

  /** Nothing fires while another node is the leader: what it wrote is not known here. */
  #stepDown(): void {
    this.#term = undefined;
    for (const ruleState of this.#watch.firing()) {
      ruleState.occasion = undefined;
      this.#watch.move(ruleState, OK);
      this.#evaluator.touchAll(keyOf(ruleState.watched));
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
      const repeating = {
        incidentLog: this.#incidentLog,
        rules: this.#rules,
        words: () => this.#words(),
        createContext: () => this.#context(),
        isCaused: (ref: WatchedRef) => this.dependencies.findCausesOf(ref).length > 0,
      };
      await sendEscalations(repeating);
      await sendReminders(repeating);
    } finally {
      if (this.#incidentLog.written !== before) this.#deps.notices.wake();
    }
  }

  /** Follows rules and records, which show whether they have changed. */
  #takeChanges(): void {
    const revision = this.watched.revision();
    if (revision === this.#recordsRevision && this.#rules === this.#takenRules) return;
    this.#recordsRevision = revision;
    this.#takenRules = this.#rules;
    const changed = this.#watch.update(this.#rules, this.watched.all());
    for (const key of changed) this.#evaluator.touchAll(key);
    if (changed.length > 0) this.#isReviewDue = true;
  }

  async #review(): Promise<void> {
    if (!this.#isReviewDue) return;
    const present = { findWatched: this.watched.findWatched, rules: this.#rules };
    const closings: Closing[] = [];
    for (const incident of this.#incidentLog.open.values()) {
      const closedBy = findEnd(incident, present);
      if (closedBy === undefined) this.#attach(incident);
      else closings.push({ incident, closedBy });
    }
    await this.#close(closings);
    this.#isReviewDue = false;
  }

  /** Reunites an open incident with its rule state after a restart. */
  #attach({ ruleId, occasion, ...ref }: IncidentRecord): void {
    const ruleState = this.#watch.find(ruleId, toWatchedKey(ref));
    if (ruleState === undefined || ruleState.state.phase === "firing") return;
    ruleState.occasion = occasion;
    this.#watch.move(ruleState, { phase: "firing", sinceMs: this.#deps.clock.monotonic() });
  }

  async #resolve(resolves: readonly AlertEvent[]): Promise<void> {
    const closings = resolves.flatMap(({ ruleState, finding }): Closing[] => {
      const key = toOpenKey({ ruleId: ruleState.rule.id, ...toWatchedRef(ruleState.watched) });
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
    await closeIncidents(this.#recording(), { closings, context });
  }

  async #fire(fires: readonly AlertEvent[]): Promise<void> {
    if (fires.length === 0) return;
    const context = this.#context({ beginning: new Set(fires.map(({ ruleState }) => ruleState)) });
    await openIncidents(this.#recording(), { fires, context });
  }

  #recording(): Recording {
    const { clock } = this.#deps;
    const [incidentLog, policy, watch] = [this.#incidentLog, this.#policy, this.#watch];
    return { clock, incidentLog, policy, watch, words: this.#words() };
  }

  #present(): SettingsRecord {
    if (this.#settings === undefined) throw new TypeError("Alerts must be loaded first");
    return this.#settings;
  }

  #words(): WordsOptions {
    const countBehind: WordsOptions["countBehind"] = (ref) => {
      const watched = this.watched.findWatched(ref);
      return watched === undefined ? { checks: 0, servers: 0 } : this.dependencies.countBehind(watched);
    };
    return toWordsOptions(this.#present(), { ...this.#deps, watched: this.watched, countBehind });
  }

  #context(deciding: Parameters<typeof createPolicyContext>[1] = {}): PolicyContext {
    const { clock } = this.#deps;
    const { quietHours } = this.#present();
    return createPolicyContext(
      {
        quietHours,
        now: clock.now(),
        nowMs: clock.monotonic(),
        findWatched: this.watched.findWatched,
        isInMaintenance: this.#deps.isInMaintenance ?? (() => false),
        pendingStates: this.#watch.pending,
        isHeld: (ruleState) => this.dependencies.mayHold(ruleState),
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
    toNotice: (incident) => service.toAcknowledged(incident),
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
     * Handles notifications that other processes left pending, and removes incidents older than 400 days, in limited
     * steps.
     */
    sweep: (): Promise<void> =>
      inTurn("alerts", async () => {
        await service.loadAsLeader();
        await incidents.sweep();
      }),
    /** Open incidents as of now, the oldest first. */
    firing: (): readonly IncidentRecord[] =>
      [...service.incidentLog.open.values()].sort((a, b) => a.openedAt - b.openedAt),
    /** Whether a server or check sends no notifications now: it is muted, or in planned maintenance. */
    isMuted: (ref: WatchedRef): boolean => service.isMuted(ref),
    /** What depends on what. */
    dependencies: service.dependencies,
    /** All that rules can watch. */
    watched: service.watched,
    /** Breaches that have not lasted long enough yet. */
    pending: (): readonly RuleState[] => service.pending(),
  };
}

export type Alerts = ReturnType<typeof createAlerts>;
