/** Broken programs still fit the program. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { projectFolder } from "../../support/process.ts";
import { toPatch } from "./mutant.ts";
import { findMutants } from "./run-controls.ts";

it("finds what each control replaces", async () => {
  for (const mutant of findMutants("")) {
    const { name, path, more = [] } = mutant;
    const patch = toPatch(mutant);
    for (const file of new Set([path, ...more.map(([, , where = path]) => where)])) {
      const text = await readFile(join(projectFolder, file), "utf8");
      assert.notEqual(patch(file, text), text, `${name}: ${file}`);
    }
  }
});
