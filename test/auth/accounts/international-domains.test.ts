/** Email addresses whose domain has letters beyond ASCII: kept as DNS has them, and found by either spelling. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { emailSchema } from "../../../src/auth/accounts/schema.ts";
import { PASSWORD, createTestApp } from "../app-fixture.ts";

describe("an email address with an international domain", () => {
  it("is kept in punycode", () => {
    const known: Readonly<Record<string, string>> = {
      "ann@bücher.example": "ann@xn--bcher-kva.example",
      "ann@BÜCHER.example": "ann@xn--bcher-kva.example",
      "ann@bu\u0308cher.example": "ann@xn--bcher-kva.example",
      "ann@例え.テスト": "ann@xn--r8jz45g.xn--zckzah",
      "ann@例え。テスト": "ann@xn--r8jz45g.xn--zckzah",
      "ann+x@почта.рф": "ann+x@xn--80a1acny.xn--p1ai",
      "ann@straße.example": "ann@xn--strae-oqa.example",
      "ann@xn--bcher-kva.example": "ann@xn--bcher-kva.example",
      "Ann@Example.org": "Ann@Example.org",
    };
    for (const [typed, kept] of Object.entries(known)) assert.equal(emailSchema.parse(typed), kept, typed);
    for (const typed of [
      "änn@example.org",
      "ann@bü cher.example",
      "ann@bücher",
      "@bücher.example",
      "ann@bü/cher.example",
      "ann@bü@cher.example",
      "ann@\u202ebücher.example",
      "ann@bücher.example:80",
      "ann@１２７.０.０.１",
    ])
      assert.equal(emailSchema.safeParse(typed).success, false, typed);
  });

  it("signs in by either spelling", async () => {
    const app = await createTestApp();
    const account = { username: "ann", email: "ann@bücher.example", password: PASSWORD, emailVerified: true };
    const made = await app.admin("POST", "/api/admin/users", account);
    assert.equal(made.status, 201);
    const { email }: { email: string } = await made.json();
    assert.equal(email, "ann@xn--bcher-kva.example");
    for (const identifier of ["ann@bücher.example", "ANN@BÜCHER.example", email]) {
      const answer = await app.send("POST", "/api/auth/login", { body: { identifier, password: PASSWORD } });
      assert.equal(answer.status, 200, identifier);
    }
    const again = await app.admin("POST", "/api/admin/users", { ...account, username: "other" });
    assert.equal(again.status, 409);
  });
});
