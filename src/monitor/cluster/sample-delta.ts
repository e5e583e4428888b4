/** Latest samples between nodes: numbers each time, the whole sample only when needed. */
import { mergeRow } from "../ingest/known-server.ts";
import type { LatestSample, LiveServer } from "../fleet/live.ts";
import type { MetricRow } from "../metrics.ts";
import { isJsonObject } from "../fleet/opaque-sample.ts";
import type { SampleMessage } from "./schema.ts";

/** While reports arrive, the lists and texts of a sample (cores, GPUs, sensors, mounts) are published this often. */
const FULL_MS = 10_000;

type Sample = LatestSample["sample"];

/** The set of metrics a sample has; when it changes, the sample is published whole. */
function shapeOf({ row, flags }: LatestSample): string {
  if (row === undefined || flags.length > 0) return "";
  let shape = "";
  for (const value of row) shape += Number.isNaN(value) ? "-" : "n";
  return shape.includes("n") ? shape : "";
}

/** What of a server's sample was published last. */
export interface Published {
  /** The sample's times and the set of metrics it had. */
  readonly sampleKey: string;
  readonly shape: string;
  /** When the whole sample was last published, monotonic milliseconds. */
  readonly fullMs: number;
}

/** What to publish of a sample, and what to remember of it. */
export interface SampleDelta {
  /** Undefined when peers have it already. */
  readonly sample: SampleMessage | undefined;
  readonly published: Published;
}

/** The part of the latest sample to publish: all of it when `isFull` or when due. */
export function toSampleDelta(
  { latest, details }: Pick<LiveServer, "latest" | "details">,
  { before, isFull, nowMs }: { before: Published | undefined; isFull: boolean; nowMs: number },
): SampleDelta {
  if (latest === undefined)
    return { sample: undefined, published: { sampleKey: "", shape: "", fullMs: -Infinity } };
  const { collectedAt: at, receivedAt, row, intervalMs, flags } = latest;
  const sampleKey = `${at} ${receivedAt}`;
  if (before?.sampleKey === sampleKey && !isFull) return { sample: undefined, published: before };
  const shape = shapeOf(latest);
  const isWhole =
    isFull ||
    before === undefined ||
    shape === "" ||
    shape !== before.shape ||
    nowMs - before.fullMs >= FULL_MS;
  const sample: SampleMessage = {
    at,
    receivedAt,
    intervalMs,
    // NaN becomes null as JSON.
    row: row && [...row],
    ...(isWhole ? { text: JSON.stringify({ ...latest.sample, details: undefined }), details } : {}),
    ...(flags.length === 0 ? {} : { flags: [...flags] }),
  };
  return { sample, published: { sampleKey, shape, fullMs: isWhole ? nowMs : before.fullMs } };
}

/** A peer's sample, kept as text and numbers and put together on demand. */
class RemoteSample implements LatestSample {
  readonly collectedAt: number;
  readonly receivedAt: number;
  readonly intervalMs: number | undefined;
  readonly flags: readonly string[];
  readonly details: string | undefined;
  readonly row: MetricRow | undefined;
  readonly #text: string | undefined;
  /** The earlier sample, for its texts and lists; never one that has a base itself. */
  readonly #base: LatestSample | undefined;

  constructor(message: SampleMessage, before: LatestSample | undefined) {
    this.collectedAt = message.at;
    this.receivedAt = message.receivedAt;
    this.intervalMs = message.intervalMs;
    this.flags = message.flags ?? [];
    this.details = message.details;
    this.row = message.row?.map((value) => value ?? Number.NaN);
    this.#text = message.text;
    if (message.text === undefined)
      this.#base = before instanceof RemoteSample ? (before.#base ?? before) : before;
  }

  get sample(): Sample {
    if (this.#text === undefined) return mergeRow(this.#base?.sample ?? {}, { values: this.row ?? [] });
    const sample: unknown = JSON.parse(this.#text);
    return isJsonObject(sample) ? sample : {};
  }
}

/** The latest sample after a message. */
export function applySampleDelta(message: SampleMessage, before: LatestSample | undefined): LatestSample {
  return new RemoteSample(message, before);
}
