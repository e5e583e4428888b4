import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseForeignJson, toStorableText } from "../../../src/kit/text/foreign-text.ts";

describe("toStorableText", () => {
  it("replaces U+0000 and each lone surrogate, and keeps whole pairs", () => {
    assert.equal(toStorableText("a\0b"), "a\ufffdb");
    assert.equal(toStorableText("\ud83d!\ude00"), "\ufffd!\ufffd");
    assert.equal(toStorableText("\ude00\ud83d"), "\ufffd\ufffd");
    assert.equal(toStorableText("😀 Ελλάδα \u0001\u2028"), "😀 Ελλάδα \u0001\u2028");
  });
});

describe("parseForeignJson", () => {
  it("cleans strings and keys at any depth", () => {
    const text = String.raw`{"a\u0000":["\ud800",{"b":"\uDFFFx"}],"n":1,"t":null}`;
    assert.deepEqual(parseForeignJson(text), { "a\ufffd": ["\ufffd", { b: "\ufffdx" }], n: 1, t: null });
  });

  it("keeps an escaped backslash before the same letters, and whole pairs", () => {
    assert.deepEqual(parseForeignJson(String.raw`["\\u0000","\ud83d\ude00"]`), [String.raw`\u0000`, "😀"]);
  });

  it("keeps the key __proto__ a key", () => {
    const value = parseForeignJson(String.raw`{"__proto__":{"x":"\u0000"}}`);
    assert.deepEqual(Object.keys(Object(value)), ["__proto__"]);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });

  it("throws a SyntaxError for what is not JSON, and for a nesting that no answer has", () => {
    assert.throws(() => parseForeignJson("{"), SyntaxError);
    assert.throws(() => parseForeignJson(`${"[".repeat(5_000)}"\\u0000"${"]".repeat(5_000)}`), SyntaxError);
  });

  it("gives what JSON.parse gives wherever that can be stored", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const found = JSON.stringify(parseForeignJson(text));
        assert.doesNotMatch(found, /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/u);
        const plain: unknown = JSON.parse(text);
        if (!/\\u(?:0000|d[89a-f])/iu.test(text)) assert.deepEqual(parseForeignJson(text), plain);
      }),
    );
  });
});
