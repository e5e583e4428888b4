/** Tables of fields name their texts by rule: no label, hint or value that is chosen may lack its words. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { allFields } from "../../src/web/auth/applications/application-form.ts";
import { ruleFields } from "../../src/web/auth/providers/provider-form.ts";
import { checkKinds } from "../../src/web/monitor/checks/editor/check-kinds.ts";
import { type FieldSpec, listValues } from "../../src/web/ui/settings/setting-specs.ts";

const specs: readonly FieldSpec[] = [...allFields, ...ruleFields];

async function readNames(): Promise<ReadonlySet<string>> {
  const lists = ["web", "web-auth", "web-shop"].map(async (room) => {
    const words = await readFile(new URL(`../../src/texts/en/${room}.json`, import.meta.url), "utf8");
    return Object.keys(JSON.parse(words));
  });
  return new Set((await Promise.all(lists)).flat());
}

describe("words of fields in tables", () => {
  it("are there for every value of a setting", async () => {
    const names = await readNames();
    const wanted = specs.flatMap((spec) => {
      const { label, kind } = spec;
      const words = (typeof kind === "object" && "words" in kind && kind.words) || label;
      return [label, ...listValues(spec).map((value) => `${words}.${value}`)];
    });
    assert.ok(wanted.length > 30);
    assert.deepEqual(
      wanted.filter((name) => !names.has(name)),
      [],
    );
  });

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
