/** Mails of the outbox as administrators see them, shared by the services. */
import { z } from "@hono/zod-openapi";
import { isoTimeSchema, toIsoTime, toIsoTimeIfAny } from "../kit/text/iso-time.ts";
import type { OutboxEntry } from "./outbox-read.ts";

export const outboxMailStateSchema = z.enum(["waiting", "sent", "failed"]);

export const outboxMailSchema = z.object({
  id: z.string(),
  kind: z.string(),
  to: z.string(),
  subject: z.string(),
  state: outboxMailStateSchema,
  attempts: z.int(),
  createdAt: isoTimeSchema,
  nextAttemptAt: isoTimeSchema,
  expiresAt: isoTimeSchema,
  sentAt: isoTimeSchema.optional(),
  lastError: z.string().optional(),
  text: z.string(),
});
export type OutboxMailView = z.infer<typeof outboxMailSchema>;

export function toOutboxMailView(entry: OutboxEntry): OutboxMailView {
  const { createdAt, nextAttemptAt, expiresAt, sentAt, state, ...rest } = entry;
  return {
    ...rest,
    // Lists leave decoys out.
    state: state === "decoy" ? "waiting" : state,
    createdAt: toIsoTime(createdAt),
    nextAttemptAt: toIsoTime(nextAttemptAt),
    expiresAt: toIsoTime(expiresAt),
    sentAt: toIsoTimeIfAny(sentAt),
  };
}
