/** Roles as administrators see them. */
import { z } from "zod";
import { roleNameSchema, roleScopesSchema } from "../base/role-schema.ts";

/** Fields of a role that an administrator sets. */
export const roleFieldsSchema = z.strictObject({ name: roleNameSchema, scopes: roleScopesSchema });

export const roleSchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  builtIn: z.boolean(),
  everything: z
    .boolean()
    .describe("Whether the role also allows actions without a scope, such as assigning roles"),
  version: z.int().describe("Also the ETag"),
});
export type RoleView = z.infer<typeof roleSchema>;
