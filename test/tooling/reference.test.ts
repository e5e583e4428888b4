/** The pages of docs/reference are what the services say. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { projectFolder, runProcess } from "../support/process.ts";

describe("npm run reference", () => {
  it("finds the permissions, metrics and errors of the services, and the options of the agent, in docs/reference", async () => {
    const { code, output } = await runProcess({
      command: "node",
      args: ["--import", "tsx", "scripts/reference.ts", "--check"],
      cwd: projectFolder,
    });
    assert.equal(code, 0, output);
  });
});
