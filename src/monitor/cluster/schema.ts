/** Messages between the nodes of a monitor, on three topics. Times are epoch milliseconds. */
import { z } from "zod";

/** Topics on the monitor's bus. */
export const topics = { nodes: "nodes", servers: "servers", records: "records" } as const;

const text = z.string().min(1).max(200);
const count = z.number().int().nonnegative();

/** Heartbeats and the like. `asks` grows when the sender wants everything again. */
export const nodeMessageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("beat"), asks: count }),
  /** The sender has published everything it knows. */
  z.object({ type: z.literal("told") }),
  /** The sender is stopping. */
  z.object({ type: z.literal("bye") }),
]);
export type NodeMessage = z.infer<typeof nodeMessageSchema>;

/** A latest sample: its numbers whenever known, and from time to time the whole sample as JSON text. */
const sampleSchema = z.object({
  at: z.number(),
  receivedAt: z.number(),
  intervalMs: z.number().optional(),
  row: z.array(z.number().nullable()).max(256).optional(),
  text: z.string().max(500_000).optional(),
  /** The last details, as JSON text; with the whole sample only. */
  details: z.string().max(500_000).optional(),
  flags: z.array(z.string()).optional(),
});

/** The state of one server. Short names: a fleet sends a thousand of these a second. */
export const serverStateSchema = z.object({
  id: text,
  /** Creation time of the record: a server created again under the same id is another server. */
  made: z.number(),
  n: count,
  seen: z.number().optional(),
  /** The owner; absent when it is the sender. */
  holder: text.optional(),
  open: z.boolean(),
  state: z.enum(["never", "online", "offline"]),
  since: z.number(),
  last: z.number().optional(),
  stored: count,
  /** Whether the agent seems to run twice. */
  twice: z.boolean().optional(),
  sample: sampleSchema.optional(),
});
export type ServerStateMessage = z.infer<typeof serverStateSchema>;
export type SampleMessage = z.infer<typeof sampleSchema>;

export const serversMessageSchema = z.object({ servers: z.array(serverStateSchema) });
