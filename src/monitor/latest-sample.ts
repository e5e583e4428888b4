/**
 * A report kept as the latest of its server. Hidden here: it is kept as text and parsed again only when
 * someone looks, because most reports are replaced before anyone does, and a text is cheap to keep.
 */
import type { LatestSample } from "./live.ts";
import type { ParsedReport } from "./report.ts";

type Sample = LatestSample["sample"];

const MAX_INTERVAL_MS = 86_400_000;

/** What the sample says of its interval, when it is believable. */
export function readIntervalMs(sample: Sample): number | undefined {
  const value = sample["intervalMs"];
  return typeof value === "number" && value > 0 && value <= MAX_INTERVAL_MS ? value : undefined;
}

class ReceivedSample implements LatestSample {
  readonly collectedAt: number;
  readonly receivedAt: number;
  readonly intervalMs: number | undefined;
  readonly flags: readonly string[];
  #text: string;
  #sample: Sample | undefined;

  constructor(times: { collectedAt: number; receivedAt: number }, payload: { text: string; sample: Sample; flags: readonly string[] }) {
    this.collectedAt = times.collectedAt;
    this.receivedAt = times.receivedAt;
    this.intervalMs = readIntervalMs(payload.sample);
    this.flags = payload.flags;
    // A sample with clamped values differs from its text.
    this.#sample = payload.flags.length > 0 ? payload.sample : undefined;
    this.#text = payload.text;
  }

  get sample(): Sample {
    if (this.#sample !== undefined) return this.#sample;
    const sample: Sample = JSON.parse(this.#text);
    this.#sample = sample;
    this.#text = "";
    return sample;
  }
}

/** Keeps an accepted report; `payloadJson` is the text that it was parsed from. */
export function toLatestSample(
  report: Extract<ParsedReport, { ok: true }>,
  source: { payloadJson: string; collectedAt: number; receivedAt: number },
): LatestSample {
  const { sample, flags } = report;
  return new ReceivedSample(source, { text: source.payloadJson, sample, flags });
}
