/** How sessions, codes, challenges, links and counters of attempts look in the store. No secret stands in any of them. */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";

/** How somebody signed in (RFC 8176 names): password, one-time password, second factor, e-mail code. */
export const amrSchema = z.enum(["pwd", "otp", "mfa", "email", "recovery", "impersonation"]);
export type Amr = z.infer<typeof amrSchema>;

export const sessionRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  userId: z.string(),
  clientId: z.string(),
  createdAt: timeMs,
  /** When the person last proved who they are; sensitive changes want it recent. */
  authenticatedAt: timeMs,
  lastSeenAt: timeMs,
  /** End of the refresh token's life without use; never after `absoluteExpiresAt`. */
  expiresAt: timeMs,
  absoluteExpiresAt: timeMs,
  amr: z.array(amrSchema),
  /** Authenticator assurance: 1, or 2 with a second factor (NIST SP 800-63B). */
  aal: z.number().int(),
  ipPrefix: z.string(),
  userAgent: z.string(),
  label: z.string(),
  /** SHA-256 of the part that all refresh tokens of this sign-in share. */
  familyId: z.string(),
  /** Who acts in this account, when it is not the owner. */
  impersonatedBy: z.string().optional(),
  tokenEpoch: z.number().int(),
  accessHash: z.string(),
  accessExpiresAt: timeMs,
  /** The access token before the last refresh lives on until its own end: other tabs still send it. */
  previousAccessHash: z.string().optional(),
  previousAccessExpiresAt: timeMs.optional(),
  refreshHash: z.string(),
  /** The last spent refresh token, when it was spent, and what its successor was derived with. */
  previousRefreshHash: z.string().optional(),
  rotatedAt: timeMs.optional(),
  /** The `rotatedAt` of the rotation whose spent token came again. */
  repeatedAt: timeMs.optional(),
  rotationNonce: z.string().optional(),
});
export type SessionRecord = z.infer<typeof sessionRecordSchema>;

export const codePurposeSchema = z.enum(["verify", "login", "email", "reauth"]);
export type CodePurpose = z.infer<typeof codePurposeSchema>;

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
  /** Who asked chose the password of the registration that the code opens. */
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

/** A sign-in that waits for its second factor; the id is the SHA-256 of what the person holds. */
export const challengeRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  userId: z.string(),
  tokenEpoch: z.number().int(),
  amr: z.array(amrSchema),
  /** The account comes back from deletion when the sign-in completes. */
  restores: z.boolean(),
  tries: z.number().int(),
  createdAt: timeMs,
  expiresAt: timeMs,
});
export type ChallengeRecord = z.infer<typeof challengeRecordSchema>;

/** A link, good once, to set a password; the id is the SHA-256 of its token. */
export const linkRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  userId: z.string(),
  purpose: z.enum(["reset", "set-password"]),
  /** The mailbox that its use proves, in the form for comparison. */
  sentTo: z.string().optional(),
  createdAt: timeMs,
  expiresAt: timeMs,
});

/** What was tried or sent for one key (an account, a name, a mailbox); limits are computed from it. */
export const attemptRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** Times within the last day, oldest first; at most 100. */
  times: z.array(timeMs).max(100),
  /** Failures since the last success. */
  failures: z.number().int(),
  lockedUntil: timeMs.optional(),
  expiresAt: timeMs,
});
export type AttemptRecord = z.infer<typeof attemptRecordSchema>;

/** A key that signs JWTs; the private half is sealed. */
export const signingKeyRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  publicJwk: z.record(z.string(), z.string()),
  sealedPrivateJwk: z.string(),
  createdAt: timeMs,
  /** From then on it signs no more. */
  retiresAt: timeMs,
  /** From then on nobody is told of it. */
  expiresAt: timeMs,
});
export type SigningKeyRecord = z.infer<typeof signingKeyRecordSchema>;
