/** How long segments are kept: until their window has passed and a checkpoint covers them. */
import type { Clock } from "../../../kit/time/clock.ts";
import { toError } from "../../../kit/thrown.ts";
import { writeCheckpoint } from "./checkpoint.ts";
import type { CheckpointEntry } from "./samples.ts";
import type { ReadSegment, SegmentFolder } from "./segment-files.ts";

/** A segment that is only kept for replay. */
interface KeptSegment {
  readonly seq: number;
  readonly path: string;
  /** When it may go, on the monotonic clock: a jump of the wall clock must neither drop nor hoard rows. */
  readonly dropAt: number;
}

export interface RetentionOptions {
  readonly place: SegmentFolder;
  readonly clock: Clock;
  readonly retainMs: number;
  readonly checkpoint: () => Iterable<CheckpointEntry>;
  /** The first segment that the checkpoint on disk may lack rows of. */
  readonly coveredSeq: number;
  /** Segments from this number on stay, whatever their age. */
  readonly keepFrom: () => number;
}

/** Starts with the checkpoint that is on disk. */
export function createRetention(options: RetentionOptions) {
  const { place, clock, retainMs } = options;
  let { coveredSeq } = options;
  let kept: readonly KeptSegment[] = [];

  function add({ seq, path }: { readonly seq: number; readonly path: string }, keepMs: number): void {
    kept = [...kept, { seq, path, dropAt: clock.monotonic() + keepMs }];
  }

  return {
    /** Keeps a segment that was read back at start. */
    addRead(segment: ReadSegment): void {
      const ageMs = clock.now() - segment.lastReceivedAt;
      add(segment, Math.min(Math.max(retainMs - ageMs, 0), retainMs));
    },
    /** Keeps a segment that takes no more rows from now on. */
    addClosed: (segment: { readonly seq: number; readonly path: string }): void => add(segment, retainMs),
    /** Writes a checkpoint that covers all segments before `firstSeq`; a failure is only logged. */
    async saveCheckpoint(firstSeq: number): Promise<void> {
      try {
        await writeCheckpoint(place.files, place.folder, { firstSeq, entries: options.checkpoint() });
        coveredSeq = firstSeq;
      } catch (error) {
        place.onEvent({ type: "checkpoint_failed", error: toError(error) });
      }
    },
    /** Removes segments that are covered and whose window has passed; a failure is only logged. */
    async dropPassed(): Promise<void> {
      for (const segment of kept) {
        const isNeeded = segment.seq >= Math.min(coveredSeq, options.keepFrom());
        if (isNeeded || segment.dropAt > clock.monotonic()) continue;
        try {
          await place.files.remove(segment.path);
        } catch (error) {
          place.onEvent({ type: "drop_failed", path: segment.path, error: toError(error) });
          continue;
        }
        kept = kept.filter((other) => other !== segment);
        place.onEvent({ type: "dropped", path: segment.path });
      }
    },
  };
}

export type Retention = ReturnType<typeof createRetention>;
