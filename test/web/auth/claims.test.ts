/** Claims as they are typed and sent: each value keeps its type. */
import "../resource/browser.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ownClaimsSchema } from "../../../src/auth/claims/schema.ts";
import { claimsKind, readClaim, toClaimText } from "../../../src/web/auth/claims/claims-kind.tsx";

const at = { form: {}, context: undefined, words: "claims" };

describe("claims in a form", () => {
  it("come back as they were, whatever their type", () => {
    const values = ["gold", "", "7", "true", "007", "[1]", '"quoted"', " spaced ", 7, -1.5, true, false];
    for (const value of [...values, ["a", "b"], [], ["1"]])
      assert.deepEqual(readClaim(toClaimText(value)), value, toClaimText(value));
    const kind = claimsKind<undefined>({ typed: true })({ kind: "pairs" });
    const claims = { quota: 5, plan: "gold", code: "5", beta: true, teams: ["red", "blue"] };
    assert.ok(ownClaimsSchema.safeParse(claims).success);
    assert.deepEqual(kind.read(kind.toTyped(claims, at), at), { value: claims });
  });

  it("are texts where templates are meant", () => {
    const kind = claimsKind<undefined>()({ kind: "pairs" });
    const templates = { mail: "{{user.email}}", level: "5", on: "true" };
    assert.deepEqual(kind.read(kind.toTyped(templates, at), at), { value: templates });
  });

  it("are refused with the same name twice, and taken away when their name is", () => {
    const kind = claimsKind<undefined>({ typed: true })({ kind: "pairs" });
    const line = (name: string) => ({ name, value: "1", kept: "" });
    assert.deepEqual(kind.read([line("quota"), line(" quota ")], at), { fault: "auth.claims.twice" });
    assert.deepEqual(kind.read([line("quota"), line("")], at), { value: { quota: 1 } });
    assert.deepEqual(kind.read([], at), { value: {} });
  });
});
