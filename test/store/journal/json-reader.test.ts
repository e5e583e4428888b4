/** The reader of large JSON finds the same values as `JSON.parse`, wherever its pieces end, and refuses what that refuses. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { BrokenJson, JsonReader } from "../../../src/store/journal/json-reader.ts";

async function* inPieces(bytes: Buffer, sizeBytes: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += sizeBytes)
    yield bytes.subarray(start, start + sizeBytes);
}

/** What an object of lists holds, value by value. */
async function readLists(text: string, sizeBytes: number): Promise<[string, unknown][]> {
  const reader = new JsonReader(inPieces(Buffer.from(text), sizeBytes));
  const found: [string, unknown][] = [];
  try {
    await reader.skipMark();
    for await (const { bytes } of reader.members()) {
      const name = String(parse(bytes));
      const values: unknown[] = [];
      for await (const item of reader.items({ isLines: false })) {
        const before = Buffer.from(text).subarray(item.offset, item.offset + item.bytes.byteLength);
        assert.equal(String(item.bytes), String(before), "where it stands");
        values.push(parse(item.bytes));
      }
      found.push([name, values]);
    }
    await reader.end();
    return found;
  } finally {
    await reader.close();
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new BrokenJson(0);
  }
}

const lists = fc.dictionary(fc.string(), fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 }), {
  maxKeys: 4,
});
const pieces = fc.integer({ min: 1, max: 40 });

/** JSON with white space wherever it is allowed, and some characters as escapes. */
function scatter(text: string, spaces: readonly string[]): string {
  let place = 0;
  const space = (): string => spaces[(place += 1) % spaces.length] ?? "";
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/gu, (token) => `${space()}${token}${space()}`);
}

describe("JsonReader", () => {
  it("finds what JSON.parse finds, however the text is laid out and cut into pieces", async () => {
    const spaces = fc.array(fc.constantFrom("", " ", "\n", "\t\r\n", "  "), { minLength: 1, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(lists, spaces, pieces, fc.boolean(), async (value, blank, size, hasMark) => {
        const text = scatter(JSON.stringify(value), blank);
        const expected = Object.entries(JSON.parse(text) as object);
        const found = await readLists(`${hasMark ? "\uFEFF" : ""}${text}`, size);
        assert.deepEqual(new Map(found), new Map(expected));
      }),
    );
  });

  it("refuses every text that JSON.parse refuses, and no other", async () => {
    const spoilt = fc
      .tuple(lists, fc.nat(), fc.constantFrom("", ",", "}", "]", '"', "\\", "x", "{", " 1", ":"), fc.nat(3))
      .map(([value, place, put, cut]) => {
        const text = JSON.stringify(value);
        const at = place % (text.length + 1);
        return text.slice(0, at) + put + text.slice(at + cut);
      });
    await fc.assert(
      fc.asyncProperty(spoilt, pieces, async (text, size) => {
        const isValid = isObjectOfLists(text);
        const outcome = await readLists(text, size).then(
          () => true,
          (error: unknown) => {
            assert.ok(error instanceof BrokenJson, String(error));
            return false;
          },
        );
        assert.equal(outcome, isValid, text);
      }),
      { numRuns: 500 },
    );
  });

  it("finds the same values by lines, in pieces of any size", async () => {
    const values = [{ a: 1 }, "x,y", [2, 3], null, "ü", -1.5];
    for (const list of [values, values.slice(0, 1), []])
      for (let size = 1; size <= 40; size += 1) {
        const text =
          list.length === 0 ? "[]" : `[\n${list.map((value) => JSON.stringify(value)).join(",\n")}\n]`;
        const reader = new JsonReader(inPieces(Buffer.from(text), size));
        const found: unknown[] = [];
        for await (const { offset, bytes } of reader.items({ isLines: true })) {
          assert.equal(String(Buffer.from(text).subarray(offset, offset + bytes.length)), String(bytes));
          found.push(parse(bytes));
        }
        await reader.end();
        assert.deepEqual(found, list);
      }
    const cut = new JsonReader(inPieces(Buffer.from("[\n1,\n2"), 3));
    await assert.rejects(
      async () => {
        for await (const { bytes } of cut.items({ isLines: true })) assert.equal(String(bytes), "1");
      },
      { name: "Error", message: "not valid JSON at byte 5" },
    );
  });

  it("says where it broke, and gives what begins there and does not end", async () => {
    const broken: readonly [string, number, string][] = [
      ['{"abc":[1,2],x', 13, ""],
      ['{"abc":[1,2]}  x', 15, ""],
      ["{1:[2]}", 1, ""],
      ['{"abc":[,1]}', 8, ""],
      ['{"abc":[1 2]}', 10, ""],
      ['{"abc" [1]}', 7, ""],
      ['{"abc":[1,{"d":"e', 10, '{"d":"e'],
    ];
    for (const [text, offset, rest] of broken)
      for (let size = 1; size <= 16; size += 1)
        await assert.rejects(
          async () => {
            const reader = new JsonReader(inPieces(Buffer.from(text), size));
            for await (const { bytes } of reader.members()) {
              assert.equal(String(bytes), '"abc"');
              for await (const item of reader.items({ isLines: false })) assert.ok(item.bytes.length > 0);
            }
            await reader.end();
          },
          (error) => {
            assert.ok(error instanceof BrokenJson, String(error));
            assert.deepEqual([error.offset, String(error.rest)], [offset, rest], `${text} by ${size}`);
            return true;
          },
        );
  });

  it("tells an object from a list, behind a mark and spaces", async () => {
    for (const [text, isObject, isList] of [
      ["\uFEFF {}", true, false],
      ["\n[]", false, true],
      ["1", false, false],
      ["", false, false],
    ] as const) {
      const reader = new JsonReader(inPieces(Buffer.from(text), 2));
      await reader.skipMark();
      assert.deepEqual([await reader.isObject(), await reader.isList()], [isObject, isList], text);
    }
  });
});

function isObjectOfLists(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    // The first of two members of one name is looked at, too; that cannot be seen in the value.
    return Object.values(value).every((member) => Array.isArray(member));
  } catch {
    return false;
  }
}
