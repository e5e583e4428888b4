/** A whole install from a seed: it survives the faults of fixed seeds, and a seed is the same run each time. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkSeeds, shortRun } from "./fixed-seeds.ts";
import { loadSimulation } from "./load.ts";

describe("a simulated shop", () => {
  it("loses nothing and recovers in seeds 1 to 40, and a seed is the same run again", () =>
    checkSeeds(1, 40));

  it("ends a run in which the program reaches a socket", async () => {
    const { simulate } = await loadSimulation((path, text) =>
      path !== "src/service/jobs.ts"
        ? text
        : `import { connect } from "node:net";\n${text.replace("await job.run();", "await job.run(); connect(1);")}`,
    );
    const { failure } = await simulate({ ...shortRun, level: "none", seed: 1 });
    assert.equal(failure?.message, "The program reached net.connect");
  });
});
