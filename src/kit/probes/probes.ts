/** Checks targets of every kind. */
import { kindOf } from "./kinds/kinds.ts";
import type { ProbeContext, ProbeResult } from "./probe.ts";
import type { Target } from "./targets.ts";

/**
 * One check run. Never rejects; ends when the time of `context` is over at the latest, and then holds no connection and
 * no program open. What is read of an answer is bounded by its kind.
 */
export function runProbe(target: Target, context: ProbeContext): Promise<ProbeResult> {
  return kindOf(target).probe(target, context);
}

const MAX_DESCRIPTION = 200;

/** A target in a few words, without secrets, 200 characters at most: "GET example.org/health", "example.org:5432". */
export function describeTarget(target: Target): string {
  const text = kindOf(target).describe(target);
  return text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION - 1)}…`;
}
