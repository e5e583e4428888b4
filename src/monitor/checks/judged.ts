/** Which checks run, and which the monitor judges by what it knows. */
import type { CheckTarget, GroupTarget, HeartbeatTarget } from "./schema.ts";

/** Whether the check has no check runs: a heartbeat, or a group. */
export function isJudged<T extends { readonly kind: CheckTarget["kind"] }>(
  target: T,
): target is T & { readonly kind: (GroupTarget | HeartbeatTarget)["kind"] } {
  return target.kind === "heartbeat" || target.kind === "group";
}
