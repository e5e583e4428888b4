/** Checks that judge the members of a group together. */
import type { CheckRecord, GroupTarget } from "../checks/schema.ts";

export type GroupCheck = CheckRecord & { readonly target: GroupTarget };

export function isGroupCheck(record: CheckRecord): record is GroupCheck {
  return record.target.kind === "group";
}
