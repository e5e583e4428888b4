/** How check-ins, likes, invites, applications, events and the audit look in the store. */
import { z } from "zod";
import { timeMs } from "../kit/text/schemas.ts";
import { heldRolesSchema, roleRulesSchema } from "./roles/schema.ts";
import { accessRulesSchema } from "./policy/schema.ts";

/** Roles that an account or a group has. */
export const rolesHeldSchema = heldRolesSchema;

/** A civil day, "2026-01-31". */
export const daySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/u, "must be a day such as 2026-01-31");

const plainId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/u,
    "must be 1 to 64 lower-case letters, digits, dots, - or _, starting with a letter or digit",
  );

/** The name by which an application tells itself in `X-Auth-Client`. */
export const callerNameSchema = plainId;

/** The id of a registered application; letters of both cases, which differ, since ids come along from other centers. */
export const clientIdSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u,
    "must be 1 to 64 letters (A to Z, a to z), digits, dots, - or _, starting with a letter or digit",
  );

/** A group's name for programs. */
export const groupIdSchema = plainId;
/** Groups that one account may be in. */
export const MAX_GROUPS = 50;

/** One check-in; the id is "<userId>:<day>". */
export const checkInRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  userId: z.string(),
  day: daySchema,
  at: timeMs,
  streak: z.number().int().min(1),
  reward: z.number().int(),
  bonus: z.number().int(),
});
export type CheckInRecord = z.infer<typeof checkInRecordSchema>;

/** One like; the id is "<profile>:<liker>", where the liker is a user's id or a keyed hash of address and agent. */
export const likeRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  profileId: z.string(),
  likerId: z.string().optional(),
  at: timeMs,
});

/** The content of a picture; the id is "<userId>:<hash>". */
export const avatarRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  mediaType: z.enum(["image/png", "image/jpeg", "image/webp"]),
  base64: z.string(),
});

export const inviteRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** The first characters of the code, to tell invites apart. */
  prefix: z.string(),
  codeHash: z.string(),
  maxUses: z.number().int().min(1),
  usedCount: z.number().int().min(0),
  expiresAt: timeMs.optional(),
  boundEmail: z.string().optional(),
  /** When it was last mailed to `boundEmail`. */
  mailedAt: timeMs.optional(),
  emailDomains: z.array(z.string()),
  enabled: z.boolean(),
  note: z.string(),
  createdAt: timeMs,
  /** The last hundred uses. */
  uses: z.array(z.object({ userId: z.string(), at: timeMs })).max(100),
});
export type InviteRecord = z.infer<typeof inviteRecordSchema>;

/** That an application used an account; the id is "<userId>:<clientId>". */
export const accessRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  userId: z.string(),
  clientId: z.string(),
  firstAt: timeMs,
  lastAt: timeMs,
  /** All uses ever. */
  count: z.number().int(),
  /** Uses on each of the last 30 days with any, oldest first; days in UTC. */
  days: z.array(z.object({ day: daySchema, count: z.number().int() })).max(30),
});
export type AccessRecord = z.infer<typeof accessRecordSchema>;

/** Something that an owner wants to know of their account. */
export const eventRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  userId: z.string(),
  at: timeMs,
  /** Such as "sign-in", "password-changed", "refresh-reused". */
  kind: z.string(),
  clientId: z.string(),
  ipPrefix: z.string(),
  userAgent: z.string(),
  sessionId: z.string().optional(),
});
export type EventRecord = z.infer<typeof eventRecordSchema>;

/** What is known of the whole center: sessions made before `revokedBefore` are dead. */
export const stateRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  revokedBefore: timeMs,
  /** The last session of those whose applications were told of it. */
  toldOfEnds: z.string().optional(),
  /** Keyed hash of a fixed text: tells a wrong AUTH_SECRET at the start. */
  secretCheck: z.string(),
  /** Whether an account has a password hash that takes another time to check than ours; absent while unknown. */
  foreignHashes: z.boolean().optional(),
  /** The cost of ours when all accounts were last found without one. */
  hashesSearched: z.string().optional(),
  /** The host that passkeys are made for. */
  passkeyHost: z.string().optional(),
  /** When administrators were last mailed about accounts that wait for approval, and the newest of these. */
  waitingTold: z.object({ at: timeMs, lastId: z.string() }).optional(),
  /** When administrators were last mailed about changes, and the last entry of the audit that was looked at. */
  changesTold: z.object({ at: timeMs, lastId: z.string() }).optional(),
  /** Counts the changes of providers that people sign in by. */
  upstreamsEdition: z.number().int().optional(),
  /** Copies of what settings and groups demand of sign-ins. */
  accessRules: accessRulesSchema.optional(),
  /** Copies of what roles and groups give. */
  roleRules: roleRulesSchema.optional(),
});
export type StateRecord = z.infer<typeof stateRecordSchema>;
