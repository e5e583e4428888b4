/** Messages between the nodes of a monitor. Times are epoch milliseconds. */
import { z } from "zod";

/** Topics on the monitor's bus; the answer to `everything` comes when all states are published. */
export const topics = { states: "states", everything: "everything", records: "records" } as const;

const text = z.string().min(1).max(200);
const count = z.number().int().nonnegative();

const sampleSchema = z.object({
  at: z.number(),
  receivedAt: z.number(),
  intervalMs: z.number().optional(),
  row: z.array(z.number().nullable()).max(256).optional(),
  /** The whole sample as JSON, without details. */
  text: z.string().max(500_000),
  /** As JSON. */
  details: z.string().max(500_000).optional(),
  flags: z.array(z.string()).readonly(),
});

/** The state of one server. Short names: a fleet sends a thousand of these a second. */
export const serverStateSchema = z.object({
  id: text,
  /** Creation time of the record: a server created again under the same id is another server. */
  made: z.number(),
  /** The owner's term; 0 from a node that is not the owner and knows of a later sign of life or sample. */
  n: count,
  open: z.boolean(),
  state: z.enum(["never", "online", "offline"]),
  since: z.number(),
  last: z.number().optional(),
  stored: count,
  /** Whether the agent seems to run twice. */
  twice: z.boolean().optional(),
  /** Why a server that is online shows nothing new: "" when its reports stay away, else why they are rejected. */
  silence: z.string().max(500).optional(),
  /** Absent when it was published before. */
  sample: sampleSchema.optional(),
});
export type ServerStateMessage = z.infer<typeof serverStateSchema>;
export type SampleMessage = z.infer<typeof sampleSchema>;

export const statesMessageSchema = z.object({ servers: z.array(serverStateSchema) });
