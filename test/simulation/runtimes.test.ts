/** A seed is the same run on Node.js and Deno. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { denoRunner } from "../support/own-runtime.ts";
import { projectFolder, runProcess } from "../support/process.ts";
import { loadSimulation } from "./load.ts";
import type { SceneName } from "./simulate.ts";

const runs: readonly { readonly scene: SceneName; readonly hours: number; readonly nodes?: number }[] = [
  { scene: "install", hours: 0.2 },
  { scene: "monitor", hours: 0.05, nodes: 2 },
  { scene: "nodes", hours: 0.05 },
];

const loaded = loadSimulation();

for (const { scene, hours, nodes } of runs)
  it(`gives the same trace of "${scene}" on Deno`, async () => {
    const { simulate } = await loaded;
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
  });
