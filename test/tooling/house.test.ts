/** What the house keeps: which nouns import each other, where members are written, how headers are written. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { dirname, join, posix, relative, sep } from "node:path";
import { before, describe, it } from "node:test";
import { projectFolder } from "../support/process.ts";

/**
 * What puts a room together knows all that is in it, and what is in it uses what lies at its root: a program's entry,
 * and a page that shows others. Such pairs are no fault.
 */
const composing = /^(?:agent|runtime|web\/(?:app|monitor|auth|shop))$/u;

/** Nouns that import each other all the same, each with what would have to move. Only ever shorter. */
const mutual: Readonly<Record<string, string>> = {
  "auth/administrators auth/sessions":
    "the guard reads sessions; a machine's token is checked as an administrator's",
  "auth/applications auth/groups": "an application names groups that exist; a group that one names stays",
  "auth/applications auth/resources":
    "an application requests resources that exist; one that is requested stays",
  "auth/edge auth/sessions": "views show what a sign-in returns; the routes of sessions use them",
  "auth/mails auth/settings": "mails name the site; the settings send one for a trial",
  "monitor/fleet monitor/usage": "servers show their usage; counting reads which servers exist",
  "shop/categories shop/products": "a product names categories that exist; a category lists its products",
  "shop/customers shop/payments": "erasure reaches payment notifications; these check the customer's limit",
  "shop/orders shop/payments": "a payment changes an order; an order that ends closes its payment sessions",
  "shop/orders shop/withdrawals": "a withdrawal changes an order; an order shows its withdrawals",
};

/** The noun that a folder belongs to: the service's second level, the console's third. */
function toNoun(folder: string): string {
  const depth = folder.startsWith("web/") ? 3 : 2;
  return folder.split("/").slice(0, depth).join("/");
}

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

/** "noun noun" for each two that import each other, in the order of the alphabet. */
function findMutual(sources: readonly Source[]): string[] {
  const arrows = new Set<string>();
  for (const { path, text } of sources)
    for (const [, specifier = ""] of text.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s+"(\.[^"]+)"/gmu)) {
      const from = toNoun(dirname(path));
      const to = toNoun(posix.dirname(posix.normalize(posix.join(dirname(path), specifier))));
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

  it("lets no two nouns import each other, but for those that are named", () => {
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

  it("documents copies of schemas that other files made", () => {
    // Such a schema may be older than the library that adds `openapi`: it then lacks the method.
    const borrowed = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/^import \{([^}]*)\} from "\.[^"]*schemas?\.ts";/gmu)]
        .flatMap(([, names = ""]) => names.split(",").map((name) => name.trim()))
        .filter((name) => name !== "" && new RegExp(`\\b${name}\\s*\\.openapi\\(`, "u").test(text))
        .map((name) => `${path}: ${name}`),
    );
    assert.deepEqual(borrowed, []);
  });

  it("has headers that say what a file is, without a formula", () => {
    const formula = sources
      .filter(({ text }) => /Hidden\s+(?:\* )?here:/u.test(text))
      .map(({ path }) => path);
    assert.deepEqual(formula, []);
  });
});
