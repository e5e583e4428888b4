/** A check's target, for lists and searches. */
import { kindOf } from "../../kit/probes/kinds/kinds.ts";
import type { CheckRecord } from "./schema.ts";

/** The target in a few words; "" for a heartbeat. */
export function toAddress({ target }: Pick<CheckRecord, "target">): string {
  return target.kind === "heartbeat" ? "" : kindOf(target).address(target);
}
