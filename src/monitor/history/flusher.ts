/** Moves what was accumulated into the rollups. */
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { RollupStore } from "../../store/series/rollups/rollups.ts";
import type { Accumulator } from "./accumulator.ts";

/** A minute of one server takes about 1 kB. 3,000 servers fill 15,000 in the 5 minutes of a segment. */
const WANTED_AT_MINUTES = 40_000;
const FULL_AT_MINUTES = 120_000;
const RETRY_MS = 30_000;

/** Creates the flusher of an accumulator. */
export function createFlusher(deps: {
  readonly accumulator: Accumulator;
  readonly rollups: RollupStore;
  readonly keyOf: (serverId: string) => string | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** For tests. Default 120,000. */
  readonly maxMinutes?: number;
}) {
  const { accumulator, rollups, keyOf, clock, log, maxMinutes = FULL_AT_MINUTES } = deps;
  const wantedAt = Math.min(WANTED_AT_MINUTES, Math.ceil(maxMinutes / 3));
  let failedAt: number | undefined;

  return {
    /** Flushes what came before the segment `nextSeq`; a failure is only logged, and what failed goes with the next. */
    async flush(nextSeq: number): Promise<void> {
      try {
        await rollups.flush({
          nextSeq,
          collect: (fromSeq) => accumulator.collect({ fromSeq, toSeq: nextSeq }, keyOf),
        });
        if (failedAt !== undefined) log.info("The history can be stored again");
        failedAt = undefined;
      } catch (error) {
        if (failedAt === undefined)
          log.error("The history cannot be stored. It is kept in memory and in the sample log", { error });
        failedAt = clock.monotonic();
      }
      accumulator.dropBefore(rollups.flushedSeq);
    },
    /** Whether so much has come that it should be flushed before its time. */
    wantsFlush(): boolean {
      if (failedAt !== undefined && clock.monotonic() - failedAt < RETRY_MS) return false;
      return accumulator.minutes >= wantedAt;
    },
    /** @throws AppError `store_unavailable` when no more can be kept in memory */
    assertRoom(): void {
      if (accumulator.minutes < maxMinutes) return;
      throw new AppError(
        "store_unavailable",
        "The history has been unavailable for too long. Send the report again later",
      );
    },
  };
}
