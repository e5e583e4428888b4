/** Names that look like the site's staff cannot be chosen; those of people can. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { passesForOfficial } from "../../../src/auth/registration/official-names.ts";
import { registrationSettingsSchema } from "../../../src/auth/settings/schema.ts";
import { createTestApp } from "../app-fixture.ts";

const settings = registrationSettingsSchema.parse({ siteName: "Trivet Home" });
const passes = (name: string): boolean => passesForOfficial(name, settings);

describe("names that pass for the site's own", () => {
  for (const name of [
    "Administrator",
    "ADMIN",
    "Support",
    "Trivet Support",
    "trivet-support",
    "Support Team",
    "The Support Team",
    "Trivet Team",
    "Trivet Home Staff",
    "Customer Support",
    "A d m i n",
    "Sup.port",
    "[Support]",
    "Support ✓",
    "Admin 2",
    "Аdmin",
    "ѕuрроrt",
    "Adm1n",
    "Ádmin",
    "ad\u{200b}min",
    "Ｓｕｐｐｏｒｔ",
    "Trivet Security",
    "root",
    "Kundendienst",
    "Trivet Kundenservice",
    "客服",
    "Trivet 客服",
    "Trivet管理员",
    "官方客服",
  ])
    it(`include ${name}`, () => assert.ok(passes(name)));

  for (const name of [
    "Max Admin",
    "Ada Lovelace",
    "Trivet",
    "Home",
    "Team Rocket",
    "Supporter",
    "Rooty",
    "Sam Support",
    "李雷",
    "王客",
    "Service",
    "Systema",
    "Adminah",
    "Ben",
    "Ünal",
    "Βασίλης",
    "Иван",
    "007",
    "…",
    "Security",
  ])
    it(`do not include ${name}`, () => assert.ok(!passes(name)));

  it("follow the settings", () => {
    const own = registrationSettingsSchema.parse({ siteName: "Ärzte", reservedUsernames: ["captain"] });
    assert.ok(passesForOfficial("Arzte Captain", own));
    assert.ok(!passesForOfficial("Trivet Captainess", own));
  });

  it("are rejected at their field when people register and change their profile", async () => {
    const app = await createTestApp();
    const register = (body: object): Promise<Response> =>
      app.fetch("/api/auth/register", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ password: "a long password for a test", ...body }),
      });
    const named = await register({
      username: "eve",
      email: "eve@example.org",
      displayName: "Trivet Support",
    });
    const { errors }: { errors: { pointer: string; message: string }[] } = await named.json();
    assert.deepEqual([named.status, errors[0]?.pointer], [422, "/displayName"]);
    assert.match(errors[0]?.message ?? "", /reserved for the administrators of this site/u);
    const taken = await register({ username: "trivet-support", email: "eve@example.org" });
    assert.deepEqual(
      [taken.status, ((await taken.json()) as { code: string }).code],
      [409, "username_taken"],
    );
  });
});
