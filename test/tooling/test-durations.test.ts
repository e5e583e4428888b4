/** In which order test/runner/main.ts starts its files. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { z } from "zod";
import { projectFolder } from "../support/process.ts";
import { createDurations } from "../runner/durations.ts";

const runtime = { name: "node" };
const readTable = async (): Promise<[file: string, seconds: number][]> => {
  const text = await readFile(join(projectFolder, "test", "durations.json"), "utf8");
  return Object.entries(z.record(z.string(), z.number()).parse(JSON.parse(text)))
    .filter(([key]) => key.startsWith("node "))
    .map(([key, seconds]) => [key.slice("node ".length), seconds]);
};

describe("createDurations", () => {
  it("puts the longest first, and what was never measured in the middle", async () => {
    const known = (await readTable()).toSorted(([, a], [, b]) => a - b);
    const [shortest] = known[0] ?? assert.fail("an empty table");
    const [longest] = known.at(-1) ?? assert.fail("an empty table");
    const tasks = [shortest, "test/never.test.ts", longest].map((file) => ({ runtime, files: [file] }));
    const durations = await createDurations();
    assert.deepEqual(
      durations.sort(tasks).map(({ files }) => files[0]),
      [longest, "test/never.test.ts", shortest],
    );
  });

  it("keeps the order of files that it knows nothing of", async () => {
    const tasks = ["b", "a", "c"].map((file) => ({ runtime, files: [file] }));
    assert.deepEqual((await createDurations()).sort(tasks), tasks);
  });

  it("lets a file take ten times as long as it did, and never less than two minutes", async () => {
    const { limitSeconds } = await createDurations();
    const known = (await readTable()).toSorted(([, a], [, b]) => a - b);
    const [shortest] = known[0] ?? assert.fail("an empty table");
    const [longest, seconds] = known.at(-1) ?? assert.fail("an empty table");
    assert.equal(limitSeconds({ runtime, files: [longest] }), 10 * seconds);
    assert.equal(limitSeconds({ runtime, files: [shortest] }), 120);
  });
});
