/** How long segments are kept: until their window has passed and a checkpoint covers them. */
import type { Clock } from "../../../kit/time/clock.ts";
import { toError } from "../../../kit/thrown.ts";
import { writeCheckpoint } from "./checkpoint.ts";
import { type ManifestSegment, writeManifest } from "./manifest.ts";
import type { CheckpointEntry } from "./samples.ts";
import type { ReadSegment, SegmentFolder } from "./segment-files.ts";
import type { OpenSegment } from "./segment-writer.ts";

/** How old the note may be of what is durable in the open segment. */
const MANIFEST_MS = 60_000;

/** A segment that is only kept for replay. */
export interface KeptSegment extends ManifestSegment {
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
  /** When the manifest was written last. */
  let savedAt = clock.monotonic();

  function add(segment: Omit<KeptSegment, "dropAt">, keepMs: number): void {
    kept = [...kept, { ...segment, dropAt: clock.monotonic() + keepMs }];
  }

  /** Notes what has to be there: the open segment as far as it is durable, and those that stay. */
  async function saveManifest(open: OpenSegment, stay: readonly KeptSegment[] = kept): Promise<boolean> {
    savedAt = clock.monotonic();
    try {
      await writeManifest(place.files, place.folder, {
        newest: open.seq,
        coveredSeq,
        keptFrom: toKeptFrom(options.keepFrom()),
        segments: [...stay.filter(({ seq }) => seq !== open.seq), toKept(open, clock.now())].map(
          ({ seq, durableBytes, from, to }) => ({ seq, durableBytes, from, to }),
        ),
      });
      return true;
    } catch (error) {
      place.onEvent({ type: "manifest_failed", error: toError(error) });
      return false;
    }
  }

  return {
    /** Keeps a segment that was read back at start. */
    addRead(segment: ReadSegment): void {
      const { seq, path, durableBytes, baseMs: from, lastReceivedAt: to } = segment;
      const ageMs = clock.now() - to;
      add({ seq, path, durableBytes, from, to }, Math.min(Math.max(retainMs - ageMs, 0), retainMs));
    },
    /** Keeps a segment that takes no more rows from now on. */
    addClosed: (segment: OpenSegment): void => add(toKept(segment, clock.now()), retainMs),
    /** Segments that take no more rows. */
    get kept(): readonly KeptSegment[] {
      return kept;
    },
    saveManifest: (open: OpenSegment): Promise<boolean> => saveManifest(open),
    /** Writes a checkpoint that covers all segments before `firstSeq`; a failure is only logged. */
    async saveCheckpoint(firstSeq: number): Promise<void> {
      try {
        await writeCheckpoint(place.files, place.folder, { firstSeq, entries: options.checkpoint() });
        coveredSeq = firstSeq;
      } catch (error) {
        place.onEvent({ type: "checkpoint_failed", error: toError(error) });
      }
    },
    /**
     * Removes segments that are covered and whose window has passed, and notes now and then how much of the open one is
     * durable; failures are only logged.
     */
    async tidy(open: OpenSegment): Promise<void> {
      if (open.rows > 0 && clock.monotonic() - savedAt >= MANIFEST_MS) await saveManifest(open);
      const isPassed = ({ seq, dropAt }: KeptSegment): boolean =>
        seq < Math.min(coveredSeq, options.keepFrom()) && dropAt <= clock.monotonic();
      const passed = kept.filter(isPassed);
      if (passed.length === 0) return;
      // Nothing may be missed that was removed on purpose.
      if (
        !(await saveManifest(
          open,
          kept.filter((segment) => !passed.includes(segment)),
        ))
      )
        return;
      for (const segment of passed) {
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

/** JSON has no infinity. */
function toKeptFrom(seq: number): number {
  return Number.isFinite(seq) ? seq : 0;
}

/** A segment as it is kept: what is not durable is not missed. */
function toKept(
  { seq, path, durableBytes, headerBytes, baseMs }: OpenSegment,
  to: number,
): Omit<KeptSegment, "dropAt"> {
  return { seq, path, durableBytes: durableBytes > headerBytes ? durableBytes : 0, from: baseMs, to };
}

export type Retention = ReturnType<typeof createRetention>;
