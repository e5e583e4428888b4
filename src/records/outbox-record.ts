/** A mail of the outbox as the store keeps it. */
import { z } from "zod";
import { line, timeMs } from "../kit/text/schemas.ts";
import { defineCollection } from "../store/store.ts";

/**
 * "decoy": written in place of an email that must not be sent, so that both cost the same; never sent or
 * listed.
 */
const outboxStateSchema = z.enum(["waiting", "sent", "failed", "decoy"]);
export type OutboxState = z.infer<typeof outboxStateSchema>;

export const outboxRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** The kind of email, such as "code" or "notice". */
  kind: line(40).min(1),
  /** Such as the id of an order: mails of one thread leave to one address in the order of their writing. */
  thread: line(100).optional(),
  to: line(254),
  subject: line(500),
  /** The text, sealed; "" when it was sent, or is a draft yet. */
  sealedText: z.string().max(220_000),
  /** A draft, sealed, from which text and HTML are laid out when the mail is sent; absent when it was sent. */
  sealedDraft: z.string().max(260_000).optional(),
  /** The HTML part, sealed; absent when there is none, or it was sent. */
  sealedHtml: z.string().max(420_000).optional(),
  /** Where mails of this kind are switched off, sealed; absent when they cannot be, or it was sent. */
  sealedUnsubscribe: z.string().max(4_000).optional(),
  state: outboxStateSchema,
  /** Claims so far; one more than there were outcomes while it is on its way. */
  attempts: z.number().int().min(0),
  createdAt: timeMs,
  /** When it may be sent; while it is on its way, when its claim ends. */
  nextAttemptAt: timeMs,
  /** From this time on, the email is no longer sent or readable, and the next sweep deletes it. */
  expiresAt: timeMs,
  lastError: line(200).optional(),
  sentAt: timeMs.optional(),
  /** When an administrator asked for another try, and how many claims there were before. */
  release: z.object({ at: timeMs, attempts: z.number().int() }).optional(),
});
export type OutboxRecord = z.infer<typeof outboxRecordSchema>;

export const outboxCollection = defineCollection({
  name: "outbox",
  revision: 1,
  schema: outboxRecordSchema,
  ordered: {
    byDue: ["state", "nextAttemptAt"],
    byExpiresAt: ["expiresAt"],
    // Equal ones follow their ids, which sort by the time of writing.
    byState: ["state"],
    byKind: ["kind"],
    byKindState: ["kind", "state"],
    byThread: ["thread", "state"],
  },
});
