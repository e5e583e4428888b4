/** What a check is about, for lists and searches. */
import { kindOf } from "../../kit/probes/kinds/kinds.ts";
import type { CheckRecord } from "./schema.ts";

/** What is checked, in a few words; "" of a heartbeat. */
export function toAddress({ target }: Pick<CheckRecord, "target">): string {
  return target.kind === "heartbeat" ? "" : kindOf(target).address(target);
}
