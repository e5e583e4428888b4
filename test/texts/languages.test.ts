/** The files of src/texts, as `npm run texts -- --check` sees them, and what only people would notice. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const project = fileURLToPath(new URL("../../", import.meta.url));
const textsSchema = z.record(z.string(), z.string());
/** What is said to a friend, not to a customer. */
const familiar =
  /\b(?:du|dich|dir|dein(?:e[mnrs]?)?|fülle|gib|klicke|kopiere|melde|nimm|öffne|prüfe|schreibe|setze|starte|trage|wähle)\b/iu;

async function readRoom(path: string): Promise<Record<string, string>> {
  return textsSchema.parse(JSON.parse(await readFile(join(project, "src/texts", path), "utf8")));
}

function run(folder: string, args: readonly string[]): Promise<{ code: number; lines: string[] }> {
  return new Promise((resolve) => {
    execFile(
      "node",
      ["--import", "tsx", join(folder, "scripts/texts.ts"), ...args],
      { cwd: folder },
      (error, out, faults) =>
        resolve({ code: error === null ? 0 : 1, lines: `${out}${faults}`.trim().split("\n") }),
    );
  });
}

describe("the texts", () => {
  it("are complete in every language, with the same places, and each is used", async () => {
    assert.deepEqual(await run(project, ["--check"]), { code: 0, lines: [""] });
  });

  it("are German of the polite form", async () => {
    for (const name of await readdir(join(project, "src/texts/de"))) {
      const texts = Object.entries(await readRoom(`de/${name}`));
      assert.deepEqual(
        texts.filter(([, words]) => familiar.test(words)),
        [],
        name,
      );
    }
  });

  it("have no name in two rooms that are read as one", async () => {
    const together = [
      ["shop-frame", "shop-catalogue", "shop-buying", "shop-personal", "shop-chat"],
      ["monitor-alerts", "monitor-kinds"],
      ["web", "monitor-kinds"],
    ];
    for (const rooms of together) {
      const keys = await Promise.all(
        rooms.map(async (room) => Object.keys(await readRoom(`en/${room}.json`))),
      );
      const all = keys.flat();
      assert.deepEqual(
        all.filter((key, at) => all.indexOf(key) !== at),
        [],
      );
    }
  });
});

describe("npm run texts", () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-texts-"));
    await cp(join(project, "src"), join(folder, "src"), {
      recursive: true,
      filter: (path) => !path.endsWith("/built"),
    });
    await cp(join(project, "scripts"), join(folder, "scripts"), { recursive: true });
    await cp(join(project, "package.json"), join(folder, "package.json"));
    await symlink(join(project, "node_modules"), join(folder, "node_modules"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Changes the texts of a room in the copy. */
  async function change(
    path: string,
    by: (texts: Record<string, string>) => Record<string, string>,
  ): Promise<void> {
    const file = join(folder, "src/texts", path);
    const texts = textsSchema.parse(JSON.parse(await readFile(file, "utf8")));
    await writeFile(file, JSON.stringify(by(texts)));
  }

  it("finds what is missing, unknown, unused or does not fit the language", async () => {
    const faults = [
      ["{number} Artikel", "has a place {number} that English lacks"],
      ["Artikel", "lacks the place {count}"],
      ["{count} {count, plural, one {x}}", '{count} has no case "other"'],
      ["{count} {count, plural, other {x} few {y}}", '{count} lacks the case "one"'],
      ["{count} {count, plural, one {x} other {y} few {z}}", '{count} has a case "few" that is never chosen'],
      ["{count, plural, one {x} other {y", "has a choice that is not closed, or lies too deep"],
      ["{count, plural, other {{count, plural, other {x}}}}", "{count} is a plural in a plural"],
      ["", "is empty"],
    ];
    // Below a name that sources have, each is a text of its own.
    const toTexts = (list: readonly string[]): Record<string, string> =>
      Object.fromEntries(list.map((text, at) => [`list.count.${at}`, text]));
    const english = toTexts(faults.map(() => "{count, plural, one {x} other {{count} y}}"));
    const german = toTexts(faults.map(([text = ""]) => text));
    await change("en/shop-catalogue.json", (texts) => ({ ...texts, ...english, "never.named.here": "x" }));
    await change("zh/shop-catalogue.json", (texts) => ({ ...texts, ...english, "never.named.here": "x" }));
    await change("de/shop-catalogue.json", ({ "price.withTax": _, ...texts }) => ({
      ...texts,
      ...german,
      "never.named.here": "x",
      "list.extra": "Mehr",
    }));
    const { code, lines } = await run(folder, ["--check"]);
    assert.equal(code, 1);
    assert.deepEqual(
      lines.filter((line) => !line.startsWith("zh: ")),
      [
        "de: lacks shop-catalogue: price.withTax",
        ...faults.map(([, fault], at) => `de: shop-catalogue: list.count.${at} ${fault}`),
        "de: shop-catalogue: list.extra is not in English",
        "unused: shop-catalogue: never.named.here",
      ],
    );
  });

  it("says what a language lacks: all of one without texts", async () => {
    const { lines } = await run(project, ["--missing", "eo"]);
    const english = await Promise.all(
      (await readdir(join(project, "src/texts/en"))).map(async (name) =>
        Object.keys(await readRoom(`en/${name}`)).map((key) => `${name.replace(".json", "")}: ${key}`),
      ),
    );
    assert.deepEqual(lines.slice(0, -1).toSorted(), english.flat().toSorted());
    assert.match(lines.at(-1) ?? "", /^\d+ texts: .*shop-chat \d+/u);
    const [all, same] = (await run(project, ["--missing", "de"])).lines;
    assert.equal(all, "de has every text");
    assert.match(same ?? "", /^\d+ are as in English; --same lists them$/u);
  });
});
