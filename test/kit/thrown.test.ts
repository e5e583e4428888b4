import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { codeOf, textOf, toError } from "../../src/kit/thrown.ts";

const coded = Object.assign(new Error("No such file"), { code: "ENOENT" });

describe("toError", () => {
  it("leaves an error as it is and wraps anything else", () => {
    assert.equal(toError(coded), coded);
    assert.equal(toError("cut").message, "cut");
    assert.equal(toError(undefined).message, "undefined");
  });
});

describe("textOf", () => {
  it("gives an error's message and the text of anything else", () => {
    assert.equal(textOf(coded), "No such file");
    assert.equal(textOf(7), "7");
  });
});

describe("codeOf", () => {
  it("gives the code of an error", () => {
    assert.equal(codeOf(coded), "ENOENT");
  });

  for (const [what, thrown] of Object.entries({
    "an error without one": new Error("x"),
    "an error with a number": Object.assign(new Error("x"), { code: 2 }),
    "what is no error": { code: "ENOENT" },
    null: null,
  })) {
    it(`finds none in ${what}`, () => {
      assert.equal(codeOf(thrown), undefined);
    });
  }
});
