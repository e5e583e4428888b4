/** Latest samples as nodes tell them. */
import { mergeRow } from "../ingest/known-server.ts";
import type { LatestSample } from "../fleet/live.ts";
import type { MetricRow } from "../metrics.ts";
import { isJsonObject } from "../ingest/report-check.ts";
import type { Told } from "./claims.ts";
import type { ToldSample } from "./schema.ts";

/** Lists and texts of a sample (cores, GPUs, sensors, mounts) are told this often while reports come. */
const FULL_MS = 10_000;

type Sample = LatestSample["sample"];

/** Which numbers a sample has; when others are there, all of it is told. */
function shapeOf({ row, flags }: LatestSample): string {
  if (row === undefined || flags.length > 0) return "";
  let shape = "";
  for (const value of row) shape += Number.isNaN(value) ? "-" : "n";
  return shape.includes("n") ? shape : "";
}

/** What is told of a sample, and what is remembered of that. */
export interface Telling {
  /** Undefined: others were told of it. */
  readonly sample: ToldSample | undefined;
  readonly told: Pick<Told, "sampleKey" | "shape" | "fullMs">;
}

/** What to tell of the latest sample, all of it when `isFull` or when that is due. */
export function tellSample(
  latest: LatestSample | undefined,
  { told, isFull, nowMs }: { told: Told | undefined; isFull: boolean; nowMs: number },
): Telling {
  if (latest === undefined)
    return { sample: undefined, told: { sampleKey: "", shape: "", fullMs: -Infinity } };
  const { collectedAt: at, receivedAt, row, intervalMs, flags } = latest;
  const sampleKey = `${at} ${receivedAt}`;
  if (told !== undefined && told.sampleKey === sampleKey && !isFull) return { sample: undefined, told };
  const shape = shapeOf(latest);
  const isWhole =
    isFull || told === undefined || shape === "" || shape !== told.shape || nowMs - told.fullMs >= FULL_MS;
  const sample: ToldSample = {
    at,
    receivedAt,
    ...(intervalMs === undefined ? {} : { intervalMs }),
    // NaN becomes null as JSON.
    ...(row === undefined ? {} : { row: [...row] }),
    ...(isWhole ? { text: JSON.stringify(latest.sample) } : {}),
    ...(flags.length === 0 ? {} : { flags: [...flags] }),
  };
  return { sample, told: { sampleKey, shape, fullMs: isWhole ? nowMs : (told?.fullMs ?? nowMs) } };
}

/** A sample of another node: kept as text and numbers, and put together when someone looks. */
class RemoteSample implements LatestSample {
  readonly collectedAt: number;
  readonly receivedAt: number;
  readonly intervalMs: number | undefined;
  readonly flags: readonly string[];
  readonly row: MetricRow | undefined;
  readonly #text: string | undefined;
  /** The sample before, for its texts and lists; never one that has a base itself. */
  readonly #base: LatestSample | undefined;

  constructor(told: ToldSample, before: LatestSample | undefined) {
    this.collectedAt = told.at;
    this.receivedAt = told.receivedAt;
    this.intervalMs = told.intervalMs;
    this.flags = told.flags ?? [];
    this.row = told.row?.map((value) => value ?? Number.NaN);
    this.#text = told.text;
    if (told.text === undefined)
      this.#base = before instanceof RemoteSample ? (before.#base ?? before) : before;
  }

  get sample(): Sample {
    if (this.#text === undefined) return mergeRow(this.#base?.sample ?? {}, { values: this.row ?? [] });
    const sample: unknown = JSON.parse(this.#text);
    return isJsonObject(sample) ? sample : {};
  }
}

/** The sample that was told, over what is known of the server. */
export function takeSample(told: ToldSample, before: LatestSample | undefined): LatestSample {
  return new RemoteSample(told, before);
}
