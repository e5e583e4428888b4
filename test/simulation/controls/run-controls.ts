/** Runs each broken program until the simulation notices. */
import { loadSimulation } from "../load.ts";
import { shrinkFaults } from "../search/shrink.ts";
import type { Fault } from "../faults/plan.ts";
import type { SceneName, SimulationOptions } from "../simulate.ts";
import { accountMutants } from "./account-mutants.ts";
import { monitorMutants } from "./monitor-mutants.ts";
import { type Mutant, toPatch } from "./mutant.ts";
import { nodeMutants } from "./node-mutants.ts";
import { pastFaults } from "./past-faults.ts";
import { shopMutants } from "./shop-mutants.ts";
import { storeMutants } from "./store-mutants.ts";

const mutants: readonly Mutant[] = [
  ...storeMutants,
  ...shopMutants,
  ...accountMutants,
  ...monitorMutants,
  ...nodeMutants,
  ...pastFaults,
];

/** Of one broken program: how many runs it took, and what the last one found. */
export interface ControlResult {
  readonly name: string;
  readonly runs: number;
  readonly found: string | undefined;
  /** The faults that the last run needs in order to fail, if requested. */
  readonly needed?: readonly Fault[];
}

/** Short runs with many faults find most: docs/simulation-results.md says how soon. */
const options: Readonly<Record<SceneName, Omit<SimulationOptions, "seed">>> = {
  install: { hours: 0.15, level: "storm", buyers: 8, people: 0, pauseMs: 30_000 },
  monitor: { scene: "monitor", hours: 0.3, level: "heavy", agents: 6, buyers: 0, people: 0, pauseMs: 60_000 },
  nodes: { scene: "nodes", hours: 0.1, level: "heavy", buyers: 4, people: 3, pauseMs: 60_000 },
};

export async function runControl(
  mutant: Mutant,
  { most, shrinks }: { readonly most: number; readonly shrinks: boolean },
): Promise<ControlResult> {
  const { name, scene = "install" } = mutant;
  const { simulate } = await loadSimulation(toPatch(mutant));
  for (let runs = 1; runs <= most; runs += 1) {
    const run = { ...options[scene], ...mutant.run, seed: runs };
    const { failure, faults } = await simulate(run);
    if (failure === undefined) continue;
    const result = { name, runs, found: `${failure.name}: ${failure.message}` };
    if (!shrinks) return result;
    const shrunk = await shrinkFaults(
      faults,
      async (fewer) => (await simulate({ ...run, faults: fewer })).failure?.name === failure.name,
    );
    return { ...result, needed: shrunk.faults };
  }
  return { name, runs: most, found: undefined };
}

/** Those whose name has these words, or is them. */
export function findMutants(words: string): readonly Mutant[] {
  const exact = mutants.find(({ name }) => name === words);
  return exact === undefined ? mutants.filter(({ name }) => name.includes(words)) : [exact];
}
