/** Roles as administrators see them. */
import { z } from "zod";

export const roleSchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  builtIn: z.boolean(),
  everything: z.boolean().describe("Whether it also allows what no scope names, such as giving roles"),
  version: z.int().describe("Also the entity tag"),
});
export type RoleView = z.infer<typeof roleSchema>;
