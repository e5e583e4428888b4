/** State changes of a check: the state, its time, and the reason. */
import type { CheckFault, CheckState } from "../../../../monitor/checks/schema.ts";
import type { Outage } from "../../../charts/outages.ts";

/** A time in one state. */
export interface CheckEvent {
  readonly id: string;
  readonly state: CheckState;
  readonly since: string;
  /** Absent of the present state. */
  readonly until?: string;
  readonly fault?: CheckFault;
  readonly detail: string;
  readonly dueAt?: string;
  /** Those that reported it as down. */
  readonly locations: { readonly monitor: boolean; readonly serverIds: readonly string[] };
}

/** The times at which it was down, the oldest first, for charts; those of the answer come the newest first. */
export function toOutages(events: readonly CheckEvent[], now: number): readonly Outage[] {
  return events
    .filter(({ state }) => state === "down")
    .map(({ since, until }) => ({
      from: Date.parse(since),
      to: until === undefined ? now : Date.parse(until),
      isOpen: until === undefined,
      isDown: true,
    }))
    .toReversed();
}
