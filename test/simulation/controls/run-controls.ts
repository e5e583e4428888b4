/** Runs each broken program until the simulation notices. */
import { loadSimulation } from "../load.ts";
import type { SimulationOptions } from "../simulate.ts";
import { monitorMutants } from "./monitor-mutants.ts";
import { type Mutant, toPatch } from "./mutant.ts";
import { nodeMutants } from "./node-mutants.ts";
import { shopMutants } from "./shop-mutants.ts";
import { storeMutants } from "./store-mutants.ts";

export const mutants: readonly Mutant[] = [
  ...storeMutants,
  ...shopMutants,
  ...monitorMutants,
  ...nodeMutants,
];

/** Of one broken program: how many runs it took, and what the last one found. */
export interface ControlResult {
  readonly name: string;
  readonly runs: number;
  readonly found: string | undefined;
}

export async function runControl(
  mutant: Mutant,
  { options, most }: { readonly options: Omit<SimulationOptions, "seed">; readonly most: number },
): Promise<ControlResult> {
  const { name, scene = options.scene } = mutant;
  const { simulate } = await loadSimulation(toPatch(mutant));
  for (let runs = 1; runs <= most; runs += 1) {
    const { failure } = await simulate({ ...options, scene, seed: runs });
    if (failure !== undefined) return { name, runs, found: `${failure.name}: ${failure.message}` };
  }
  return { name, runs: most, found: undefined };
}
