/** Runs of fixed seeds: short ones of a shop, with a fault every 40 seconds. */
import assert from "node:assert/strict";
import { loadSimulation } from "./load.ts";
import type { SimulationOptions } from "./simulate.ts";

export const shortRun: Omit<SimulationOptions, "seed"> = {
  hours: 0.03,
  level: "storm",
  buyers: 3,
  people: 0,
  pauseMs: 20_000,
};

/** Runs the seeds from one to another. @throws AssertionError when a run fails, or a seed is another run the second time */
export async function checkSeeds(first: number, last: number): Promise<void> {
  const { simulate } = await loadSimulation();
  const hashes = new Map<number, string>();
  let sold = 0;
  for (let seed = first; seed <= last; seed += 1) {
    const { failure, hash, orders } = await simulate({ ...shortRun, seed });
    assert.equal(failure?.stack, undefined, `seed ${seed}`);
    sold += orders;
    hashes.set(seed, hash);
  }
  const count = last - first + 1;
  assert.ok(sold > count);
  assert.equal(new Set(hashes.values()).size, count);
  const { hash } = await simulate({ ...shortRun, seed: last });
  assert.equal(hash, hashes.get(last));
}
