/** Clients of one kind: what they want all day, and what must be true of it in the end. */
import type { Kernel } from "../kernel/kernel.ts";
import { goOn } from "./scene.ts";
import type { WorkingDay } from "./working-day.ts";

export interface Workload {
  /** Sets up what they need, before there is any trouble. */
  prepare(): Promise<void>;
  /** What each of them does, until the day is over. */
  work(day: WorkingDay): readonly Promise<void>[];
  /** After all trouble. @throws Violation */
  check(): Promise<void>;
  /** Requests that were answered. */
  readonly acknowledged: number;
}

/** Workloads of a scene, one after another. */
export class Workloads {
  readonly #all: readonly Workload[];

  constructor(all: readonly Workload[]) {
    this.#all = all;
  }

  async prepare(): Promise<void> {
    for (const workload of this.#all) await workload.prepare();
  }

  work(kernel: Kernel, day: WorkingDay): Promise<void>[] {
    return this.#all.flatMap((workload) => workload.work(day)).map((run) => goOn(kernel, run));
  }

  /** Checks them, and tells how many requests were answered. @throws Violation */
  async check(): Promise<number> {
    for (const workload of this.#all) await workload.check();
    return this.#all.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }
}
