/** How check-ins, likes, invites, applications, events and the audit look in the store. */
import { z } from "zod";
import { fieldHints } from "../../kit/text/field-hints.ts";
import { timeMs } from "../../kit/text/schemas.ts";
import { heldRolesSchema, roleRulesSchema } from "./role-schema.ts";
import { accessRulesSchema } from "./policy-schema.ts";

/** Roles that an account or a group has. */
export const rolesHeldSchema = heldRolesSchema;

/** A civil day, "2026-01-31". */
export const daySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/u, "must be a day such as 2026-01-31");

const plainId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/u,
    "must be 1 to 64 lower-case letters, digits, dots, - or _, starting with a letter or digit",
  )
  .register(fieldHints, { max: 64 });

/** The name by which an application tells itself in `X-Auth-Client`. */
export const callerNameSchema = plainId;

/** The id of a registered application; letters of both cases, which differ, since ids come along from other centers. */
export const clientIdSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u,
    "must be 1 to 64 letters (A to Z, a to z), digits, dots, - or _, starting with a letter or digit",
  )
  .register(fieldHints, { max: 64 });

/** A group's name for programs. */
export const groupIdSchema = plainId;
/** Groups that one account may be in. */
export const MAX_GROUPS = 50;

/** State of the whole center: sessions created before `revokedBefore` are invalid. */
export const stateRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  revokedBefore: timeMs,
  /** The last session whose applications were notified. */
  toldOfEnds: z.string().optional(),
  /** Keyed hash of a fixed text: tells a wrong AUTH_SECRET at the start. */
  secretCheck: z.string(),
  /** The first AUTH_SECRET of these records, sealed with the present one; absent until it was changed. */
  secretLookups: z.string().optional(),
  /** Whether an account has a password hash that takes another time to check than ours; absent while unknown. */
  foreignHashes: z.boolean().optional(),
  /** The cost of ours when all accounts were last found without one. */
  hashesSearched: z.string().optional(),
  /** The host that passkeys are made for. */
  passkeyHost: z.string().optional(),
  /** When administrators were last mailed about accounts that wait for approval, and the newest ones then, up to ten. */
  waitingTold: z
    .object({ at: timeMs, lastId: z.string(), newest: z.array(z.string()).default([]) })
    .optional(),
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
