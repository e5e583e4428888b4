/** The uptime of all visible servers, kept ready: encoded once a minute, however many viewers ask. */
import type { Clock } from "../../kit/time/clock.ts";
import type { FleetView } from "./snapshot.ts";
import { addDays } from "../../kit/time/zone-days.ts";
import type { Usage } from "../usage/usage.ts";

export interface UptimeAnswer {
  /** `{"servers":[…],"from":…,"to":…}` in UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A strong entity tag, with its quotes. */
  readonly etag: string;
}

export interface UptimeAnswers {
  /** The answer for the last `days` days, at most the days that are kept. */
  read(days: number): UptimeAnswer;
  /** The same for all servers, including hidden ones; computed for each call. */
  readWhole(days: number): UptimeAnswer;
}

/** Lengths that are kept ready; a page asks for one or two. */
const MAX_ANSWERS = 4;

export function createUptimeAnswers(deps: {
  readonly usage: Pick<Usage, "uptimeDays" | "minutes">;
  readonly publicSnapshot: Pick<FleetView, "entries" | "visibleRevision"> & {
    readonly whole: Pick<FleetView, "entries" | "visibleRevision">;
  };
  readonly clock: Clock;
  readonly instance: string;
}): UptimeAnswers {
  const { usage, publicSnapshot, clock, instance } = deps;
  const encoder = new TextEncoder();
  const ready = new Map<number, UptimeAnswer>();
  let moment = "";

  /** Other servers, or another minute counted, are another text. */
  function toMoment({ visibleRevision }: Pick<FleetView, "visibleRevision">): string {
    return `${visibleRevision}-${usage.minutes}`;
  }

  function make(
    fleet: Pick<FleetView, "entries">,
    { days, tag }: { days: number; tag: string },
  ): UptimeAnswer {
    const to = new Date(clock.now()).toISOString().slice(0, 10);
    const servers = fleet.entries().map(({ record }) => {
      const { timeZone } = record.traffic;
      return { id: record.id, timeZone, ...usage.uptimeDays(record, days) };
    });
    const text = JSON.stringify({ servers, from: addDays(to, 1 - days), to });
    return { bytes: encoder.encode(text), etag: `"${instance}-${tag}-${days}"` };
  }

  return {
    read(days) {
      // A server that is hidden now goes at once; the rest changes when a minute was counted.
      const now = toMoment(publicSnapshot);
      if (now !== moment) ready.clear();
      moment = now;
      const found = ready.get(days);
      if (found !== undefined) return found;
      const made = make(publicSnapshot, { days, tag: moment });
      if (ready.size >= MAX_ANSWERS) ready.clear();
      ready.set(days, made);
      return made;
    },
    readWhole: (days) => make(publicSnapshot.whole, { days, tag: `whole-${toMoment(publicSnapshot.whole)}` }),
  };
}
