/** PORT: asks a target from here, held to the rules of where this monitor may send to. */
import type { ProbeFault, ProbeResult } from "../../kit/probes/probe.ts";
import type { Target } from "../../kit/probes/targets.ts";
import type { CheckFault } from "./schema.ts";

/** One try. Never rejects, and ends within `timeoutMs`; earlier with `signal`. */
export type Prober = (
  target: Target,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
) => Promise<ProbeResult>;

/**
 * Faults that leave open whether the target is as expected: no request was sent, or the response was not read
 * completely.
 */
const undecided: ReadonlySet<ProbeFault> = new Set(["forbidden", "unsupported", "not_judged"]);

/** Whether a try of a place says that the target is as expected, or that it is not. */
export function isTelling({ fault }: ProbeResult): boolean {
  return fault === undefined || !undecided.has(fault);
}

/** The meaning of an attempt for a check: for an inverted one, a response is the fault, and a fault is fine. */
export function toCheckFault({ fault }: ProbeResult, inverted: boolean): CheckFault | undefined {
  if (!inverted || (fault !== undefined && undecided.has(fault))) return fault;
  return fault === undefined ? "answered" : undefined;
}
