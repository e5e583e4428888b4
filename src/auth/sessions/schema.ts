/** Stored sessions, codes, challenges, links and counters of attempts. None of them contains a secret. */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";
import { amrSchema } from "../base/amr.ts";

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
  /** The authentication context class that the application asked for and got; absent: by `aal`. */
  acr: z.string().optional(),
  /** The passkey among `amr`: once it is removed, the session no longer counts as signed in with it. */
  passkeyId: z.string().optional(),
  ipPrefix: z.string(),
  userAgent: z.string(),
  label: z.string(),
  /** SHA-256 of the part that all refresh tokens of this sign-in share. */
  familyId: z.string(),
  /** Opens nothing but the setting up of a second factor, without which its owner may not sign in anymore. */
  mustEnrol: z.literal(true).optional(),
  /** The impersonating administrator. */
  impersonatedBy: z.string().optional(),
  /** The browser's session that an application's began with; it ends with that one. Its own id for a device's. */
  parentId: z.string().optional(),
  /** Granted `offline_access`: it outlives the browser's session, is its own parent, and ends after 30 days without use, or after a year. */
  isOffline: z.literal(true).optional(),
  /** The browser's session in which an offline one was granted; its ID tokens and sign-outs go by that. */
  browserId: z.string().optional(),
  /** In a browser session, the applications with tokens of that session: they are notified of its end. */
  applications: z.array(z.string()).optional(),
  /** The requested scope; absent in sign-ins of earlier releases without one. */
  scope: z.string().optional(),
  /** The resources at which the application may act; absent in sign-ins of before there were any, and first-party ones. */
  audience: z.array(z.string()).optional(),
  /**
   * The narrowed scope and audience of the last token request: those of the access token, and of the one before it.
   */
  accessScope: z.string().optional(),
  previousAccessScope: z.string().optional(),
  accessAudience: z.array(z.string()).optional(),
  previousAccessAudience: z.array(z.string()).optional(),
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

/** Lets an application have the sign-in of a browser, once; the id is the SHA-256 of the code. */
export const applicationCodeRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  clientId: z.string(),
  sessionId: z.string(),
  /** Where the browser was sent with it. */
  redirectUri: z.string(),
  /** SHA-256 of what only the browser that began has; "" where it showed nothing. */
  bindingHash: z.string(),
  /** The requested scope: words separated by spaces (RFC 6749 section 3.3). */
  scope: z.string().default(""),
  /** Where it wants to use it: resources. */
  audience: z.array(z.string()).default([]),
  /** Returned in the ID token (OpenID Connect Core 1.0 section 3.1.2.1). */
  nonce: z.string().optional(),
  /** The user's consent; the code is invalid once it is withdrawn. */
  consentId: z.string().optional(),
  /** The authentication context class that was requested and reached. */
  acr: z.string().optional(),
  /** How often it came with a wrong client, address or verifier. */
  tries: z.number().int().default(0),
  /** When it was used up, and the session that was opened with it. */
  usedAt: timeMs.optional(),
  openedId: z.string().optional(),
  expiresAt: timeMs,
});
export type ApplicationCodeRecord = z.infer<typeof applicationCodeRecordSchema>;

/** An authorization request that an application sent ahead (RFC 9126); the id is the SHA-256 of the last part of its address. */
export const pushedRequestRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  clientId: z.string(),
  parameters: z.record(z.string(), z.string()),
  /** When a browser first brought it: from then on it lives as long as a sign-in may take. */
  openedAt: timeMs.optional(),
  expiresAt: timeMs,
});

/** Attempts or sendings for one key (an account, a name, a mailbox); limits are computed from it. */
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

/** An application to notify about the end of a sign-in; the ID is "session:application". */
export const logoutRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  clientId: z.string(),
  userId: z.string(),
  /** The browser's session, as the ID token named it. */
  sid: z.string(),
  /** Claims so far; distinguishes a late outcome from that of the current claim. */
  attempts: z.number().int(),
  createdAt: timeMs,
  /** When it may be sent; while it is on its way, when its claim ends. */
  nextAttemptAt: timeMs,
  /** From then on it is given up. */
  expiresAt: timeMs,
  lastError: z.string().optional(),
});
export type LogoutRecord = z.infer<typeof logoutRecordSchema>;
