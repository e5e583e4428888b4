/** What the first page shows: servers and checks alike. */
import type { ShownCheck } from "../../monitor/checks/shown-schema.ts";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";

export type HomeItem = PublicServer | ShownCheck;
/** States of both: those of servers, which have their counterparts among those of checks. */
export type State = PublicServer["state"];

const checkStates: Readonly<Record<ShownCheck["state"], State>> = {
  up: "online",
  down: "offline",
  partial: "offline",
  unknown: "never",
  paused: "disabled",
};

export function isCheck(item: HomeItem): item is ShownCheck {
  return "kind" in item;
}

export function toState(item: HomeItem): State {
  return isCheck(item) ? checkStates[item.state] : item.state;
}

/** Whether someone should look after it: it is down, and not in planned maintenance. */
export function isBroken(item: HomeItem): boolean {
  if (item.maintenanceUntil !== undefined) return false;
  return toState(item) === "offline" || (!isCheck(item) && item.reports !== undefined);
}

/** A key among all of them. */
export function toKey(item: HomeItem): string {
  return isCheck(item) ? `check ${item.id}` : item.id;
}
