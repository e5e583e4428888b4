/** Nothing real reaches the services under simulation. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { shortRun } from "./fixed-seeds.ts";
import { loadSimulation } from "./load.ts";

it("ends a run in which the program reaches a socket", async () => {
  const { simulate } = await loadSimulation((path, text) =>
    path !== "src/service/jobs.ts"
      ? text
      : `import { connect } from "node:net";\n${text.replace("await job.run();", "await job.run(); connect(1);")}`,
  );
  const { failure } = await simulate({ ...shortRun, level: "none", seed: 1 });
  assert.equal(failure?.message, "The program reached net.connect");
});
