/** What rules watch: servers and checks, with a key that is unique across both. */
import type { CheckRecord } from "../../checks/schema.ts";
import type { ServerRecord } from "../../base/schema.ts";

/** Something that rules watch. */
export type Watched =
  | { readonly type: "server"; readonly record: ServerRecord }
  | { readonly type: "check"; readonly record: CheckRecord };
export type WatchedType = Watched["type"];

/** By which of its ids an incident names what it is about; it has one of them. */
export interface WatchedRef {
  readonly serverId?: string | undefined;
  readonly checkId?: string | undefined;
}

/** The key of a server or check among both. Ids hold no colon, so a server is never taken for a check. */
export function toWatchedKey({ serverId = "", checkId }: WatchedRef): string {
  return checkId === undefined ? serverId : `check:${checkId}`;
}

/** The ids by which an incident names it. */
export function toWatchedRef({ type, record }: Watched): WatchedRef {
  return type === "server" ? { serverId: record.id } : { checkId: record.id };
}

/** Whether an administrator paused it: then it is not evaluated. */
export function isPaused({ type, record }: Watched): boolean {
  return type === "server" ? record.disabled : record.paused;
}
