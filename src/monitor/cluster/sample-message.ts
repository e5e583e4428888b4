/** Latest samples as they travel between nodes: numbers, and the rest as text that is only read when it is shown. */
import type { LatestSample, LiveServer } from "../fleet/live.ts";
import { isJsonObject } from "../fleet/opaque-sample.ts";
import type { SampleMessage } from "./schema.ts";

/** The message about a server's latest sample. `isFull`: with the last details, also those of an earlier report. */
export function toSampleMessage(
  { latest, details }: Pick<LiveServer, "latest" | "details">,
  isFull: boolean,
): SampleMessage | undefined {
  if (latest === undefined) return undefined;
  const { collectedAt: at, receivedAt, row, intervalMs, flags } = latest;
  const text = JSON.stringify({ ...latest.sample, details: undefined });
  // NaN becomes null as JSON.
  const numbers = row && [...row];
  return {
    at,
    receivedAt,
    intervalMs,
    row: numbers,
    text,
    details: isFull ? details : latest.details,
    flags,
  };
}

/** Reads {@link toSampleMessage}. */
export function fromSampleMessage(message: SampleMessage): LatestSample {
  const { at: collectedAt, receivedAt, intervalMs, row, text, details, flags } = message;
  return {
    collectedAt,
    receivedAt,
    intervalMs,
    details,
    flags,
    row: row?.map((value) => value ?? Number.NaN),
    get sample() {
      const sample: unknown = JSON.parse(text);
      return isJsonObject(sample) ? sample : {};
    },
  };
}
