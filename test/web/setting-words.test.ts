/** Tables of fields name their texts by rule: no label, hint or value that is chosen may lack its words. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { checkKinds } from "../../src/web/monitor/checks/editor/check-kinds.ts";

async function readNames(): Promise<ReadonlySet<string>> {
  const lists = ["web", "web-auth", "web-shop"].map(async (room) => {
    const words = await readFile(new URL(`../../src/texts/en/${room}.json`, import.meta.url), "utf8");
    return Object.keys(JSON.parse(words));
  });
  return new Set((await Promise.all(lists)).flat());
}

describe("words of fields in tables", () => {
  it("are there for every value of a check, but for names of protocols and signs", async () => {
    const names = await readNames();
    const wanted = Object.values(checkKinds).flatMap(({ fields }) =>
      fields.flatMap((field) =>
        field.input === "choice" ? field.choices.map((value) => `${field.label}.${value}`) : [],
      ),
    );
    const missing = wanted.filter((name) => !names.has(name)).map((name) => name.split(".").at(-1) ?? "");
    assert.deepEqual(
      missing.filter((value) => /[a-z]/u.test(value)),
      [],
    );
  });
});
