/** Runs a seed here and on Deno. */
import assert from "node:assert/strict";
import { denoRunner } from "../../support/own-runtime.ts";
import { projectFolder, runProcess } from "../../support/process.ts";
import { loadSimulation } from "../load.ts";
import type { SceneName } from "../simulate.ts";

/** @throws AssertionError when Deno's trace of the seed is another one */
export async function compareRuntimes(scene: SceneName, hours: number, nodes?: number): Promise<void> {
  const { simulate } = await loadSimulation();
  const { hash } = await simulate({
    seed: 4,
    scene,
    hours,
    nodes,
    level: "heavy",
    agents: 4,
    buyers: 8,
    people: 6,
    pauseMs: 120_000,
  });
  const [command, ...args] = denoRunner();
  const more = ["test/simulation/main.ts", "--seed", "4", "--scene", scene, "--hours", String(hours)];
  const { code, output } = await runProcess({
    command,
    args: [...args, ...more, "--agents", "4", ...(nodes === undefined ? [] : ["--nodes", String(nodes)])],
    cwd: projectFolder,
  });
  assert.equal(code, 0, output);
  assert.ok(output.includes(`trace ${hash}`), `${hash} is not in ${output}`);
}
