/** Groups of accounts: applications admit accounts by group, and receive the groups of a user. */
import { z } from "zod";
import { timeMs, trimmedLine } from "../../kit/text/schemas.ts";
import { groupIdSchema, rolesHeldSchema } from "../base/ledger-schema.ts";
import { ownClaimsSchema } from "../claims/schema.ts";
import { assuranceSchema } from "../base/policy-schema.ts";

/** The id cannot hold a comma: headers list groups with commas between them. */
export const groupRecordSchema = z.object({
  id: groupIdSchema,
  version: z.number().int(),
  title: trimmedLine(100),
  /** The authentication that its members need at every application. */
  minimumAssurance: assuranceSchema.optional(),
  /** Roles of its members; absent: none. */
  roles: rolesHeldSchema.optional(),
  /** Claims of its members for applications. */
  claims: ownClaimsSchema.optional(),
  createdAt: timeMs,
  editVersion: z.number().int(),
});
export type GroupRecord = z.infer<typeof groupRecordSchema>;

const { id, title, minimumAssurance, claims } = groupRecordSchema.shape;

/** A new group; its id stays as it is. */
export const newGroupSchema = z.strictObject({ id, title });

/** Changes by an administrator; omitted members are unchanged. */
export const groupChangeSchema = z.strictObject({ title: title.optional(), minimumAssurance, claims });
export type GroupChange = z.infer<typeof groupChangeSchema>;

/** A group as answers have it. */
export type GroupView = Pick<GroupRecord, "id" | "title" | "minimumAssurance" | "claims" | "version"> & {
  readonly members: number;
  /** Roles of its members. */
  readonly roles: readonly string[];
  readonly createdAt: string;
};

/** That an account is in a group, for the group's list; the id is "<groupId>:<userId>". The account has its groups too. */
export const membershipRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  groupId: groupIdSchema,
  userId: z.string(),
});
