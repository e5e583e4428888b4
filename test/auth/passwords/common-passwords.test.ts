import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadCommonPasswords } from "../../../src/auth/passwords/common-passwords.ts";

describe("loadCommonPasswords", () => {
  it("finds common passwords in any case and any width", async () => {
    const isCommon = await loadCommonPasswords();
    for (const password of [
      "password",
      "123456789",
      "qwertyuiop",
      "trustno1",
      "PassWord",
      "TRUSTNO1",
      "\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44", // full-width letters
      "\uff30ASSWORD",
    ]) {
      assert.equal(isCommon(password), true, password);
    }
  });

  it("lets other passwords pass, and names that objects have", async () => {
    const isCommon = await loadCommonPasswords();
    for (const password of [
      "correct horse battery staple",
      "password ",
      "pässword",
      "",
      "__proto__",
      "hasOwnProperty",
      "x".repeat(100_000),
      "\ud800",
    ]) {
      assert.equal(isCommon(password), false, password.slice(0, 30));
    }
  });

  it("is loaded once for all callers", async () => {
    const [one, other] = await Promise.all([loadCommonPasswords(), loadCommonPasswords()]);
    assert.equal(one, other);
    assert.equal(await loadCommonPasswords(), one);
  });
});
