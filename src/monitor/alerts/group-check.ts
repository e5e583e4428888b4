/** Checks that judge the members of a group together. */
import type { CheckRecord, GroupTarget } from "../checks/schema.ts";
import type { Watched } from "./kinds/watched.ts";

export type GroupCheck = CheckRecord & { readonly target: GroupTarget };

export function isGroupCheck(record: CheckRecord): record is GroupCheck {
  return record.target.kind === "group";
}

/** Whether it can be in a group: checks of groups could wait for each other. */
export function canBeMember({ type, record }: Watched): boolean {
  return record.group !== "" && !(type === "check" && isGroupCheck(record));
}
