import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createStatusFile } from "../../src/agent/status-file.ts";
import { nodeFileLayer } from "../../src/kit/files/file-layer.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-status-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const read = (): Promise<string> => readFile(join(folder, "status"), "utf8");

describe("the file of the agent's status", () => {
  it("holds the last status as lines that a shell reads, each value in one line", async () => {
    const status = createStatusFile({ files: nodeFileLayer, folder });
    void status.set({ state: "starting" });
    await status.set({ state: "failed", cause: "certificate", reason: "not\ntrusted\u001b[2J" });
    assert.equal(await read(), "state=failed\ncause=certificate\nreason=not trusted [2J\n");
    await status.set({ state: "reporting", key: undefined });
    assert.equal(await read(), "state=reporting\n");
    assert.deepEqual(await readdir(folder), ["status"]);
  });

  it("is written when something changed, and is no reason to fail", async () => {
    let writes = 0;
    const full = {
      ...nodeFileLayer,
      openAppend: async () => {
        writes += 1;
        throw new Error("ENOSPC");
      },
    };
    const status = createStatusFile({ files: full, folder });
    await status.set({ state: "reporting" });
    await status.set({ state: "reporting" });
    assert.equal(writes, 1);
    await status.set({ state: "offline", reason: "x" });
    assert.equal(writes, 2);
  });
});
