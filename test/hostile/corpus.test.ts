/** The corpus of the fuzzer: every kept input of every reader of foreign bytes is answered or rejected as it should be. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { describe, it } from "node:test";
import { z } from "zod";
import { fuzzTargets } from "./fuzz-targets.ts";

const folder = new URL("corpus/", import.meta.url);

describe("the corpus of the fuzzer", () => {
  it("has a file for each reader, and none without one", async () => {
    const names = (await readdir(folder)).map((name) => name.replace(/\.json$/u, ""));
    assert.deepEqual(names.toSorted(), Object.keys(fuzzTargets).toSorted());
  });

  for (const [name, target] of Object.entries(fuzzTargets))
    it(`is read by ${name}`, async () => {
      const text = await readFile(new URL(`${name}.json`, folder), "utf8");
      const kept = z.array(z.base64()).parse(JSON.parse(text));
      const inputs = [
        ...target.seeds.map((seed) => Buffer.from(seed)),
        ...kept.map((one) => Buffer.from(one, "base64")),
      ];
      assert.ok(inputs.length > 2, "a corpus of some inputs");
      for (const input of inputs) {
        try {
          await target.run(input);
        } catch (error) {
          assert.fail(
            `${input.toString("base64")}: ${error instanceof Error ? (error.stack ?? error.message) : "?"}`,
          );
        }
      }
    });
});
