/** The browser bundle: the forms of the monitor's kinds without their schemas. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";

/** What the first view may take on the wire, gzipped; see docs/decisions/017-dashboard.md. */
const FIRST_VIEW_BYTES = 50_000;
/** Consoles that their services serve apart, and whose they are. */
const consoles = [
  ["auth", "accounts"],
  ["shop", "the shop"],
] as const;
/** The same of such a console, and what a section of it may take. */
const CONSOLE_BYTES = 45_000;
const SECTION_BYTES = 26_500;
const folder = new URL("../../src/web/built/", import.meta.url);

async function sizeOf(name: string): Promise<number> {
  return gzipSync(await readFile(new URL(name, folder)), { level: 9 }).length;
}

describe("the dashboard's first view", () => {
  it("is small: the page, and the styles and scripts that it names", async () => {
    const page = await readFile(new URL("index.html", folder), "utf8");
    const named = [...page.matchAll(/(?:href|src)="\/assets\/([\w-]+\.(?:js|css|svg))"/gu)];
    const names = ["index.html", ...named.map(([, name = ""]) => name)];
    assert.ok(names.length >= 5, names.join());
    const sizes = await Promise.all(names.map(sizeOf));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total <= FIRST_VIEW_BYTES, `${total} bytes: ${names.join(", ")}`);
  });
});

for (const [service, what] of consoles)
  describe(`the console of ${what}`, () => {
    const own = new URL(`${service}/`, folder);
    const measure = async (name: string): Promise<number> =>
      gzipSync(await readFile(new URL(name, own)), { level: 9 }).length;

    it("is small at first: the page, the styles and scripts that it names, and its texts", async () => {
      const page = await readFile(new URL("index.html", own), "utf8");
      const named = [...page.matchAll(/(?:href|src)="\/assets\/([\w-]+\.(?:js|css|svg))"/gu)];
      const names = ["index.html", "locale-en.json", ...named.map(([, name = ""]) => name)];
      assert.ok(names.length >= 5, names.join());
      const sizes = await Promise.all(names.map(measure));
      const total = sizes.reduce((sum, size) => sum + size, 0);
      assert.ok(total <= CONSOLE_BYTES, `${total} bytes: ${names.join(", ")}`);
    });

    it("has small sections, each with all that it shares with others", async () => {
      const scripts = (await readdir(own)).filter((name) => name.endsWith(".js"));
      const page = await readFile(new URL("index.html", own), "utf8");
      const texts = new Map<string, string>();
      for (const name of scripts) texts.set(name, await readFile(new URL(name, own), "utf8"));
      const listImports = (name: string): string[] =>
        [...(texts.get(name) ?? "").matchAll(/from\s*"\.\/([\w-]+\.js)"/gu)].map(([, found = ""]) => found);
      for (const section of scripts.filter((name) => /-page-\w+\.js$/u.test(name))) {
        const needed = new Set([section]);
        for (const name of needed) for (const found of listImports(name)) needed.add(found);
        const further = [...needed].filter((name) => !page.includes(name));
        const sizes = await Promise.all(further.map(measure));
        const total = sizes.reduce((sum, size) => sum + size, 0);
        assert.ok(total <= SECTION_BYTES, `${section}: ${total} bytes`);
      }
    });

    it("has every text that its scripts name, in all languages", async () => {
      const scripts = (await readdir(own)).filter((name) => name.endsWith(".js"));
      const all = (await Promise.all(scripts.map((name) => readFile(new URL(name, own), "utf8")))).join("\n");
      const named = new Set(
        [
          ...all.matchAll(
            /(?<!\b(?:words|texts):)"((?:admin|auth|shop|header|theme|page|control)\.[\w.-]+)"/gu,
          ),
        ].map(([, name = ""]) => name),
      );
      const begun = [...all.matchAll(/\b(?:words|texts):"((?:admin|auth|shop)\.[\w.-]+)"/gu)].map(
        ([, name = ""]) => `${name}.`,
      );
      for (const language of ["en", "de", "zh"]) {
        const files = await Promise.all(
          ["locale", "sections"].map((part) => readFile(new URL(`${part}-${language}.json`, own), "utf8")),
        );
        const known = new Set(files.flatMap((file) => Object.keys(JSON.parse(file) as object)));
        const missing = [...named].filter((name) => !known.has(name));
        missing.push(...begun.filter((name) => ![...known].some((text) => text.startsWith(name))));
        assert.deepEqual(missing, [], language);
      }
    });
  });

describe("the dashboard's scripts", () => {
  it("hold no schema library, though they take forms from files that use one", async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
    assert.ok(names.length > 1);
    const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), "utf8")));
    assert.ok(texts.some((text) => text.includes("countsPartial")));
    assert.ok(texts.some((text) => text.includes("homeserverUrl")));
    assert.ok(!texts.some((text) => text.includes("invalid_type")));
  });

  it("have small sections of checks, each with all that it shares with others", async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
    const texts = new Map<string, string>();
    for (const name of names) texts.set(name, await readFile(new URL(name, folder), "utf8"));
    const listImports = (name: string): string[] =>
      [...(texts.get(name) ?? "").matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/gu)].map(
        ([, found = ""]) => found,
      );
    const withAll = (first: readonly string[]): Set<string> => {
      const needed = new Set(first);
      for (const name of needed) for (const found of listImports(name)) needed.add(found);
      return needed;
    };
    const page = await readFile(new URL("index.html", folder), "utf8");
    // The console itself is there before a section of it.
    const known = withAll(names.filter((name) => page.includes(name) || name.startsWith("admin-page-")));
    const sections = names.filter((name) =>
      /^(?:checks-page|check-page|new-check-page|check-settings)-/u.test(name),
    );
    assert.equal(sections.length, 4);
    for (const section of sections) {
      const further = [...withAll([section])].filter((name) => !known.has(name));
      const sizes = await Promise.all(further.map(sizeOf));
      const total = sizes.reduce((sum, size) => sum + size, 0);
      assert.ok(total <= SECTION_BYTES, `${section}: ${total} bytes`);
    }
  });
});
