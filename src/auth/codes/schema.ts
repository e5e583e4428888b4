import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";

/** A code that was sent: its id is "purpose:<keyed hash of the address>:<sending>". */
export const codeRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** Keyed hash of code, purpose, address and subject. */
  mac: z.string(),
  /** The registration, user or address that the code is for; "" for a decoy. */
  subject: z.string(),
  /** Keyed hash of the client address that asked for it; "" from releases that kept none. */
  sender: z.string().default(""),
  /** The requester chose the password of the registration that the code opens. */
  isRegistrant: z.boolean().default(false),
  /** The mail that it is in. */
  mailId: z.string().optional(),
  /** Wrong guesses of who holds the challenge, of the address that asked, and of all others. */
  handleTries: z.number().int().default(0),
  senderTries: z.number().int().default(0),
  tries: z.number().int(),
  createdAt: timeMs,
  expiresAt: timeMs,
});
export type CodeRecord = z.infer<typeof codeRecordSchema>;
