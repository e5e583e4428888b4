/** Nodes of shop and accounts over one database and one bus, from a seed. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { loadSimulation } from "./load.ts";
import type { SimulationOptions } from "./simulate.ts";

const options: Omit<SimulationOptions, "seed"> = {
  scene: "nodes",
  nodes: 2,
  hours: 0.1,
  level: "heavy",
  buyers: 4,
  people: 3,
  pauseMs: 60_000,
};

it("keeps orders, prices and accounts under the faults of a fixed seed", async () => {
  const { simulate } = await loadSimulation();
  const { failure, orders } = await simulate({ ...options, seed: 2 });
  assert.equal(failure?.stack, undefined);
  assert.ok(orders > 0);
});

it("finds changes of versions that are not compared", async () => {
  const { simulate } = await loadSimulation((path, text) =>
    path === "src/records/versions.ts"
      ? text.replace('throw new AppError("version_conflict", message, { details });', "return;")
      : text,
  );
  // One of three seeds meets it: which one changes with the program.
  for (let seed = 4; seed < 15; seed += 1) {
    const { failure } = await simulate({ ...options, seed });
    if (/^The price was raised \d+ times/u.test(failure?.message ?? "")) return;
  }
  assert.fail("It was not found");
});
