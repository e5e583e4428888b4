/** Parts of a server: their record in the store, and what requests ask and get. */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { serverIdSchema } from "../base/schema.ts";
import { MAX_PART_NAME, MOST_PARTS, type PartKindName, partKindNames } from "../base/part-metrics.ts";
import { historyQuerySchema, historySchema } from "../history/schema.ts";

const MAX_METRICS = 16;

/** `as`: the names are those of the kinds. */
export const partKindSchema = z.enum(partKindNames as [PartKindName, ...PartKindName[]]);

export const partSchema = z.object({
  kind: partKindSchema,
  name: z.string().max(MAX_PART_NAME),
  /** Its place among the series of its kind. */
  slot: z
    .number()
    .int()
    .min(0)
    .max(MOST_PARTS - 1),
  /** Earlier points of its series belong to another part; 0: none do. */
  since: timeMs.or(z.literal(0)),
  /** When it was reported last, by the agent's clock. */
  lastAt: timeMs,
});
export type PartFields = z.infer<typeof partSchema>;

/** The parts of one server. */
export const serverPartsRecordSchema = z.object({
  id: serverIdSchema,
  version: z.number().int(),
  /** Of the server: distinguishes it from one that gets its id later. */
  createdAt: timeMs,
  parts: z.array(partSchema),
});
export type ServerPartsRecord = z.infer<typeof serverPartsRecordSchema>;

export const leftOutReasons = ["too_many", "name_too_long"] as const;

/** Parts that are not kept, for administrators. */
export const leftOutSchema = z.object({
  kind: partKindSchema,
  reason: z.enum(leftOutReasons),
  name: z.string().describe("The last name that was left out, shortened"),
  count: z.number().int().describe("How often since `since`"),
  since: isoTimeSchema,
});

export const partListSchema = z.object({
  items: z.array(
    z.object({
      kind: partKindSchema,
      name: z.string(),
      metrics: z.array(z.string()).describe("What its history can be asked for"),
      lastAt: isoTimeSchema.describe("When it was reported last"),
    }),
  ),
  leftOut: z
    .array(leftOutSchema)
    .optional()
    .describe("Parts without a history, because a server has up to 64 of a kind. For administrators"),
  now: isoTimeSchema,
});
export type PartList = z.infer<typeof partListSchema>;

const metricName = z.string().regex(/^[A-Za-z]{1,40}$/u, "must be a metric of the part, such as usedPercent");

export const partHistoryQuerySchema = historyQuerySchema.extend({
  kind: partKindSchema,
  name: z.string().min(1).max(MAX_PART_NAME).describe("Name of the part, such as the path of a mount"),
  metric: z
    .union([metricName, z.array(metricName).min(1).max(MAX_METRICS)])
    .describe("Metric of the part. Repeat the parameter for more series"),
});

const series = historySchema.shape.items.element;
export const partHistorySchema = historySchema.extend({
  items: z.array(series.extend({ metric: z.string() })),
});
