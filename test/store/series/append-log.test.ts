import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAppendLog } from "../../../src/store/series/append-log.ts";
import type { AppendFile } from "../../../src/kit/files/file-layer.ts";

interface TestFile extends AppendFile {
  readonly batches: string[];
  syncs: number;
  closed: boolean;
  /** Set to make the next sync fail. */
  error: Error | undefined;
  /** What a sync waits for. */
  gate: Promise<void>;
}

function createFile(path: string): TestFile {
  const file: TestFile = {
    path,
    batches: [],
    syncs: 0,
    closed: false,
    error: undefined,
    gate: Promise.resolve(),
    append: async (bytes) => {
      assert.equal(file.closed, false);
      file.batches.push(new TextDecoder().decode(bytes));
    },
    datasync: async () => {
      await file.gate;
      if (file.error !== undefined) throw file.error;
      file.syncs += 1;
    },
    appendDurably: async (bytes) => {
      await file.append(bytes);
      await file.datasync();
    },
    sizeBytes: async () => file.batches.join("").length,
    truncate: async () => undefined,
    close: async () => {
      file.closed = true;
    },
  };
  return file;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("append log", () => {
  it("writes what waits in one batch with one sync, in order", async () => {
    const file = createFile("a");
    const log = createAppendLog(file);
    await Promise.all(["1", "2", "3"].map((text) => log.append(bytes(text))));
    assert.deepEqual([file.batches, file.syncs], [["123"], 1]);
  });

  it("lets what comes during a sync wait for the next one", async () => {
    const file = createFile("a");
    let open: () => void = () => undefined;
    file.gate = new Promise((resolve) => (open = resolve));
    const log = createAppendLog(file);
    const first = log.append(bytes("1"));
    for (let i = 0; i < 10; i += 1) await Promise.resolve();
    const second = log.append(bytes("2"));
    open();
    await first;
    assert.equal(file.batches[0], "1");
    await second;
    assert.deepEqual([file.batches, file.syncs], [["1", "2"], 2]);
  });

  it("refuses everything after a failed sync, and what waited too", async () => {
    const file = createFile("a");
    file.error = new Error("EIO");
    const log = createAppendLog(file);
    const waiting = log.append(bytes("1"));
    await assert.rejects(waiting, { code: "store_unavailable", message: 'Writing "a" failed: EIO' });
    file.error = undefined;
    await assert.rejects(log.append(bytes("2")), { code: "store_unavailable" });
    await assert.rejects(log.flush(), { code: "store_unavailable" });
    assert.deepEqual(file.batches, ["1"]);
  });

  it("changes the file between two batches, also while appends never pause", async () => {
    const files = [createFile("a"), createFile("b")] as const;
    const log = createAppendLog(files[0]);
    let appending = true;
    let count = 0;
    const appends = (async () => {
      while (appending) {
        count += 1;
        await log.append(bytes("x"));
      }
    })();
    const keeper = (async () => {
      while (appending) await log.append(bytes("y"));
    })();
    await log.rotate(async () => files[1]);
    const before = files[0].batches.length;
    await log.append(bytes("z"));
    appending = false;
    await Promise.all([appends, keeper]);
    assert.equal(files[0].closed, true);
    assert.equal(files[0].batches.length, before);
    assert.ok(files[1].batches.join("").includes("z"));
    assert.ok(count > 0);
    assert.equal(log.sizeBytes, files[1].batches.join("").length);
  });

  it("is dead when the next file cannot be opened", async () => {
    const log = createAppendLog(createFile("a"));
    const rotation = log.rotate(async () => Promise.reject(new Error("ENOSPC")));
    await assert.rejects(rotation, { code: "store_unavailable" });
    await assert.rejects(log.append(bytes("1")), { code: "store_unavailable" });
  });

  it("writes what was taken before it closes, and takes nothing after", async () => {
    const file = createFile("a");
    const log = createAppendLog(file);
    const waiting = log.append(bytes("1"));
    await log.close();
    await waiting;
    assert.deepEqual([file.batches, file.closed], [["1"], true]);
    await assert.rejects(log.append(bytes("2")), { code: "store_unavailable" });
  });
});
