/** What nodes of the monitor tell each other: the messages of three topics. Times are epoch milliseconds. */
import { z } from "zod";

/** Topics on the monitor's bus. */
export const topics = { nodes: "nodes", servers: "servers", records: "records" } as const;

const text = z.string().min(1).max(200);
const count = z.number().int().nonnegative();

/** Signs of life. `asks` grows when the sender wants to be told everything anew. */
export const nodeMessageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("beat"), asks: count }),
  /** The sender has told everything that it knows. */
  z.object({ type: z.literal("told") }),
  /** The sender stops in order. */
  z.object({ type: z.literal("bye") }),
]);
export type NodeMessage = z.infer<typeof nodeMessageSchema>;

/** A latest sample: always its numbers when they are known, now and then all of it, as the text of a JSON object. */
const sampleSchema = z.object({
  at: z.number(),
  receivedAt: z.number(),
  intervalMs: z.number().optional(),
  row: z.array(z.number().nullable()).max(256).optional(),
  text: z.string().max(500_000).optional(),
  flags: z.array(z.string()).optional(),
});

/** The state of one server. Short names: a fleet sends a thousand of these a second. */
export const toldServerSchema = z.object({
  id: text,
  /** When the record was made: a server that was made again under its id is another. */
  made: z.number(),
  n: count,
  seen: z.number().optional(),
  /** Absent when it is the sender. */
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
export type ToldServer = z.infer<typeof toldServerSchema>;
export type ToldSample = z.infer<typeof sampleSchema>;

export const serversMessageSchema = z.object({ servers: z.array(toldServerSchema) });
