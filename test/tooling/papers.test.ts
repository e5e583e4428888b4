/** That the papers say what the program does: every variable and option, links that lead somewhere, bounds of length. */
import assert from "node:assert/strict";
import { access, readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { before, describe, it } from "node:test";
import { z } from "zod";
import { projectFolder } from "../support/process.ts";
import { configVariables, loadConfig } from "../../src/config.ts";

const read = (path: string): Promise<string> => readFile(join(projectFolder, path), "utf8");

/** The part of a page below a heading, up to the next of the same level or above. */
function findSection(text: string, heading: string): string {
  const level = heading.indexOf(" ");
  const [, rest = ""] = text.split(`\n${heading}\n`, 2);
  assert.notEqual(rest, "", `There is no "${heading}"`);
  return rest.split(new RegExp(`\\n#{1,${level}} `, "u"), 1)[0] ?? "";
}

/** The rows of all tables of a text, as cells. */
function listRows(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => /^\|(?!-)/u.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
}

const listCode = (text: string): string[] =>
  Array.from(text.matchAll(/`([^`]+)`/gu), ([, code = ""]) => code);

/** GitHub's anchors of a page's headings. */
function listAnchors(text: string): string[] {
  const seen = new Map<string, number>();
  return Array.from(text.replaceAll(/^```[^]*?^```$/gmu, "").matchAll(/^#+ (.+)$/gmu), ([, heading = ""]) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

describe("docs/configuration.md", () => {
  let page = "";
  before(async () => {
    page = await read("docs/configuration.md");
  });

  it("names every variable of the environment once, and no other", () => {
    const named = listRows(findSection(page, "## Environment"))
      .filter(([name]) => name !== "Variable")
      .flatMap(([names = ""]) => listCode(names));
    assert.deepEqual(named.toSorted(), configVariables.toSorted());
  });

  it("gives the defaults that the program has", () => {
    const rows = listRows(findSection(page, "## Environment"));
    const given = rows.flatMap(([names = "", value = ""]) =>
      /^`[^`/]+`$/u.test(value) && !configVariables.includes(value.slice(1, -1))
        ? listCode(names).map((name): [string, string] => [name, value.slice(1, -1)])
        : [],
    );
    assert.ok(given.length >= 13, `only ${given.length} defaults were found`);
    for (const [name, value] of given)
      assert.deepEqual(loadConfig({ [name]: value }), loadConfig({}), `${name}=${value}`);
  });
});

describe("docs/faults.md", () => {
  it("names tests that exist, one or more for each fault", async () => {
    const page = await read("docs/faults.md");
    const rows = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| Fault |"));
    assert.ok(rows.length > 20);
    for (const row of rows) {
      const tests = listCode(row.split("|").at(-2) ?? "");
      assert.ok(tests.length > 0, row);
      for (const test of tests) if (!test.startsWith("npm run ")) await access(join(projectFolder, test));
    }
  });
});

/** Without blocks of code and the bars of tables. */
function countWords(text: string): number {
  const prose = text.replaceAll(/^ *```[^]*?^ *```$/gmu, "").replaceAll(/[|]|^[|: -]+$/gmu, " ");
  return prose.split(/\s+/u).filter((word) => word !== "").length;
}

/** A bold name behind a word that leads to something on a page. */
const UI_NAME =
  /\b(?:[Ss]elect|[Oo]pen|[Uu]nder|[Cc]hoose|[Cc]heck|tab|as|into|then|says|See) (?:the (?:page|tab) )?\*\*([^*`]+)\*\*/gu;

/** Every English text of pages and consoles as a pattern, with wildcards for values. */
async function listTexts(): Promise<RegExp[]> {
  const folder = join(projectFolder, "src/texts/en");
  const files = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const texts = await Promise.all(
    files.map(async (name) => textsSchema.parse(JSON.parse(await readFile(join(folder, name), "utf8")))),
  );
  return texts.flatMap((room) =>
    Object.values(room)
      .flatMap((text) => (/, plural,/u.test(text) ? listPlurals(text) : [text]))
      .filter((text) => !/^\{\w+\}$|, (?:plural|select),/u.test(text))
      .map((text) => {
        const words = text
          .replace(/\.$/u, "")
          .split(/\{\w+\}/u)
          .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/gu, "\\$&"));
        return new RegExp(`^${words.join(".+").replaceAll("#", "\\d+")}\\.?$`, "u");
      }),
  );
}

/** "{count, plural, one {Add # key} other {Add # keys}}" → "Add # key", "Add # keys". */
function listPlurals(text: string): string[] {
  return Array.from(text.matchAll(/\w+ \{([^{}]+)\}/gu), ([, words = ""]) => words);
}

const manifestSchema = z.object({ scripts: z.record(z.string(), z.string()) });
const textsSchema = z.record(z.string(), z.string());

describe("papers", () => {
  let pages: string[] = [];
  before(async () => {
    const docs = await readdir(join(projectFolder, "docs"), { recursive: true });
    const inDocs = docs.filter((name) => name.endsWith(".md")).map((name) => join("docs", name));
    pages = [
      "README.md",
      "CHANGELOG.md",
      "ARCHITECTURE.md",
      "CONTRIBUTING.md",
      "test/lab/README.md",
      ...inDocs,
    ];
  });

  it("link to files and headings that are there", async () => {
    const lost: string[] = [];
    for (const page of pages) {
      for (const [, target = ""] of (await read(page)).matchAll(/\]\(([^)\s]+)\)/gu)) {
        if (/^[a-z]+:/u.test(target)) continue;
        const [path = "", anchor] = target.split("#", 2);
        const file = path === "" ? page : relative(projectFolder, join(projectFolder, dirname(page), path));
        const isThere = await access(join(projectFolder, file)).then(
          () => true,
          () => false,
        );
        if (!isThere) lost.push(`${page}: ${target}`);
        else if (anchor !== undefined && !listAnchors(await read(file)).includes(anchor))
          lost.push(`${page}: ${target}`);
      }
    }
    assert.deepEqual(lost, []);
  });

  it("have at most 1,500 words a page, without code", async () => {
    const long: string[] = [];
    for (const page of pages.filter((name) => /^docs\/[^/]+$/u.test(name))) {
      const words = countWords(await read(page));
      assert.ok(words > 100, `${page}: ${words}`);
      if (words > 1500) long.push(`${page}: ${words}`);
    }
    assert.deepEqual(long, []);
  });

  it("tell of each version in at most 1,500 words", async () => {
    const sections = (await read("CHANGELOG.md")).split(/^## /mu).slice(1);
    assert.match(sections[0] ?? "", /^\[Unreleased\]/u);
    for (const section of sections)
      assert.ok(countWords(section) <= 1500, `${section.slice(0, 20)}: ${countWords(section)} words`);
  });

  it("call buttons, fields and sections of the consoles by their names", async () => {
    const names = await listTexts();
    const lost: string[] = [];
    let found = 0;
    for (const page of pages.filter((name) => /^docs\/[^/]+$/u.test(name)))
      for (const [, name = ""] of (await read(page)).matchAll(UI_NAME)) {
        found += 1;
        if (!names.some((pattern) => pattern.test(name))) lost.push(`${page}: ${name}`);
      }
    assert.ok(found > 100, String(found));
    assert.deepEqual(lost, []);
  });

  it("name scripts that package.json has", async () => {
    const { scripts } = manifestSchema.parse(JSON.parse(await read("package.json")));
    const named: [string, string][] = [];
    for (const page of pages)
      for (const [, name = ""] of (await read(page)).matchAll(/npm run (?:-s )?([a-z][a-z0-9:-]*)/gu))
        named.push([page, name]);
    assert.ok(named.length > 100, String(named.length));
    assert.deepEqual(
      named.filter(([, name]) => !(name in scripts)),
      [],
    );
  });

  it("name only files that are there", async () => {
    const tree = await readdir(join(projectFolder, "src"), { recursive: true });
    const text = (await read("ARCHITECTURE.md")).replaceAll(/^```[^]*?^```$/gmu, "");
    const lost: string[] = [];
    for (const name of listCode(text)) {
      if (!/^[\w./-]+\.(?:ts|tsx|json|md|yaml|env)$/u.test(name)) continue;
      const inSrc = tree.some((path) => path === name || path.endsWith(`/${name}`));
      const isThere = await access(join(projectFolder, name)).then(
        () => true,
        () => false,
      );
      if (!inSrc && !isThere) lost.push(name);
    }
    assert.deepEqual(lost, []);
  });
});
