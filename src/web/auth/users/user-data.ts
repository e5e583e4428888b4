/** Where accounts are, and who may change them. */
import { mayUse } from "../../ui/console/session.ts";

export const USERS = "/api/admin/users";

/** The routes of one account. */
export function userPath(id: string, action = ""): string {
  return `${USERS}/${id}${action}`;
}

/** Whether the person may change accounts; giving rights and many accounts at once take an administrator. */
export function mayChangeUsers(): boolean {
  return mayUse("users:write");
}
