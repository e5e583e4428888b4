/** Keeps the states of checks: takes results of locations, and judges all locations of a check together. */
import { isJudged } from "../judged.ts";
import type { SeenCertificate, SeenRegistration } from "../../../kit/probes/probe.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Directory } from "../directory.ts";
import { CENTER, type CheckRecord, type CheckStanding, type PlaceResult } from "../schema.ts";
import type { Judgement } from "../standings.ts";
import { type Outcome, toNextPlace, toState } from "./places.ts";

/** A place that is silent for so many intervals does not count. */
const SILENT_INTERVALS = 3;
/** Heartbeats and groups are judged here, which is their only location. */
const JUDGED_PLACE = CENTER;

export interface KeeperDeps {
  readonly clock: Clock;
  readonly directory: Directory;
  /** Called when one must be stored: another state, or another word of a place. */
  readonly onStore: (standing: CheckStanding, isOtherState: boolean) => void;
  /** Called for each standing of this node. */
  readonly onTake: (standing: CheckStanding) => void;
}

function isSameWord(a: PlaceResult | undefined, b: PlaceResult | undefined): boolean {
  return a?.isDown === b?.isDown && a?.counts === b?.counts;
}

/** Whether a restart must know of it. */
function isWorthStoring(before: CheckStanding, after: CheckStanding): boolean {
  if (before.state !== after.state || before.revision !== after.revision) return true;
  if (before.certificate?.validTo !== after.certificate?.validTo) return true;
  if (before.certificate?.chainEnd?.validTo !== after.certificate?.chainEnd?.validTo) return true;
  if (before.certificate?.isTrusted !== after.certificate?.isTrusted) return true;
  if (before.registration?.expiresAt !== after.registration?.expiresAt) return true;
  const known = new Map(before.places.map((place) => [place.place, place]));
  return (
    before.places.length !== after.places.length ||
    after.places.some((place) => !isSameWord(place, known.get(place.place)))
  );
}

/** The places that a check has now. */
function placesOf({ target, places }: CheckRecord): ReadonlySet<string> {
  if (isJudged(target)) return new Set([JUDGED_PLACE]);
  return new Set([...(places.center ? [CENTER] : []), ...places.serverIds]);
}

/** The states of checks, on the node that judges. */
export class Keeper {
  readonly #deps: KeeperDeps;
  /** When each place of an agent was heard of last, by check and place; monotonic milliseconds. */
  readonly #heard = new Map<string, Map<string, number>>();
  /** Places that never spoke here are waited for from then on. */
  #beganMs: number;

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
    this.#beganMs = deps.clock.monotonic();
  }

  /** Begins to judge: places get their full time to speak. */
  begin(): void {
    this.#heard.clear();
    this.#beganMs = this.#deps.clock.monotonic();
  }

  /** Takes an attempt of a location; undefined if it is not one of the check's, or the check is paused. */
  take(
    record: CheckRecord,
    outcome: Outcome & {
      readonly certificate?: SeenCertificate | undefined;
      readonly registration?: SeenRegistration | undefined;
    },
  ): CheckStanding | undefined {
    const { directory, clock } = this.#deps;
    const before = directory.findStanding(record.id);
    const { place } = outcome;
    if (record.paused || before === undefined || !placesOf(record).has(place)) return undefined;
    const heard = this.#heard.get(record.id) ?? new Map<string, number>();
    heard.set(place, clock.monotonic());
    this.#heard.set(record.id, heard);
    const known = before.places.find((one) => one.place === place);
    const next = toNextPlace(known, outcome, record.failures);
    const others = before.places.filter((one) => one.place !== place);
    const { certificate = before.certificate, registration = before.registration } = outcome;
    return this.#settle(record, before, {
      ...before,
      places: [...others, next],
      ...(certificate === undefined
        ? {}
        : { certificate: { ...certificate, names: [...certificate.names] } }),
      ...(registration && { registration }),
    });
  }

  /** Applies the verdict on a heartbeat or group. */
  judge(
    record: CheckRecord,
    { state, fault, detail, dueAt, at, latencyMs, members }: Judgement,
  ): CheckStanding | undefined {
    const before = this.#deps.directory.findStanding(record.id);
    if (record.paused || before === undefined || !isJudged(record.target)) return undefined;
    const place: PlaceResult = {
      place: JUDGED_PLACE,
      at,
      detail,
      dueAt,
      isDown: state === "down",
      counts: state !== "unknown",
      failures: state === "down" ? 1 : 0,
      ...(fault === undefined ? {} : { fault }),
      ...(latencyMs === undefined ? {} : { latencyMs }),
    };
    return this.#settle(record, before, { ...before, places: [place], ...(members && { members }) });
  }

  /** Applies changed records: pauses, removed locations, changed definitions. */
  review(records: readonly CheckRecord[]): void {
    const { directory } = this.#deps;
    for (const record of records) {
      const stored = directory.findKept(record.id);
      const present = directory.findStanding(record.id);
      if (present === undefined || (stored === undefined && !record.paused)) continue;
      if (record.paused) {
        if (stored?.state !== "paused") this.#keep(record, stored ?? present, present);
        continue;
      }
      this.#settle(record, stored ?? present, present);
    }
  }

  /** Checks for locations that have been silent too long; call it every few seconds. */
  lookForSilence(): void {
    const { directory } = this.#deps;
    for (const record of directory.records()) {
      if (record.paused || record.places.serverIds.length === 0 || isJudged(record.target)) continue;
      const standing = directory.findStanding(record.id);
      if (standing?.places.some((place) => place.counts && this.#isSilent(record, place)) === true)
        this.#settle(record, standing, standing);
    }
  }

  /** Forgets a check that is gone. */
  drop(id: string): void {
    this.#heard.delete(id);
  }

  /** The monitor itself is never silent while it judges: a try of its own may be late, and says so by its time. */
  #isSilent({ id, intervalSeconds, timeoutSeconds }: CheckRecord, { place }: PlaceResult): boolean {
    if (place === CENTER) return false;
    const since = this.#heard.get(id)?.get(place) ?? this.#beganMs;
    const longest = SILENT_INTERVALS * Math.max(intervalSeconds, timeoutSeconds) * 1_000;
    return this.#deps.clock.monotonic() - since > longest;
  }

  #settle(record: CheckRecord, before: CheckStanding, next: CheckStanding): CheckStanding {
    const has = placesOf(record);
    const places = next.places
      .filter(({ place }) => has.has(place))
      .map((place) => (place.counts && this.#isSilent(record, place) ? { ...place, counts: false } : place));
    const state = toState(places, record.places.quorum);
    return this.#keep(record, before, { ...next, places, state });
  }

  #keep(record: CheckRecord, before: CheckStanding, next: CheckStanding): CheckStanding {
    const { clock, directory, onStore, onTake } = this.#deps;
    const isOther = before.state !== next.state;
    const standing = { ...next, since: isOther ? clock.now() : before.since };
    directory.take(standing);
    if (isWorthStoring(before, standing)) onStore(standing, isOther);
    onTake(standing);
    return standing;
  }
}
