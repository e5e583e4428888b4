import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { runtime } from "#runtime";

describe("the runtime of this process", () => {
  it("tells its name and version", () => {
    assert.match(runtime.name, /^(?:node|deno)$/u);
    assert.match(runtime.version, /^\d+\.\d+\.\d+/u);
    assert.equal(runtime.name === "deno", process.versions["deno"] !== undefined);
  });

  it("reads the variables that are named and no other", () => {
    process.env["TRIVET_TEST_SHELL"] = "x";
    assert.deepEqual(runtime.env(["TRIVET_TEST_SHELL", "TRIVET_TEST_NOT_SET"]), { TRIVET_TEST_SHELL: "x" });
    delete process.env["TRIVET_TEST_SHELL"];
    assert.deepEqual(runtime.env(["TRIVET_TEST_SHELL"]), {});
  });

  it("reads files as UTF-8", async () => {
    const folder = await mkdtemp(join(tmpdir(), "trivet-shell-"));
    try {
      await writeFile(join(folder, "a.txt"), "grüße");
      assert.equal(await runtime.readTextFile(join(folder, "a.txt")), "grüße");
      await assert.rejects(runtime.readTextFile(join(folder, "none")), { code: "ENOENT" });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("tells of a stop signal instead of dying of it", async () => {
    const told = new Promise<string>((resolve) => runtime.onStopSignal(resolve));
    const alive = setInterval(() => undefined, 60_000); // a signal handler keeps no process running
    process.kill(process.pid, "SIGTERM");
    assert.equal(await told, "SIGTERM");
    clearInterval(alive);
    process.removeAllListeners("SIGTERM");
    process.removeAllListeners("SIGINT");
  });
});
