import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { AppError } from "../../../src/kit/errors.ts";
import { parseStrictJson } from "../../../src/kit/text/strict-json.ts";

const parse = (text: string): unknown => parseStrictJson(new TextEncoder().encode(text));

function refusal(input: string | Uint8Array): string {
  try {
    parseStrictJson(typeof input === "string" ? new TextEncoder().encode(input) : input);
  } catch (error) {
    assert.ok(error instanceof AppError);
    assert.equal(error.code, "bad_request");
    return error.message;
  }
  throw new Error(`Taken: ${String(input).slice(0, 80)}`);
}

describe("parseStrictJson", () => {
  it("gives what JSON.parse gives for any JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(undefined, 2, "\t"), (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        fc.pre(!text.includes("__proto__"));
        assert.deepEqual(parse(text), JSON.parse(text));
      }),
    );
  });

  it("takes and refuses the same small texts as JSON.parse", () => {
    const pieces = [
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"b"',
      "1",
      "-",
      "0",
      ".5",
      "e3",
      "true",
      "nul",
      " ",
      '"\\u00e',
      "\n",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (parts) => {
        const text = parts.join("");
        let expected: unknown;
        let isOutOfRange = false;
        try {
          expected = JSON.parse(text, (_key, value: unknown) => {
            isOutOfRange ||= typeof value === "number" && !Number.isFinite(value);
            return value;
          });
        } catch {
          refusal(text);
          return;
        }
        if (isOutOfRange) assert.match(refusal(text), /out of range/u);
        else assert.deepEqual(parse(text), expected);
      }),
      { numRuns: 3_000 },
    );
  });

  it("says where a fault is", () => {
    assert.equal(refusal("[1,x]"), "The JSON has an unexpected character"); // V8 gives no position here
    assert.equal(refusal('{"a": 1,\n  "b" 2}'), "The JSON has an unexpected character at 2:7");
    assert.equal(refusal(""), "The JSON has an unexpected end at 1:1");
    assert.equal(refusal('{"a":[1,2'), "The JSON has an unexpected end at 1:10");
    assert.equal(refusal("[1] x"), "The JSON has an unexpected character at 1:5");
  });

  it("refuses bytes that are not UTF-8", () => {
    assert.match(refusal(new Uint8Array([0x22, 0xff, 0x22])), /UTF-8/u);
    assert.match(refusal(new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])), /UTF-8/u); // a surrogate as CESU-8
    assert.match(refusal(new Uint8Array([0x22, 0xc0, 0xaf, 0x22])), /UTF-8/u); // overlong
  });

  it("takes 64 levels and refuses 65, also 200,000 at once", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    parse(nested(64));
    assert.match(refusal(nested(65)), /too many levels/u);
    assert.match(refusal(nested(200_000)), /too many levels/u);
    assert.match(refusal(`${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`), /too many levels/u);
    assert.match(refusal('{"a":'.repeat(200_000)), /unexpected end/u);
    assert.match(refusal("[".repeat(200_000)), /unexpected end/u);
    const bytes = new TextEncoder().encode("[[1]]");
    assert.throws(() => parseStrictJson(bytes, { maxDepth: 1 }), { code: "bad_request" });
    assert.deepEqual(parseStrictJson(bytes, { maxDepth: 2 }), [[1]]);
  });

  it("takes the last of two members with one key, as JSON.parse does", () => {
    assert.deepEqual(parse('{"a":1,"b":2,"\\u0061":3}'), { a: 3, b: 2 });
  });

  it("refuses numbers out of range and keeps extreme ones in it", () => {
    for (const text of ["1e400", "-1e400", "[1e309]", `1${"0".repeat(400)}`])
      assert.match(refusal(text), /out of range/u);
    assert.deepEqual(parse("[1e308,1e-400,-0,0.1E+2]"), [1e308, 0, -0, 10]);
    for (const text of ["01", "+1", ".5", "1.", "1e", "NaN", "Infinity", "0x1", "--1"]) refusal(text);
  });

  it("refuses half characters and control characters in strings", () => {
    for (const text of ['"\\ud800"', '"\\udc00"', '"\\ud800\\ud800"', '"\\ud800x"', '"\\udc00\\ud800"']) {
      assert.match(refusal(text), /lone surrogate/u);
    }
    assert.equal(parse('"\\ud83d\\ude00"'), "😀");
    assert.match(refusal('{"\\ud800":1}'), /lone surrogate/u);
    assert.match(refusal('"a\nb"'), /unexpected character at 1:3/u);
    for (const text of ['"\\x41"', '"\\u12g4"', '"\\u12', '"\\']) assert.match(refusal(text), /unexpected/u);
  });

  it("refuses __proto__ in any spelling and leaves prototypes alone", () => {
    assert.match(refusal('{"__proto__":{"admin":true}}'), /"__proto__", which is not allowed/u);
    assert.match(refusal('{"\\u005f_proto__":1}'), /"__proto__", which is not allowed/u);
    const value = parse('{"constructor":{"prototype":{"admin":true}},"toString":1}');
    assert.deepEqual(Object.keys(Object(value)), ["constructor", "toString"]);
    assert.equal(Reflect.get({}, "admin"), undefined);
  });

  it("takes a byte order mark, which a parser may ignore (RFC 8259 section 8.1)", () => {
    assert.deepEqual(parse("\ufeff[1]"), [1]);
  });
});
