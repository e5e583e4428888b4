/** The texts of pages: there is one for everything that can happen. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { toFaults } from "../../../src/auth/pages/form-faults.ts";
import { createTexts } from "../../../src/auth/pages/texts.ts";
import { profilePatchSchema, usernameSchema } from "../../../src/auth/accounts/schema.ts";
import { registrationSettingsSchema } from "../../../src/auth/settings/schema.ts";
import { languages } from "../../../src/kit/text/languages.ts";
import { AppError } from "../../../src/kit/errors.ts";
import { toInvalidError } from "../../../src/kit/text/validation.ts";

const source = new URL("../../../src/", import.meta.url);

async function readEnglish(): Promise<Record<string, string>> {
  return JSON.parse(await readFile(new URL("texts/en/auth-pages.json", source), "utf8"));
}

describe("the texts of pages", () => {
  it("name every event of an account's activity, and every error of a form", async () => {
    const english = await readEnglish();
    const events = await readFile(new URL("auth/accounts/events.ts", source), "utf8");
    const kinds = [...events.matchAll(/^ {2}\| "([a-z-]+)"/gmu)].map(([, kind = ""]) => kind);
    assert.ok(kinds.length > 20);
    assert.deepEqual(
      kinds.filter((kind) => english[`event.${kind}`] === undefined),
      [],
    );
    const errors = (
      await Promise.all(
        ["auth/base/errors.ts", "kit/errors.ts"].map((path) => readFile(new URL(path, source), "utf8")),
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
