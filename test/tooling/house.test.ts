/** The figures that the house keeps: how full a folder is, which folders lean on each other, how headers are written. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { dirname, join, posix, relative, sep } from "node:path";
import { before, describe, it } from "node:test";
import { projectFolder } from "../support/process.ts";

const MAX_FILES = 20;
const MAX_MEDIAN = 8;

/**
 * What puts a room together knows all that is in it, and what is in it uses what lies at its root: the root of a
 * service with its `http/`, a program's entry, and a page that shows others. Such pairs are no fault.
 */
const composing =
  /^(?:agent|runtime|auth|shop|monitor|web\/(?:app|monitor|auth|shop)|(?:auth|shop|monitor)\/http)$/u;

/** Folders that import each other all the same, each with what would have to move. Only ever shorter. */
const mutual: Readonly<Record<string, string>> = {
  "auth/mails auth/sessions": "a session's owner is told of it; a quota asks who is signed in",
  "auth/mails auth/settings": "mails name the site; the settings send one for a trial",
};

interface Source {
  /** Below src, with "/". */
  readonly path: string;
  readonly text: string;
}

async function readSources(): Promise<Source[]> {
  const root = join(projectFolder, "src");
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.tsx?$/u.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(join("web", "built")));
  return Promise.all(
    files.map(async (path) => ({
      path: relative(root, path).split(sep).join("/"),
      text: await readFile(path, "utf8"),
    })),
  );
}

/** "folder folder" for each two that import each other, in the order of the alphabet. */
function findMutual(sources: readonly Source[]): string[] {
  const arrows = new Set<string>();
  for (const { path, text } of sources)
    for (const [, specifier = ""] of text.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s+"(\.[^"]+)"/gmu)) {
      const from = dirname(path);
      const to = posix.dirname(posix.normalize(posix.join(from, specifier)));
      if (from !== to && from !== "." && to !== ".") arrows.add(`${from} ${to}`);
    }
  return [...arrows].filter((arrow) => {
    const [from = "", to = ""] = arrow.split(" ");
    return from < to && arrows.has(`${to} ${from}`);
  });
}

describe("the house", () => {
  let sources: Source[] = [];
  before(async () => {
    sources = await readSources();
    assert.ok(sources.length > 500);
  });

  it("has folders of a size that one can look over", () => {
    const counts = new Map<string, number>();
    for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    const full = [...counts].filter(([, count]) => count > MAX_FILES);
    assert.deepEqual(full, []);
    const sorted = [...counts.values()].sort((a, b) => a - b);
    assert.ok((sorted[sorted.length >> 1] ?? 0) <= MAX_MEDIAN, `median ${sorted[sorted.length >> 1]}`);
  });

  it("lets no two folders import each other, but for those that are named", () => {
    const found = findMutual(sources).filter((pair) => !pair.split(" ").some((one) => composing.test(one)));
    assert.deepEqual(found.sort(), Object.keys(mutual).sort());
  });

  it("leaves the prefix of addresses in elements to the place that adds it to all", () => {
    const doubled = sources
      .filter(
        ({ path, text }) => path.startsWith("web/") && / (?:href|src)=\{`?(?:\$\{)?basePath/u.test(text),
      )
      .map(({ path }) => path);
    assert.deepEqual(doubled, []);
  });

  it("writes members where they belong, not as a spread of a literal", () => {
    const packed = sources.filter(({ text }) => /\.\.\.\{/u.test(text)).map(({ path }) => path);
    assert.deepEqual(packed, []);
  });

  it("has headers that say what a file is, without a formula", () => {
    const formula = sources
      .filter(({ text }) => /Hidden\s+(?:\* )?here:/u.test(text))
      .map(({ path }) => path);
    assert.deepEqual(formula, []);
  });
});
