/** What tests of the sample log share: a log that is opened and replayed. */
import { silentLog } from "../../../../src/kit/observe/log.ts";
import {
  type SampleLogOptions,
  openSampleLog,
} from "../../../../src/store/series/samples/file-sample-log.ts";
import type {
  CheckpointEntry,
  ReplaySummary,
  SampleLogEvent,
  SampleRow,
} from "../../../../src/store/series/samples/samples.ts";
import { StoreError } from "../../../../src/store/store.ts";
import { createFixedClock, START } from "../../../support/fixed-clock.ts";
import type { TestDisk } from "./samples-disk.ts";

/** Name of the first segment. */
export const FIRST = "000000000001.samples";

export interface Opened {
  readonly log: Awaited<ReturnType<typeof openSampleLog>>;
  readonly rows: SampleRow[];
  readonly entries: CheckpointEntry[];
  readonly events: SampleLogEvent[];
  readonly summary: ReplaySummary;
}

/** Opens a log on `disk` and replays it; three columns unless told. */
export async function openLog(
  options: Partial<SampleLogOptions> & { disk?: TestDisk } = {},
): Promise<Opened> {
  const { disk, ...rest } = options;
  const rows: SampleRow[] = [];
  const entries: CheckpointEntry[] = [];
  const events: SampleLogEvent[] = [];
  const log = await openSampleLog({
    folder: "/samples",
    columns: ["fraction", "whole", "whole"],
    checkpoint: () => [],
    clock: createFixedClock(),
    log: silentLog,
    onEvent: (event) => events.push(event),
    ...(disk === undefined ? {} : { files: disk.files }),
    ...rest,
  });
  const summary = await log.replay({
    onCheckpoint: (entry) => entries.push(entry),
    onRow: (row) => rows.push(row),
  });
  return { log, rows, entries, events, summary };
}

/** A row that came at START. */
export function makeRow(
  key: string,
  at: number,
  values: readonly number[] = [0.5, at % 1_000, 7],
): SampleRow {
  return { key, at, receivedAt: START, values };
}

/** Whether an error says that the store cannot take writes. */
export const unavailable = (error: unknown): boolean =>
  error instanceof StoreError && error.code === "store_unavailable";

/** The times of rows. */
export function times(rows: readonly SampleRow[]): number[] {
  return rows.map(({ at }) => at);
}
