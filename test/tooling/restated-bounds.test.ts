/** Pages of the consoles take bounds and types of answers from the schemas: a copy stays as it is when the service changes. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { describe, it } from "node:test";

const web = new URL("../../src/web/", import.meta.url);
const BOUND = /\b(?:min|max)Length=(?:\{\s*|")\d[\d_]*/u;
const ANSWER = /\b(?:adminRequest|request|sendFile|usePolled|usePages|useCursorPage)<\s*(?:readonly )?\{/u;

async function findRestated(pattern: RegExp): Promise<readonly string[]> {
  const names = await readdir(web, { recursive: true });
  const files = names.filter((name) => /\.tsx?$/u.test(name) && !name.startsWith("built/"));
  assert.ok(files.length > 300);
  const found: string[] = [];
  for (const file of files) if (pattern.test(await readFile(new URL(file, web), "utf8"))) found.push(file);
  return found;
}

describe("pages of the consoles", () => {
  it("knows a restated bound and a restated answer", () => {
    for (const text of ["maxLength={60}", "maxLength={10_000}", 'maxLength="7"', "minLength={\n  2"])
      assert.match(text, BOUND);
    for (const text of ['maxLength={fields["name"]?.max}', "maxLength={MAX_SEARCH}"])
      assert.doesNotMatch(text, BOUND);
    for (const text of ["adminRequest<{ url: string }>(path)", "usePolled<{\n  readonly items: X[] }>"])
      assert.match(text, ANSWER);
    assert.doesNotMatch("usePolled<PriceHistory>(path, 0)", ANSWER);
  });

  it("state no length of a text in digits", async () => {
    assert.deepEqual(await findRestated(BOUND), []);
  });

  it("declare no type of an answer where they ask for it", async () => {
    assert.deepEqual(await findRestated(ANSWER), []);
  });
});
