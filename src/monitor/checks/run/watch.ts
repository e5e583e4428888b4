/** Checks while the monitor runs: who leads tries and judges them, the others show what the leader says. */
import { isJudged } from "../judged.ts";
import type { Log } from "../../../kit/observe/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Store } from "../../../store/store.ts";
import { listEvery } from "../../../store/every-page.ts";
import type { Directory } from "../directory.ts";
import { toCheckFault, isTelling } from "../prober.ts";
import { checkStandings } from "../records.ts";
import type { CheckRecord, CheckStanding } from "../schema.ts";
import { type CheckSeries, toSeriesId } from "../series.ts";
import type { CheckIntake, Judgement, ReportedTry } from "../standings.ts";
import type { CheckRows } from "./check-rows.ts";
import type { Keeper } from "./keeper.ts";
import type { OwnNetwork } from "./own-network.ts";
import type { Runner } from "./runner.ts";
import { isTriedHere } from "./schedule.ts";
import type { Sharing } from "./sharing.ts";
import type { StandingWriter } from "./standing-writer.ts";

/** How often silent places are looked for, and rows are written of checks that are not tried here. */
const LOOK_MS = 5_000;
const ANCHORS_MS = 600_000;
/** Between two rows of a check that is not tried here, at least. */
const ROW_MS = 60_000;
/** An older attempt is discarded, even for the history. */
const OLDEST_MS = 7 * 86_400_000;

export interface CheckWatchDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly directory: Directory;
  readonly keeper: Keeper;
  readonly writer: StandingWriter;
  readonly runner: Runner;
  readonly rows: CheckRows;
  readonly sharing: Sharing;
  readonly network: OwnNetwork;
  readonly findSeries: (id: string) => CheckSeries | undefined;
  readonly isLeader: () => boolean;
  readonly random: () => number;
}

/** Whether the check as a whole is up; undefined if unknown. */
export function toIsUp({ state }: CheckStanding): boolean | undefined {
  if (state === "up" || state === "partial") return true;
  return state === "down" ? false : undefined;
}

function listStandings(store: Store): Promise<readonly CheckStanding[]> {
  return store.read((tx) => listEvery(tx, checkStandings, { index: "id" }));
}

/** All of it together. */
export class CheckWatch implements CheckIntake {
  readonly #deps: CheckWatchDeps;
  #leading: "no" | "begins" | "yes" = "no";
  #lookedMs = -Infinity;
  #anchorsMs = -Infinity;
  /** When the next row is due of checks that are not tried here, monotonic milliseconds. */
  readonly #rowDue = new Map<string, number>();

  constructor(deps: CheckWatchDeps) {
    this.#deps = deps;
  }

  /** Checks that this node tries, and tries that run now. */
  get size(): { readonly planned: number; readonly running: number } {
    return this.#deps.runner.size;
  }

  /** Whether the states here are those of the judge: not between becoming the leader and reading the store. */
  get isCurrent(): boolean {
    return this.#leading === "yes" || !this.#deps.isLeader();
  }

  /** Restores the states of checks; call it once, after the records were read. */
  async load(): Promise<void> {
    this.#deps.directory.restore(await listStandings(this.#deps.store));
  }

  /** Starts what is due; call it a few times each second. Throws what the store throws. */
  async tick(): Promise<void> {
    const { isLeader, runner, writer } = this.#deps;
    if (!isLeader()) {
      if (this.#leading === "yes") {
        runner.end();
        writer.clear();
      }
      this.#leading = "no";
      return;
    }
    if (this.#leading === "no") await this.#begin();
    runner.tick();
  }

  /** Stores and tells what changed, and looks for places that are silent; call it every second. */
  async keep(): Promise<void> {
    const { clock, keeper, writer, sharing, network } = this.#deps;
    sharing.tell();
    if (this.#leading !== "yes") return;
    const nowMs = clock.monotonic();
    if (nowMs - this.#lookedMs >= LOOK_MS) {
      this.#lookedMs = nowMs;
      keeper.lookForSilence();
      this.#writeRows(nowMs);
    }
    if (nowMs - this.#anchorsMs >= ANCHORS_MS) {
      this.#anchorsMs = nowMs;
      void network.tryAnchors();
    }
    await writer.flush();
  }

  /** Applies created, changed or deleted records. */
  review(changed: readonly CheckRecord[], gone: readonly CheckRecord[]): void {
    const { keeper, runner } = this.#deps;
    for (const { id } of gone) {
      keeper.drop(id);
      this.#rowDue.delete(id);
    }
    if (this.#leading !== "yes") return;
    keeper.review(changed);
    runner.review(changed, gone);
  }

  async takePlaceResult(serverId: string, tries: readonly ReportedTry[]): Promise<void> {
    const { clock, directory, rows, findSeries, sharing } = this.#deps;
    const now = clock.now();
    const known = tries.filter(({ checkId, revision, at }) => {
      const record = directory.findRecord(checkId);
      if (record === undefined || record.revision !== revision || record.paused) return false;
      return record.places.serverIds.includes(serverId) && now - at < OLDEST_MS;
    });
    if (known.length === 0) return;
    if (this.#leading === "yes") this.#takeTries(serverId, known);
    else sharing.hand(serverId, known);
    await Promise.all(
      known.map(async ({ checkId, at, result }) => {
        const record = directory.findRecord(checkId);
        const series = findSeries(toSeriesId(checkId, serverId));
        if (record === undefined || series === undefined || !isTelling(result)) return;
        const isUp = toCheckFault(result, record.inverted) === undefined;
        const latencyMs = isUp ? result.latencyMs : undefined;
        await rows.store(series, { at: Math.min(at, now), isUp, latencyMs });
      }),
    );
  }

  judge(checkId: string, judgement: Judgement): void {
    const { directory, keeper, rows, findSeries } = this.#deps;
    const record = directory.findRecord(checkId);
    // A result that comes too early is sent to the leader again: each is compared with its check from time to time.
    if (record === undefined || this.#leading !== "yes") return;
    const { latencyMs } = judgement;
    if (keeper.judge(record, judgement) === undefined || latencyMs === undefined) return;
    // Pings come when they like: whether it is up is said by rows at equal steps, so that uptime is a share of time.
    rows.note(findSeries(checkId), { at: this.#deps.clock.now(), latencyMs });
  }

  /** Handles the attempts of another node's agent. */
  takeTriesOfOthers(serverId: string, tries: readonly ReportedTry[]): void {
    if (this.#leading === "yes") this.#takeTries(serverId, tries);
  }

  /** Ends to try checks, and stores what is left. Never rejects. */
  async close(): Promise<void> {
    const { runner, sharing, writer, log } = this.#deps;
    runner.end();
    sharing.close();
    await writer
      .flush()
      .catch((error: unknown) => log.warn("The states of checks could not be stored", { error }));
  }

  async #begin(): Promise<void> {
    const { store, directory, keeper, runner, isLeader } = this.#deps;
    const standings = await listStandings(store);
    if (!isLeader()) return;
    this.#leading = "yes";
    // States from the last leader may be old: followers of checks review all of them.
    for (const standing of standings) directory.take(standing);
    keeper.begin();
    keeper.review(directory.records());
    runner.begin(directory.records());
  }

  #takeTries(serverId: string, tries: readonly ReportedTry[]): void {
    const { directory, keeper, clock } = this.#deps;
    const now = clock.now();
    for (const { checkId, revision, at, result } of tries) {
      const record = directory.findRecord(checkId);
      if (record === undefined || record.revision !== revision) continue;
      const said = directory.findStanding(checkId)?.places.find(({ place }) => place === serverId);
      const longestMs = 3_000 * Math.max(record.intervalSeconds, record.timeoutSeconds);
      // Attempts that waited on a machine without a network, or came twice, are history.
      if ((said !== undefined && said.at >= at) || now - at > longestMs) continue;
      const fault = toCheckFault(result, record.inverted);
      keeper.take(record, {
        place: serverId,
        at: Math.min(at, now),
        fault,
        detail: result.detail,
        latencyMs: fault === undefined ? result.latencyMs : undefined,
        // An attempt that the machine's owner does not allow, or with an unread response, is not down.
        isTelling: isTelling(result),
        certificate: record.places.center ? undefined : result.certificate,
      });
    }
  }

  /** For what the monitor does not try itself, writes a row with the state from time to time. */
  #writeRows(nowMs: number): void {
    const { directory, rows, findSeries, clock, random } = this.#deps;
    for (const record of directory.records()) {
      if (record.paused || isTriedHere(record)) continue;
      const everyMs = isJudged(record.target) ? ROW_MS : Math.max(ROW_MS, record.intervalSeconds * 1_000);
      const dueMs = this.#rowDue.get(record.id);
      if (dueMs !== undefined && dueMs > nowMs) continue;
      this.#rowDue.set(record.id, nowMs + (dueMs === undefined ? random() * everyMs : everyMs));
      const standing = directory.findStanding(record.id);
      if (standing !== undefined && dueMs !== undefined)
        rows.note(findSeries(record.id), { at: clock.now(), isUp: toIsUp(standing) });
    }
  }
}
