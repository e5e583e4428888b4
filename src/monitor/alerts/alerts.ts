/**
 * Alerts as one thing: rules and records are taken up, each second a round is made, what it finds is written down
 * together with its notices, and what waits is told when its time has come.
 */
import { coalesce } from "../../kit/limits/coalesce.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { newId } from "../../kit/secrets/id.ts";
import { createKeyedQueue } from "../../kit/limits/keyed-queue.ts";
import type { Store } from "../../store/store.ts";
import type { Board } from "../fleet/snapshot.ts";
import type { Notices } from "../channels/notification.ts";
import type { Live } from "../fleet/live.ts";
import { type LeaderLease, LeaseLost, soleLease } from "../cluster/leader-lease.ts";
import type { Settings } from "../site/settings.ts";
import { OK } from "./alert-machine.ts";
import type { AlertRuleRecord, IncidentRecord } from "./schema.ts";
import { type Closing, findEnd, isSameRules } from "./end-reasons.ts";
import type { AlertFacts } from "./evaluate.ts";
import { type IncidentBook, createIncidentBook, toOpenKey } from "./incident-log.ts";
import { toBeginning, toEnded, withBeginningTold } from "./incident-edits.ts";
import { type Incidents, createIncidents } from "./incidents.ts";
import { type WordsOptions, toNotice } from "./notification-words.ts";
import { tellOwed } from "./pending.ts";
import type { QuietHours } from "./quiet-hours.ts";
import { type AlertEvent, type Rounds, createRounds } from "./evaluation-pass.ts";
import { type AlertRules, createAlertRules, readRules } from "./rules.ts";
import { createSurroundings } from "./context.ts";
import { type Surroundings, type Telling, createTelling } from "./notification-policy.ts";
import { type Check, type Watch, createWatch } from "./watch.ts";

export interface AlertsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly live: Pick<Live, "get" | "onChange">;
  /** The records as they are now. */
  readonly directory: Pick<Board, "records" | "findRecord" | "recordsRevision">;
  readonly settings: Pick<Settings, "read">;
  readonly facts: AlertFacts;
  readonly notices: Notices;
  /** Only the leader writes and notifies; without a lease, this process does. */
  readonly lease?: LeaderLease;
  /** Whether what is known of a server is the present; without it, always. */
  readonly canJudge?: (serverId: string) => boolean;
  /** Where people reach the service; undefined: notices carry no link. */
  readonly publicUrl?: string | undefined;
}

export interface Alerts {
  readonly rules: AlertRules;
  readonly incidents: Incidents;
  /** Brings back what was open and untold; call it once, after the live state was brought back and before `tick`. */
  load(): Promise<void>;
  /** Takes rules and quiet hours as they are now in the store. */
  reload(): Promise<void>;
  /** Looks and tells; call it every second. Throws what the store throws, and loses nothing then. */
  tick(): Promise<void>;
  /** Takes up what other processes left untold, and removes what is older than 400 days, in bounded steps. */
  sweep(): Promise<void>;
  /** Open incidents as of now, the oldest first. */
  firing(): readonly IncidentRecord[];
  /** Breaches that do not last long enough yet. */
  pending(): readonly Check[];
}

/** Among nodes open incidents are read this often: what another one began, ended or acknowledged is shown here too. */
const RELOAD_MS = 5_000;

class AlertService {
  readonly #deps: AlertsDeps;
  readonly #watch: Watch = createWatch();
  readonly #rounds: Rounds;
  readonly #lease: LeaderLease;
  readonly #book: IncidentBook;
  #telling: Telling;
  /** The lease term under which rule states were matched with incidents. */
  #term: number | undefined;
  #loadedMs = -Infinity;
  #rules: readonly AlertRuleRecord[] = [];
  #quietHours: QuietHours | undefined;
  #recordsRevision = -1;
  #takenRules: readonly AlertRuleRecord[] | undefined;
  /** Whether open incidents must be compared with rules and records. */
  #isReviewDue = true;

  constructor(deps: AlertsDeps) {
    this.#deps = deps;
    this.#rounds = createRounds({ ...deps, watch: this.#watch });
    this.#telling = createTelling(deps);
    this.#lease = deps.lease ?? soleLease;
    this.#term = this.#lease.term;
    this.#book = createIncidentBook({ ...deps, lease: this.#lease });
    deps.live.onChange((id) => this.#rounds.touch(id));
  }

  get book(): IncidentBook {
    return this.#book;
  }

  pending(): readonly Check[] {
    const isOpen = ({ rule, record }: Check): boolean =>
      this.#book.open.has(toOpenKey({ ruleId: rule.id, serverId: record.id }));
    // Where another node is the leader, what fires stays pending here.
    return [...this.#watch.pending].filter((check) => !isOpen(check));
  }

  async reload(): Promise<void> {
    const rules = await this.#deps.store.read(readRules);
    if (!isSameRules(rules, this.#rules)) this.#rules = rules;
    this.#quietHours = (await this.#deps.settings.read()).quietHours;
  }

  async load(): Promise<void> {
    if (this.#quietHours === undefined) await this.reload();
    this.#loadedMs = this.#deps.clock.monotonic();
    for (const incident of await this.#book.load()) {
      this.#telling.resume(incident);
      if (incident.state === "open") this.#rounds.distrust(incident.serverId);
      this.#isReviewDue = true;
    }
  }

  /** What another process without a bus left untold; among nodes the leader knows all. */
  async loadAsLeader(): Promise<void> {
    if (this.#lease.term !== undefined && this.#lease.term === this.#term) await this.load();
  }

  async tick(): Promise<void> {
    if (this.#quietHours === undefined) await this.load();
    const { term } = this.#lease;
    if (term === undefined) return this.#observe();
    if (term !== this.#term) await this.#takeOver(term);
    else if (this.#lease !== soleLease && this.#isLoadDue()) await this.load();
    try {
      await this.#lookAndTell();
    } catch (error) {
      // Nothing was written; once the lease has noticed too, this node only observes.
      if (!(error instanceof LeaseLost)) throw error;
    }
  }

  /** Goes on where another node, or this one earlier, has stopped: the store says what was told. */
  async #takeOver(term: number): Promise<void> {
    this.#stepDown();
    this.#book.clear();
    this.#telling = createTelling(this.#deps);
    await this.load();
    for (const { serverId } of this.#book.open.values()) this.#rounds.touchAll(serverId);
    this.#term = term;
  }

  /** Nothing fires while another node is the leader: what it wrote is not known here. */
  #stepDown(): void {
    this.#term = undefined;
    for (const check of this.#watch.firing()) {
      check.occasion = undefined;
      this.#watch.move(check, OK);
      this.#rounds.touchAll(check.record.id);
    }
  }

  /** Looks without telling, so that a breach has lasted as long here when this node takes over. */
  async #observe(): Promise<void> {
    if (this.#term !== undefined) this.#stepDown();
    this.#takeChanges();
    this.#rounds.run();
    this.#rounds.settled();
    if (!this.#isLoadDue()) return;
    this.#loadedMs = this.#deps.clock.monotonic();
    await this.#book.load();
  }

  #isLoadDue(): boolean {
    return this.#deps.clock.monotonic() - this.#loadedMs >= RELOAD_MS;
  }

  async #lookAndTell(): Promise<void> {
    const before = this.#book.written;
    try {
      this.#takeChanges();
      await this.#review();
      const { fires, resolves } = this.#rounds.run();
      await this.#resolve(resolves);
      await this.#fire(fires);
      this.#rounds.settled();
      await tellOwed({
        book: this.#book,
        telling: this.#telling,
        words: this.#words(),
        surroundings: () => this.#around(),
      });
    } finally {
      if (this.#book.written !== before) this.#deps.notices.wake();
    }
  }

  /** Follows rules and records; both say themselves whether they changed. */
  #takeChanges(): void {
    const { directory } = this.#deps;
    if (directory.recordsRevision === this.#recordsRevision && this.#rules === this.#takenRules) return;
    this.#recordsRevision = directory.recordsRevision;
    this.#takenRules = this.#rules;
    const changed = this.#watch.update(this.#rules, directory.records());
    for (const id of changed) this.#rounds.touchAll(id);
    if (changed.length > 0) this.#isReviewDue = true;
  }

  async #review(): Promise<void> {
    if (!this.#isReviewDue) return;
    const { directory } = this.#deps;
    const closings: Closing[] = [];
    for (const incident of this.#book.open.values()) {
      const closedBy = findEnd(incident, { directory, rules: this.#rules });
      if (closedBy === undefined) this.#attach(incident);
      else closings.push({ incident, closedBy });
    }
    await this.#close(closings);
    this.#isReviewDue = false;
  }

  /** An open incident and its check belong together again after a restart. */
  #attach({ ruleId, serverId, occasion }: IncidentRecord): void {
    const check = this.#watch.find(ruleId, serverId);
    if (check === undefined || check.state.phase === "firing") return;
    check.occasion = occasion;
    this.#watch.move(check, { phase: "firing", sinceMs: this.#deps.clock.monotonic() });
  }

  async #resolve(resolves: readonly AlertEvent[]): Promise<void> {
    const closings = resolves.flatMap(({ check, finding }): Closing[] => {
      const key = toOpenKey({ ruleId: check.rule.id, serverId: check.record.id });
      const incident = this.#book.open.get(key);
      // Another process on the same store may have closed it.
      return incident === undefined ? [] : [{ incident, closedBy: "recovered", value: finding.value }];
    });
    await this.#close(closings);
    for (const { check } of resolves) {
      check.toldOf = check.occasion;
      check.occasion = undefined;
      this.#watch.move(check, OK);
    }
  }

  async #close(closings: readonly Closing[]): Promise<void> {
    if (closings.length === 0) return;
    const around = this.#around({ ending: new Set(closings.map(({ incident }) => incident.id)) });
    const words = this.#words();
    const now = this.#deps.clock.now();
    const told = closings.map(({ incident }) => incident).filter((incident) => incident.told.down);
    const disposals = this.#telling.plan("up", told, around);
    const planned = new Map(told.map(({ id }, index) => [id, disposals[index]]));
    const changes = closings.map(({ incident, closedBy, value }) => {
      const { id, serverId } = incident;
      const disposal = planned.has(id) ? planned.get(id) : "unplanned";
      const ending = { now, closedBy, value, disposal, isMuted: around.isMuted(serverId) } as const;
      const ended = toEnded(incident, ending);
      return {
        id,
        edit: (current: IncidentRecord) => toEnded(current, ending),
        notice: ended?.told.up === true ? toNotice(ended, "up", words) : undefined,
      };
    });
    await this.#book.change(changes);
    this.#telling.note("up", told, disposals);
  }

  async #fire(fires: readonly AlertEvent[]): Promise<void> {
    if (fires.length === 0) return;
    const { clock, live } = this.#deps;
    const around = this.#around({ beginning: new Set(fires.map(({ check }) => check)) });
    const now = clock.now();
    const beginnings = fires.map((event) =>
      toBeginning(event, {
        id: newId("inc", now),
        now,
        lastSeenAt: live.get(event.check.record.id).lastSeenAt,
      }),
    );
    const disposals = this.#telling.plan("down", beginnings, around);
    const words = this.#words();
    const results = await this.#book.begin(
      beginnings.map((beginning, index) => {
        const incident = withBeginningTold(beginning, disposals[index]);
        return { incident, notice: incident.told.down ? toNotice(incident, "down", words) : undefined };
      }),
    );
    fires.forEach(({ check, finding }, index) => {
      const isOpen = results[index]?.result !== "told_before";
      if (isOpen) check.occasion = finding.occasion;
      else check.toldOf = finding.occasion;
      this.#watch.move(check, { phase: isOpen ? "firing" : "ok", sinceMs: clock.monotonic() });
    });
    this.#telling.note("down", beginnings, disposals);
  }

  #words(): WordsOptions {
    const timeZone = this.#quietHours?.timeZone;
    return {
      publicUrl: this.#deps.publicUrl?.replace(/(?<!\/)\/+$/u, ""),
      timeZone: timeZone === "UTC" ? undefined : timeZone,
    };
  }

  #around(deciding: Parameters<typeof createSurroundings>[1] = {}): Surroundings {
    const { clock, directory } = this.#deps;
    const quietHours = this.#quietHours;
    if (quietHours === undefined) throw new TypeError("Alerts must be loaded first");
    return createSurroundings(
      {
        quietHours,
        now: clock.now(),
        nowMs: clock.monotonic(),
        findRecord: (id) => directory.findRecord(id),
        pending: this.#watch.pending,
        open: this.#book.open.values(),
        owed: this.#book.owed,
      },
      deciding,
    );
  }
}

/** Makes the alerts of a monitor. */
export function createAlerts(deps: AlertsDeps): Alerts {
  const service = new AlertService(deps);
  // Looking, loading and sweeping follow one another: each expects memory to be as the one before left it.
  const inTurn = createKeyedQueue();
  const reload = coalesce(() => service.reload());
  const incidents = createIncidents({ ...deps, changed: (incident) => service.book.refresh(incident) });
  return {
    rules: createAlertRules({ ...deps, changed: reload }),
    incidents,
    load: () => inTurn("alerts", () => service.load()),
    reload,
    tick: () => inTurn("alerts", () => service.tick()),
    sweep: () =>
      inTurn("alerts", async () => {
        await service.loadAsLeader();
        await incidents.sweep();
      }),
    firing: () => [...service.book.open.values()].sort((a, b) => a.openedAt - b.openedAt),
    pending: () => service.pending(),
  };
}
