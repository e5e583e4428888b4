/** A seed is the same run on Node.js and Deno. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { denoRunner } from "../support/own-runtime.ts";
import { projectFolder, runProcess } from "../support/process.ts";
import { loadSimulation } from "./load.ts";

it("gives the same trace on Deno", async () => {
  const { simulate } = await loadSimulation();
  const { hash } = await simulate({
    seed: 4,
    hours: 0.2,
    level: "heavy",
    buyers: 8,
    people: 6,
    pauseMs: 120_000,
  });
  const [command, ...args] = denoRunner();
  const more = ["test/simulation/main.ts", "--seed", "4", "--hours", "0.2"];
  const { code, output } = await runProcess({ command, args: [...args, ...more], cwd: projectFolder });
  assert.equal(code, 0, output);
  assert.ok(output.includes(`trace ${hash}`), `${hash} is not in ${output}`);
});
