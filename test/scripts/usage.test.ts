/** What the scripts for people say when they are asked how they are called. */
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { projectFolder, runProcess, type ProcessResult } from "../support/process.ts";
import { toRunArguments } from "../support/own-runtime.ts";

function run(script: string, ...args: readonly string[]): Promise<ProcessResult> {
  const path = join(projectFolder, "scripts", script);
  return runProcess({ command: process.execPath, args: [...toRunArguments(path), ...args] });
}

describe("--help", () => {
  for (const script of ["backup", "restore", "migrate"]) {
    it(`prints the usage of ${script} and does nothing`, async () => {
      const { code, output } = await run(`${script}.ts`, "--help");
      assert.match(output, new RegExp(`^Usage: npm run ${script} -- .*--(?:data|from)`, "u"));
      assert.equal(code, 0);
    });
  }
});

describe("restore without a backup", () => {
  it("fails and says what it wants", async () => {
    const { code, output } = await run("restore.ts");
    assert.match(output, /Name one backup\nUsage: npm run restore/u);
    assert.equal(code, 1);
  });
});
