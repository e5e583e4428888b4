import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { describe, it } from "node:test";

const folder = new URL("../../src/web/locales/", import.meta.url);
const forms = ["zero", "one", "two", "few", "many", "other"];
const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));

async function readTexts(name: string): Promise<Readonly<Record<string, string>>> {
  const value: unknown = JSON.parse(await readFile(new URL(name, folder), "utf8"));
  assert.ok(typeof value === "object" && value !== null);
  return Object.fromEntries(Object.entries(value).map(([key, words]) => [key, String(words)]));
}

/** The values that a text wants, in order. */
function toHoles(words: string): string[] {
  return [...words.matchAll(/\{(\w+)\}/gu)].map(([, hole]) => hole ?? "").sort();
}

/** "x.few" counts as "x.other": a language may have forms that English lacks. */
function toBase(key: string, english: Readonly<Record<string, string>>): string {
  const end = key.lastIndexOf(".");
  const counted = `${key.slice(0, end)}.other`;
  return forms.includes(key.slice(end + 1)) && counted in english ? counted : key;
}

const english = await readTexts("en.json");
const all = await Promise.all(names.map(async (name) => ({ name, texts: await readTexts(name) })));

describe("languages of the dashboard", () => {
  it("are English and Chinese at least", () => {
    assert.ok(names.includes("en.json") && names.includes("zh.json"));
  });

  for (const { name, texts } of all) {
    it(`${name} has a name that is a language, and no text is empty`, () => {
      assert.match(name, /^[a-z]{2,3}(?:-[A-Za-z0-9]+)*\.json$/u);
      const empty = Object.entries(texts).filter(([, words]) => words.trim() === "");
      assert.deepEqual(empty, []);
    });

    it(`${name} has only texts that the dashboard knows, with the same values in them`, () => {
      const wrong = Object.entries(texts).filter(([key, words]) => {
        const known = english[toBase(key, english)];
        return known === undefined || toHoles(known).join() !== toHoles(words).join();
      });
      assert.deepEqual(wrong, []);
    });
  }

  it("zh.json has every text", () => {
    const chinese = all.find(({ name }) => name === "zh.json")?.texts ?? {};
    assert.deepEqual(
      Object.keys(english).filter((key) => !(key in chinese)),
      [],
    );
  });
});
