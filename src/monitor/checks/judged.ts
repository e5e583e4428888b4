/** Which checks are tried, and which are judged by what the monitor knows. */
import type { CheckTarget, GroupTarget, HeartbeatTarget } from "./schema.ts";

/** Whether nothing is asked for the check: a heartbeat, or a group. */
export function isJudged<T extends { readonly kind: CheckTarget["kind"] }>(
  target: T,
): target is T & { readonly kind: (GroupTarget | HeartbeatTarget)["kind"] } {
  return target.kind === "heartbeat" || target.kind === "group";
}
