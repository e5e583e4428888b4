/** What translators use: the files of a new language, with its plural forms, and the list of what is left. */
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { toDirection } from "../../src/kit/text/direction.ts";
import { isDeno } from "../support/own-runtime.ts";
import { projectFolder, runProcess } from "../support/process.ts";

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-translate-"));
  for (const path of ["src", "scripts", "package.json", "tsconfig.json"])
    await cp(join(projectFolder, path), join(folder, path), { recursive: true });
  await symlink(join(projectFolder, "node_modules"), join(folder, "node_modules"));
});
after(() => rm(folder, { recursive: true, force: true }));

function texts(...args: readonly string[]): Promise<{ code: number | undefined; output: string }> {
  const all = ["--import", "tsx", join(folder, "scripts/texts.ts"), ...args];
  return runProcess({ command: "node", args: all, cwd: folder });
}

describe("a language for translators", { skip: isDeno && "the script runs on Node" }, () => {
  it("gets every file, its own name and its plural forms, and passes the check", async () => {
    const made = await texts("--new", "ar");
    assert.equal(made.code, 0, made.output);
    const names = (of: string): Promise<string[]> => readdir(join(folder, "src/texts", of));
    assert.deepEqual(await names("ar"), await names("en"));
    assert.match(
      await readFile(join(folder, "src/kit/text/languages.ts"), "utf8"),
      /, ar: "العربية" \} as const/u,
    );
    const files = (await names("ar")).map((name) => readFile(join(folder, "src/texts/ar", name), "utf8"));
    const plurals = (await Promise.all(files)).join("").match(/, plural,(?! other).*/gu) ?? [];
    assert.ok(plurals.length > 50);
    for (const plural of plurals) assert.match(plural, /zero \{.*one \{.*two \{.*few \{.*many \{.*other \{/u);
    const checked = await texts("--check");
    assert.equal(checked.code, 0, checked.output);
  });

  it("is reported as complete and not translated", async () => {
    const { output } = await texts("--missing", "ar");
    const [, same = "0"] = /^ar has every text\n(\d+) are as in English/u.exec(output) ?? [];
    assert.ok(Number(same) > 4_000, output);
    assert.ok((await texts("--missing", "ar", "--same")).output.includes("web: "), "the texts by name");
    const { output: german } = await texts("--missing", "de");
    assert.ok(Number(/(\d+) are as in English/u.exec(german)?.[1]) < 600, german);
  });

  it("is refused where it is there already or is no language", async () => {
    for (const [name, reason] of [
      ["ar", /already/u],
      ["en", /already/u],
      ["../x", /code of a language/u],
    ] as const) {
      const { code, output } = await texts("--new", name);
      assert.equal(code, 1, name);
      assert.match(output, reason);
    }
  });
});

describe("the direction of a language", () => {
  it("is that of its writing", () => {
    assert.deepEqual(["en", "de-AT", "zh", "ar", "he-IL", "FA", "ur"].map(toDirection), [
      "ltr",
      "ltr",
      "ltr",
      "rtl",
      "rtl",
      "rtl",
      "rtl",
    ]);
  });
});
