/** What an ID token tells of a person: what the scopes open, for clients that read nothing else. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { ADMIN_TOKEN } from "../app-fixture.ts";
import { type Party, type Suite, openSuite } from "./conformance/suite.ts";

const KNOWN = ["name", "preferred_username", "email", "email_verified", "groups"];

let suite: Suite;
before(async () => {
  suite = await openSuite();
});

async function listClaims(party: Party, scope: string): Promise<string[]> {
  const { claims } = await party.enter(await suite.openBrowser(), { scope });
  return KNOWN.filter((name) => name in claims);
}

describe("an ID token", () => {
  it("has what the scopes open, and nothing else, for an application that was registered with defaults", async () => {
    const party = await suite.register("notes");
    assert.deepEqual(await listClaims(party, "openid"), []);
    assert.deepEqual(await listClaims(party, "openid email"), ["email", "email_verified"]);
    assert.deepEqual(await listClaims(party, "openid profile"), ["name", "preferred_username"]);
    assert.deepEqual(await listClaims(party, "openid profile email groups"), KNOWN);
    const { claims } = await party.enter(await suite.openBrowser(), { scope: "openid profile email" });
    const { name, email, email_verified: isVerified } = claims;
    assert.deepEqual([name, email, isVerified], ["Ann Lee", "ann@example.org", true]);
  });

  it("says only who it is where that is switched off, and for applications of older releases", async () => {
    const party = await suite.register("small", { fields: { claimsInIdToken: false } });
    assert.deepEqual(await listClaims(party, "openid profile email groups"), []);
    const line = { type: "application", id: "old", name: "Old" };
    await suite.center.fetch("/api/admin/users/import", {
      method: "POST",
      headers: { "content-type": "application/x-ndjson", "x-admin-token": ADMIN_TOKEN },
      body: JSON.stringify(line),
    });
    const old: { claimsInIdToken: boolean } = await (
      await suite.center.admin("GET", "/api/admin/clients/old")
    ).json();
    assert.equal(old.claimsInIdToken, false);
  });
});
