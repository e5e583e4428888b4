/** When nodes could not speak with each other: until then, and for some seconds more, a report may be stored twice. */
import type { Fault } from "../faults/plan.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Machine } from "../world/machine.ts";

/** How long nodes need to find each other again. */
const SETTLE_MS = 10_000;
/** Messages of clocks that differ by a minute are rejected. */
const SKEW_MS = 55_000;
const DRIFT_MS = 120_000;

interface Span {
  readonly from: number;
  to: number;
}

const parts = new Set<string>([
  ...(["bus-lossy", "bus-parted", "bus-down"] as const),
  // A disk that is slow, or does not say whether it has a report.
  ...(["slow-disk", "disk-full", "sync-fails", "write-fails"] as const),
] satisfies readonly Fault["kind"][]);

export class Weather {
  readonly #kernel: Kernel;
  readonly #machines: readonly Machine[];
  readonly #spans: Span[] = [];
  readonly #skews = new Map<Machine, number>();
  #differ: Span | undefined;

  constructor(kernel: Kernel, machines: readonly Machine[]) {
    this.#kernel = kernel;
    this.#machines = machines;
  }

  /** A fault has come; `machine`: the one that it is about. */
  note(fault: Fault, machine: Machine): void {
    const { nowMs } = this.#kernel;
    if (fault.kind === "clock") this.setSkew(machine, fault.skewMs);
    else if (parts.has(fault.kind) && "forMs" in fault)
      this.#spans.push({ from: nowMs, to: nowMs + fault.forMs });
  }

  setSkew(machine: Machine, skewMs: number): void {
    this.#skews.set(machine, skewMs);
    const all = this.#machines.map((one) => this.#skews.get(one) ?? 0);
    // Some clocks are set right slowly.
    if (this.#differ !== undefined) this.#differ.to = this.#kernel.nowMs + DRIFT_MS;
    this.#differ = undefined;
    if (Math.max(...all) - Math.min(...all) < SKEW_MS) return;
    this.#differ = { from: this.#kernel.nowMs, to: Infinity };
    this.#spans.push(this.#differ);
  }

  /** Whether nodes may not have told each other what they had stored between two moments. */
  wasBad(fromMs: number, toMs: number): boolean {
    const all = [...this.#spans, ...this.#machines.flatMap(({ gaps }) => gaps)];
    return all.some(({ from, to }) => from <= toMs && to + SETTLE_MS >= fromMs);
  }
}
