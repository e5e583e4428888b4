/** Roles as the administration's routes give them. */
import type { Items } from "../../ui/console/paged.ts";
import type { RoleView } from "../../../auth/roles/view-schema.ts";
import { findText } from "../../app/texts.ts";

export const ROLES = "/api/admin/roles";

export type RoleList = Items<RoleView>;

/** Built-in roles have a name in each language. */
export function toRoleName({ id, name }: Pick<RoleView, "id" | "name">): string {
  return findText(`auth.roles.name.${id}`) ?? name;
}
