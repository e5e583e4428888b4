/** docs/decisions: short, in one form, and every number that code or documents cite is in the index. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { projectFolder } from "../support/process.ts";

const MAX_WORDS = 300;

/** Its table is compared with the sources by test/tooling/node-imports.test.ts. */
const withTable = new Set(["029-node-imports.md"]);

const folder = join(projectFolder, "docs", "decisions");

async function readTexts(path: string, form: RegExp): Promise<[string, string][]> {
  const entries = await readdir(join(projectFolder, path), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && form.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !/node_modules|built|[/\\]peers[/\\]|[/\\]apps[/\\]/u.test(file));
  return Promise.all(
    files.map(async (file): Promise<[string, string]> => [file, await readFile(file, "utf8")]),
  );
}

describe("docs/decisions", () => {
  let names: string[] = [];
  let rows: { number: string; file: string | undefined }[] = [];
  before(async () => {
    names = (await readdir(folder)).filter((name) => /^\d{3}-/u.test(name) && !name.startsWith("000"));
    const index = await readFile(join(folder, "README.md"), "utf8");
    rows = [...index.matchAll(/^\| (\d{3}) \| (?:\[[^\]]+\]\((\d{3}-[\w-]+\.md)\) |[^|[]*)\|/gmu)].map(
      ([, number = "", file]) => ({ number, file }),
    );
  });

  it("has an index with each number once, and each file at its number", () => {
    assert.deepEqual(
      rows.map(({ number }) => Number(number)),
      rows.map((_, index) => index + 1),
    );
    assert.deepEqual(
      rows.flatMap(({ file }) => file ?? []),
      names.toSorted(),
    );
    for (const { number, file } of rows) assert.ok(file?.startsWith(number) ?? true, file);
  });

  it("says each choice in at most 300 words and in one form", async () => {
    for (const name of names) {
      const text = await readFile(join(folder, name), "utf8");
      const headings = [...text.matchAll(/^## (.+)$/gmu)].map(([, heading = ""]) => heading);
      for (const part of ["Context", "Choice", "What gets harder", "When to revisit"])
        assert.ok(headings.includes(part), `${name} lacks "${part}"`);
      const words = text.split(/\s+/u).filter((word) => word !== "").length;
      if (withTable.has(name)) continue;
      assert.ok(words <= MAX_WORDS, `${name} has ${words} words`);
    }
  });

  it("is cited by numbers that it has", async () => {
    const known = new Set(rows.map(({ number }) => number));
    const texts = [
      ...(await readTexts("src", /\.(?:tsx?|css)$/u)),
      ...(await readTexts("scripts", /./u)),
      ...(await readTexts("test", /\.ts$/u)),
      ...(await readTexts("docs", /\.md$/u)),
    ];
    for (const name of ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"])
      texts.push([name, await readFile(join(projectFolder, name), "utf8")]);
    const lost: string[] = [];
    let cited = 0;
    for (const [file, text] of texts)
      for (const [, number = "", path] of text.matchAll(/\bdecisions?(?: |\/)(0\d\d)(-[\w-]+\.md)?/giu)) {
        cited += 1;
        if (!known.has(number)) lost.push(`${file}: ${number}`);
        if (path !== undefined && !names.includes(`${number}${path}`)) lost.push(`${file}: ${number}${path}`);
      }
    assert.ok(cited > 50, String(cited));
    assert.deepEqual(lost, []);
  });
});
