/** PORT: asks a target from here, held to the rules of where this monitor may send to. */
import type { ProbeFault, ProbeResult } from "../../kit/probes/probe.ts";
import type { Target } from "../../kit/probes/targets.ts";
import type { CheckFault } from "./schema.ts";

/** One try. Never rejects, and ends within `timeoutMs`; earlier with `signal`. */
export type Prober = (
  target: Target,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
) => Promise<ProbeResult>;

/** Faults that say nothing of the target: it was not asked. */
const notAsked: ReadonlySet<ProbeFault> = new Set(["forbidden", "unsupported"]);

/** Whether the target was asked at all: what a place must not or cannot ask says nothing of it. */
export function wasAsked({ fault }: ProbeResult): boolean {
  return fault === undefined || !notAsked.has(fault);
}

/** What a try means for a check: of an inverted one, an answer is the fault, and a fault is as it should be. */
export function toCheckFault({ fault }: ProbeResult, inverted: boolean): CheckFault | undefined {
  if (!inverted || (fault !== undefined && notAsked.has(fault))) return fault;
  return fault === undefined ? "answered" : undefined;
}
