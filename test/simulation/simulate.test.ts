/** A whole install from a seed: it survives the faults of fixed seeds, and a seed is the same run each time. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadSimulation } from "./load.ts";
import type { SimulationOptions } from "./simulate.ts";

const options: Omit<SimulationOptions, "seed"> = {
  hours: 0.2,
  level: "heavy",
  buyers: 5,
  people: 0,
  pauseMs: 60_000,
};
const SEEDS = 6;

describe("a simulated shop", () => {
  it("loses nothing and recovers under the faults of fixed seeds, and each seed is the same run again", async () => {
    const { simulate } = await loadSimulation();
    const hashes = new Map<number, string>();
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { failure, hash, orders } = await simulate({ ...options, seed });
      assert.equal(failure?.stack, undefined, `seed ${seed}`);
      assert.ok(orders > 0);
      hashes.set(seed, hash);
    }
    assert.equal(new Set(hashes.values()).size, SEEDS);
    const { hash } = await simulate({ ...options, seed: 2 });
    assert.equal(hash, hashes.get(2));
  });

  it("ends a run in which the program reaches a socket", async () => {
    const { simulate } = await loadSimulation((path, text) =>
      path !== "src/service/jobs.ts"
        ? text
        : `import { connect } from "node:net";\n${text.replace("await job.run();", "await job.run(); connect(1);")}`,
    );
    const { failure } = await simulate({ ...options, level: "none", seed: 1 });
    assert.equal(failure?.message, "The program reached net.connect");
  });
});
