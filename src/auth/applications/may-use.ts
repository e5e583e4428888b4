/** Who may use an application. */
import type { UserRecord } from "../accounts/schema.ts";
import type { ClientRecord } from "./schema.ts";

/** Whether the account may: an application that names groups is for their members alone, and one that is off for nobody. */
export function mayUse(
  { enabled, allowedGroups }: Pick<ClientRecord, "enabled" | "allowedGroups">,
  { groups = [] }: Pick<UserRecord, "groups">,
): boolean {
  return enabled && (allowedGroups.length === 0 || allowedGroups.some((group) => groups.includes(group)));
}
