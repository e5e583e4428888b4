/** Restored data of a server: its latest sample, and which reports were stored before. */
import { z } from "zod";
import { ByteReader, createByteWriter } from "../../kit/text/varint.ts";
import type { SampleRow } from "../../store/series/samples/samples.ts";
import { type UsageCheckpoint, usageCheckpointSchema } from "../usage/schema.ts";
import { type Dedupe, createDedupe } from "./dedupe.ts";
import { readIntervalMs } from "./latest-sample.ts";
import { type LatestSample, type LiveServer, toWholeSample } from "../fleet/live.ts";
import { metrics } from "../base/metric-table.ts";

const factsSchema = z.object({
  reportsStored: z.number(),
  lastSeenAt: z.number(),
  stateSince: z.number().optional(),
  latest: z
    .object({
      collectedAt: z.number(),
      receivedAt: z.number(),
      sample: z.record(z.string(), z.unknown()),
      flags: z.array(z.string()),
    })
    .optional(),
  /** Absent in checkpoints that were written before usage was counted. */
  dayBook: usageCheckpointSchema.optional(),
});
type Facts = z.infer<typeof factsSchema>;

/** A server as it is brought back; grows while rows are replayed, so rows cost little. */
export interface KnownServer {
  /** Whether the checkpoint knows it. */
  readonly isCheckpointed: boolean;
  readonly dedupe: Dedupe;
  readonly facts: Facts;
  /** The latest row that is newer than the latest sample of the facts. */
  readonly newest: { row: SampleRow | undefined };
}

/** A server of which nothing is known. */
export function createKnownServer(): KnownServer {
  return {
    isCheckpointed: false,
    dedupe: createDedupe(),
    facts: { reportsStored: 0, lastSeenAt: 0 },
    newest: { row: undefined },
  };
}

function toKept(live: LiveServer): Facts["latest"] {
  if (live.latest === undefined) return undefined;
  const { collectedAt, receivedAt, flags } = live.latest;
  return { collectedAt, receivedAt, sample: toWholeSample(live), flags: [...flags] };
}

function readDetails({ details }: Readonly<Record<string, unknown>>): string | undefined {
  return details === undefined ? undefined : JSON.stringify(details);
}

/** The blob for the checkpoint; holds only what is durable. */
export function toBlob(
  dedupe: Dedupe,
  { live, dayBook }: { readonly live: LiveServer; readonly dayBook: UsageCheckpoint | undefined },
): Uint8Array {
  const facts: Facts = {
    reportsStored: live.reportsStored,
    lastSeenAt: live.lastSeenAt ?? 0,
    ...(live.state === "online" ? { stateSince: live.stateSince } : {}),
    latest: toKept(live),
    ...(dayBook === undefined ? {} : { dayBook }),
  };
  const seen = dedupe.serialise();
  const writer = createByteWriter();
  writer.varint(seen.byteLength);
  writer.bytes(seen);
  writer.bytes(new TextEncoder().encode(JSON.stringify(facts)));
  return writer.take();
}

/** Reads {@link toBlob}. Throws when the blob is of another version or damaged. */
export function parseBlob(blob: Uint8Array): KnownServer {
  const reader = new ByteReader(blob);
  const from = reader.bytes(reader.varint());
  const facts = factsSchema.parse(JSON.parse(new TextDecoder().decode(reader.bytes(reader.left))));
  return { isCheckpointed: true, dedupe: createDedupe({ from }), facts, newest: { row: undefined } };
}

/** Lays a row's numbers over the sample before; texts and lists of that sample stay. */
export function mergeRow(
  before: Readonly<Record<string, unknown>>,
  row: Pick<SampleRow, "values">,
): Record<string, unknown> {
  const sample: Record<string, unknown> = { ...before, v: 1 };
  metrics.forEach((metric, index) => {
    const value = row.values[index] ?? Number.NaN;
    const [group, field] = metric.name.split(".");
    if (Number.isNaN(value) || group === undefined || "isReckoned" in metric) return;
    if (field === undefined) sample[group] = value;
    else sample[group] = { ...toObject(sample[group]), [field]: value };
  });
  return sample;
}

function toObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function hasNumbers(row: SampleRow): boolean {
  for (let index = 0; index < row.values.length; index += 1)
    if (!Number.isNaN(row.values[index])) return true;
  return false;
}

function orderOf(row: SampleRow): number {
  return Math.min(row.at, row.receivedAt);
}

/**
 * Adds a replayed row, which may be part of the checkpoint already. One of a segment that the checkpoint covers was
 * counted then: it may have come too long ago to be among the arrivals that are remembered.
 */
export function addRow(server: KnownServer, row: SampleRow, isCovered: boolean): void {
  const { dedupe, facts, newest } = server;
  if (!(isCovered && server.isCheckpointed) && dedupe.claim(row.at) === "new") {
    dedupe.remember(row.at);
    facts.reportsStored += 1;
  }
  facts.lastSeenAt = Math.max(facts.lastSeenAt, row.receivedAt);
  const { latest } = facts;
  const before =
    newest.row ??
    (latest === undefined ? undefined : { ...row, at: latest.collectedAt, receivedAt: latest.receivedAt });
  if (hasNumbers(row) && (before === undefined || orderOf(row) >= orderOf(before))) newest.row = row;
}

/** The latest sample after all rows were added. */
export function findLatest({ facts, newest }: KnownServer): LatestSample | undefined {
  const { latest } = facts;
  const { row } = newest;
  if (row === undefined)
    return (
      latest && {
        ...latest,
        intervalMs: readIntervalMs(latest.sample),
        details: readDetails(latest.sample),
      }
    );
  const sample = mergeRow(latest?.sample ?? {}, row);
  return {
    collectedAt: row.at,
    receivedAt: row.receivedAt,
    sample,
    intervalMs: readIntervalMs(sample),
    details: readDetails(sample),
    flags: [],
  };
}
