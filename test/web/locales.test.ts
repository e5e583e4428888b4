import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { describe, it } from "node:test";

const folders = {
  dashboard: new URL("../../src/web/locales/", import.meta.url),
  "console of accounts": new URL("../../src/web/auth/locales/", import.meta.url),
  "console of the shop": new URL("../../src/web/shop/locales/", import.meta.url),
};
/** What is said to a friend, not to a customer. */
const familiar =
  /\b(?:du|dich|dir|dein(?:e[mnrs]?)?|fülle|gib|klicke|kopiere|melde|nimm|öffne|prüfe|schreibe|setze|starte|trage|wähle)\b/iu;
const forms = ["zero", "one", "two", "few", "many", "other"];

async function readTexts(folder: URL, name: string): Promise<Readonly<Record<string, string>>> {
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

for (const [what, folder] of Object.entries(folders)) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const english = await readTexts(folder, "en.json");
  const all = await Promise.all(names.map(async (name) => ({ name, texts: await readTexts(folder, name) })));

  describe(`languages of the ${what}`, () => {
    it("are English, German and Chinese at least", () => {
      assert.ok(["de.json", "en.json", "zh.json"].every((name) => names.includes(name)));
    });

    it("are German of the polite form", () => {
      const german = all.find(({ name }) => name === "de.json")?.texts ?? {};
      assert.deepEqual(
        Object.entries(german).filter(([, words]) => familiar.test(words)),
        [],
      );
    });

    for (const { name, texts } of all) {
      it(`${name} has a name that is a language, and no text is empty`, () => {
        assert.match(name, /^[a-z]{2,3}(?:-[A-Za-z0-9]+)*\.json$/u);
        const empty = Object.entries(texts).filter(([, words]) => words.trim() === "");
        assert.deepEqual(empty, []);
      });

      it(`${name} has every text, with the same values in it`, () => {
        const missing = Object.keys(english).filter((key) => !(key in texts) && !key.endsWith(".one"));
        assert.deepEqual(missing, []);
        const wrong = Object.entries(texts).filter(([key, words]) => {
          const known = english[toBase(key, english)];
          return known === undefined || toHoles(known).join() !== toHoles(words).join();
        });
        assert.deepEqual(wrong, []);
      });
    }
  });
}
