/** Tries the checks of the monitor itself, on the node that leads. */
import { isJudged } from "../judged.ts";
import type { ProbeResult } from "../../../kit/probes/probe.ts";
import type { Target } from "../../../kit/probes/targets.ts";
import type { Log } from "../../../kit/observe/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { type Prober, isTelling, toCheckFault } from "../prober.ts";
import { CENTER, type CheckRecord, type CheckStanding, type CheckTarget } from "../schema.ts";
import { type OwnNetwork, isNetworkFault } from "./own-network.ts";
import type { Outcome } from "./places.ts";
import { type Task, isTriedHere, toFirstDue, toNextDue } from "./schedule.ts";

/** Tries at once. */
const AT_ONCE = 50;
/** Of these, tries of checks that failed last: what answers must not wait for what does not. */
const FAILING_AT_ONCE = 40;
/** A probe that has not ended so long after its time is given up. */
const GIVE_UP_MS = 3_000;
/** The text of a check while its state is unknown. */
const AWAY = "The monitor's own network is down";

export interface RunnerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly probe: Prober;
  /** The target of a record with its secrets; undefined when they cannot be opened. */
  readonly openTarget: (record: CheckRecord) => CheckTarget | undefined;
  readonly network: Pick<OwnNetwork, "isAway" | "noteAnswer">;
  readonly findStanding: (id: string) => CheckStanding | undefined;
  /** Takes a result, and returns the new state of the check. */
  readonly onOutcome: (
    record: CheckRecord,
    outcome: Outcome & Pick<ProbeResult, "certificate" | "registration">,
  ) => CheckStanding | undefined;
  /** 0 to 1. */
  readonly random: () => number;
  /** Calls after so many milliseconds; gives what ends that. */
  readonly defer: (work: () => void, ms: number) => () => void;
}

const unreadable: ProbeResult = {
  fault: "unsupported",
  detail: "The header values were sealed with another secret. Enter them again",
};

function centerOf(standing: CheckStanding | undefined) {
  return standing?.places.find(({ place }) => place === CENTER);
}

/** Plans tries and runs them. Nothing runs before `begin`. */
export class Runner {
  readonly #deps: RunnerDeps;
  readonly #tasks = new Map<string, Task>();
  #isLeading = false;
  #running = 0;
  #runningFailing = 0;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** Checks that are planned, and tries that run now. */
  get size(): { readonly planned: number; readonly running: number } {
    return { planned: this.#tasks.size, running: this.#running };
  }

  /** Begins to lead: everything is tried once, spread over its interval. */
  begin(records: readonly CheckRecord[]): void {
    this.#isLeading = true;
    const nowMs = this.#deps.clock.monotonic();
    for (const record of records)
      if (isTriedHere(record)) this.#plan(record, toFirstDue(record, nowMs, this.#deps.random));
  }

  /** Steps down: ends running attempts and discards their results. */
  end(): void {
    this.#isLeading = false;
    for (const task of this.#tasks.values()) this.#cancel(task);
    this.#tasks.clear();
  }

  /** Applies created, changed or deleted records: new definitions run at once. */
  review(changed: readonly CheckRecord[], gone: readonly CheckRecord[]): void {
    if (!this.#isLeading) return;
    for (const { id } of gone) this.#forget(id);
    for (const record of changed) this.#reviewOne(record);
  }

  /** Starts what is due; call it a few times each second. */
  tick(): void {
    if (!this.#isLeading || this.#running >= AT_ONCE) return;
    const nowMs = this.#deps.clock.monotonic();
    const due: Task[] = [];
    for (const task of this.#tasks.values())
      if (task.dueMs <= nowMs && task.running === undefined) due.push(task);
    due.sort((a, b) => a.dueMs - b.dueMs);
    for (const task of due) {
      if (this.#running >= AT_ONCE) return;
      if (task.isFailing && this.#runningFailing >= FAILING_AT_ONCE) continue;
      void this.#run(task);
    }
  }

  /** Targets that are not down; whether they ever answered is for those who ask to know. */
  *witnesses(): Generator<Target> {
    for (const { record } of this.#tasks.values()) {
      const center = centerOf(this.#deps.findStanding(record.id));
      if (center === undefined || center.isDown || record.inverted) continue;
      const { target } = record;
      if (isJudged(target)) continue;
      // Whether it answers is all that matters: its secrets stay here.
      yield target.kind === "http" ? { ...target, headers: [], body: "" } : target;
    }
  }

  #plan(record: CheckRecord, dueMs: number): void {
    const isFailing = (centerOf(this.#deps.findStanding(record.id))?.failures ?? 0) > 0;
    this.#tasks.set(record.id, { record, dueMs, running: undefined, isStale: false, isNew: true, isFailing });
  }

  #reviewOne(record: CheckRecord): void {
    const nowMs = this.#deps.clock.monotonic();
    const task = this.#tasks.get(record.id);
    if (!isTriedHere(record)) {
      this.#forget(record.id);
    } else if (task === undefined) {
      this.#plan(record, nowMs);
    } else {
      const isOther = task.record.revision !== record.revision;
      task.record = record;
      if (isOther) {
        this.#cancel(task);
        task.dueMs = nowMs;
        task.isFailing = false;
      } else task.dueMs = Math.min(task.dueMs, nowMs + record.intervalSeconds * 1_000);
    }
  }

  #forget(id: string): void {
    const task = this.#tasks.get(id);
    if (task === undefined) return;
    this.#cancel(task);
    this.#tasks.delete(id);
  }

  #cancel(task: Task): void {
    task.isStale = true;
    task.running?.abort();
  }

  async #run(task: Task): Promise<void> {
    const controller = new AbortController();
    const { record, isFailing } = task;
    const startedMs = this.#deps.clock.monotonic();
    task.running = controller;
    task.isStale = false;
    this.#running += 1;
    if (isFailing) this.#runningFailing += 1;
    try {
      const result = await this.#try(record, controller.signal);
      if (!task.isStale) await this.#take(task, { record, result, startedMs });
    } catch (error) {
      this.#deps.log.error("The result of a check could not be processed", { check: record.id, error });
      task.dueMs = startedMs + record.intervalSeconds * 1_000;
    } finally {
      this.#running -= 1;
      if (isFailing) this.#runningFailing -= 1;
      task.running = undefined;
    }
  }

  /** Ends, whatever the probe does. */
  async #try(record: CheckRecord, signal: AbortSignal): Promise<ProbeResult> {
    const target = this.#deps.openTarget(record);
    if (target === undefined || isJudged(target)) return unreadable;
    const timeoutMs = record.timeoutSeconds * 1_000;
    let cancel: () => void = () => undefined;
    const givenUp = new Promise<ProbeResult>((resolve) => {
      const giveUp = (): void => resolve({ fault: "timeout", detail: "The check did not finish in time" });
      cancel = this.#deps.defer(giveUp, timeoutMs + GIVE_UP_MS);
    });
    try {
      return await Promise.race([this.#deps.probe(target, { timeoutMs, signal }), givenUp]);
    } catch {
      return { fault: "protocol", detail: "The check failed unexpectedly" };
    } finally {
      cancel();
    }
  }

  async #take(
    task: Task,
    { record, result, startedMs }: { record: CheckRecord; result: ProbeResult; startedMs: number },
  ): Promise<void> {
    const { clock, findStanding, onOutcome, random } = this.#deps;
    const isAway = await this.#isAway(record, { result, startedMs });
    if (task.isStale) return;
    const fault = toCheckFault(result, record.inverted);
    const standing = onOutcome(record, {
      place: CENTER,
      at: clock.now(),
      fault,
      detail: isAway ? AWAY : result.detail,
      latencyMs: fault === undefined ? result.latencyMs : undefined,
      isTelling: !isAway && (result.fault === "forbidden" || isTelling(result)),
      certificate: result.certificate,
      registration: result.registration,
    });
    const center = centerOf(standing ?? findStanding(record.id));
    task.isFailing = result.fault !== undefined;
    task.dueMs = toNextDue(task, { startedMs, center }, random);
    task.isNew = false;
  }

  /** Asked only when it matters: the next word of this place would be another. */
  async #isAway(
    record: CheckRecord,
    { result, startedMs }: { result: ProbeResult; startedMs: number },
  ): Promise<boolean> {
    const { network, findStanding } = this.#deps;
    const { target } = record;
    if (isJudged(target)) return false;
    if (!isNetworkFault(result.fault)) {
      if (result.fault !== "forbidden" && result.fault !== "unsupported") network.noteAnswer(target);
      return false;
    }
    const center = centerOf(findStanding(record.id));
    const isDecided = center?.isDown === true || (center?.failures ?? 0) + 1 < record.failures;
    if (isDecided && !record.inverted) return false;
    return network.isAway(target, startedMs);
  }
}
