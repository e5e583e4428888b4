/** The texts of the storefront: every language says everything, with the same places for values. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { describe, it } from "node:test";
import { z } from "zod";

const folder = new URL("../../../src/shop/pages/texts/", import.meta.url);

async function readTexts(path: string): Promise<Record<string, string>> {
  const texts: unknown = JSON.parse(await readFile(new URL(path, folder), "utf8"));
  return z.record(z.string(), z.string()).parse(texts);
}

/** Names in braces, sorted. */
function listPlaces(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => name).toSorted();
}

describe("the texts of the storefront", () => {
  it("have the same names and the same places in all languages, none is empty, and no two parts share a name", async () => {
    const known = new Set<string>();
    for (const part of await readdir(folder)) {
      assert.deepEqual((await readdir(new URL(`${part}/`, folder))).toSorted(), [
        "de.json",
        "en.json",
        "zh.json",
      ]);
      const english = await readTexts(`${part}/en.json`);
      for (const key of Object.keys(english)) {
        assert.ok(!known.has(key), `${key} stands in two parts`);
        known.add(key);
      }
      for (const language of ["de", "zh"]) {
        const texts = await readTexts(`${part}/${language}.json`);
        assert.deepEqual(Object.keys(texts), Object.keys(english), `${part} ${language}`);
        for (const [key, text] of Object.entries(texts)) {
          assert.notEqual(text.trim(), "", `${language} ${key}`);
          assert.deepEqual(listPlaces(text), listPlaces(english[key] ?? ""), `${language} ${key}`);
        }
      }
    }
    assert.ok(known.size > 20);
  });
});
