/** A check's target, for lists and searches. */
import { isJudged } from "./judged.ts";
import { kindOf } from "../../kit/probes/kinds/kinds.ts";
import type { CheckRecord } from "./schema.ts";

/** The target in a few words; "" for a heartbeat. */
export function toAddress({ target }: Pick<CheckRecord, "target">): string {
  if (target.kind === "group") return target.group;
  return isJudged(target) ? "" : kindOf(target).address(target);
}
