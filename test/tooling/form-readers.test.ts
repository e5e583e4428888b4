/** Bodies are read in one place, where a connection that breaks off becomes a refusal and not an error of ours. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { describe, it } from "node:test";

const src = new URL("../../src/", import.meta.url);
const READER = /\breq\.(?:text|formData|parseBody|blob|arrayBuffer)\(/u;

describe("the source", () => {
  it("reads no body past kit/http/request-body.ts", async () => {
    const names = await readdir(src, { recursive: true });
    const files = names.filter(
      (name) => /\.tsx?$/u.test(name) && !/^web\/|^kit\/http\/request-body\.ts$/u.test(name),
    );
    assert.ok(files.length > 500);
    const readers: string[] = [];
    for (const file of files) if (READER.test(await readFile(new URL(file, src), "utf8"))) readers.push(file);
    assert.deepEqual(readers, []);
  });
});
