/** Roles as administrators see them. */
import { z } from "zod";
import { roleNameSchema, roleScopesSchema } from "../base/role-schema.ts";

/** What an administrator sets of a role. */
export const roleFieldsSchema = z.strictObject({ name: roleNameSchema, scopes: roleScopesSchema });

export const roleSchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  builtIn: z.boolean(),
  everything: z.boolean().describe("Whether it also allows what no scope names, such as giving roles"),
  version: z.int().describe("Also the entity tag"),
});
export type RoleView = z.infer<typeof roleSchema>;
