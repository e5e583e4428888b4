/** The texts of pages and mails: every language says everything, with the same places for values. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { describe, it } from "node:test";
import { toFaults } from "../../../src/auth/pages/form-faults.ts";
import { createTexts } from "../../../src/auth/pages/texts.ts";
import { usernameSchema } from "../../../src/auth/accounts/schema.ts";
import { profilePatchSchema } from "../../../src/auth/people/profiles.ts";
import { registrationSettingsSchema } from "../../../src/auth/settings/schema.ts";
import { languages } from "../../../src/kit/text/languages.ts";
import { AppError } from "../../../src/kit/errors.ts";
import { toInvalidError } from "../../../src/kit/text/validation.ts";

const folder = new URL("../../../src/auth/pages/texts/", import.meta.url);
const mailFolder = new URL("../../../src/auth/mails/texts/", import.meta.url);

async function readTexts(name: string, from = folder): Promise<Record<string, string>> {
  return JSON.parse(await readFile(new URL(name, from), "utf8"));
}

/** Names in braces, sorted. */
function listPlaces(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => name).toSorted();
}

describe("the texts of pages and mails", () => {
  for (const from of [folder, mailFolder])
    it(`have the same names and the same places in all languages, and none is empty: ${from.pathname.split("/").at(-3) ?? ""}`, async () => {
      const names = await readdir(from);
      assert.deepEqual(names.toSorted(), ["de.json", "en.json", "zh.json"]);
      const english = await readTexts("en.json", from);
      for (const name of names) {
        const texts = await readTexts(name, from);
        assert.deepEqual(Object.keys(texts), Object.keys(english), name);
        for (const [key, text] of Object.entries(texts)) {
          assert.notEqual(text.trim(), "", `${name} ${key}`);
          assert.deepEqual(listPlaces(text), listPlaces(english[key] ?? ""), `${name} ${key}`);
        }
      }
    });

  it("name every event that can stand in an account's activity, and every refusal of a form", async () => {
    const english = await readTexts("en.json");
    const events = await readFile(new URL("../../accounts/events.ts", folder), "utf8");
    const kinds = [...events.matchAll(/^ {2}\| "([a-z-]+)"/gmu)].map(([, kind = ""]) => kind);
    assert.ok(kinds.length > 20);
    assert.deepEqual(
      kinds.filter((kind) => english[`event.${kind}`] === undefined),
      [],
    );
    const errors = (
      await Promise.all(
        ["../../errors.ts", "../../../kit/errors.ts"].map((path) => readFile(new URL(path, folder), "utf8")),
      )
    ).join("\n");
    const codes = [...errors.matchAll(/^ {2}(\w+): \{/gmu)].map(([, code = ""]) => code);
    assert.ok(codes.length > 15);
    // What pages never run into: tokens of programs, and what is answered by leading elsewhere.
    const elsewhere = new Set([
      "refresh_invalid",
      "refresh_reused",
      "audience_not_allowed",
      "reauth_required",
      // Answered by a whole page, before there is a form.
      "origin_refused",
      "method_not_allowed",
      "misdirected",
      "upgrade_required",
      "unsupported_media_type",
    ]);
    assert.deepEqual(
      codes.filter((code) => !elsewhere.has(code) && english[`error.${code}`] === undefined),
      [],
    );
  });
});

describe("refusals at their fields", () => {
  const settings = registrationSettingsSchema.parse({});
  const time = (): string => "now";
  const wrong: readonly (readonly [string, unknown])[] = [
    ["displayName", ""],
    ["bio", "a".repeat(501)],
    ["website", "javascript:alert(1)"],
    ["location", "a".repeat(101)],
    ["links", [{ label: "", url: "x" }]],
  ];

  it("have words of their own in each language", () => {
    for (const language of languages) {
      const t = createTexts(language);
      const other = t("error.invalid");
      for (const [field, value] of wrong) {
        const parsed = profilePatchSchema.safeParse({ [field]: value });
        assert.ok(!parsed.success, field);
        for (const fault of toFaults(toInvalidError("json", parsed.error.issues), { t, settings, time })) {
          assert.equal(fault.field, field);
          assert.notEqual(fault.text, other, `${language} ${field}`);
        }
      }
      assert.ok(!usernameSchema.safeParse("a b").success);
      for (const field of [
        "identifier",
        "username",
        "email",
        "address",
        "password",
        "code",
        "token",
        "inviteCode",
        "timeZone",
        "picture",
      ]) {
        const error = new AppError("invalid", "x", {
          errors: [{ pointer: `/${field}`, code: "invalid", message: "x" }],
        });
        const [fault] = toFaults(error, { t, settings, time });
        assert.equal(fault?.field, field);
        assert.notEqual(fault?.text, other, `${language} ${field}`);
      }
    }
  });

  it("of a picture say what a picture may be, though the refusal names no field", () => {
    const error = new AppError("invalid", "The picture is 9000 × 1 pixels");
    const t = createTexts("de");
    const faults = toFaults(error, { t, settings, time, fields: { invalid: "picture" } });
    assert.deepEqual(faults, [{ field: "picture", text: t("fault.picture") }]);
  });
});
