/** Lines of a journal: the bytes that earlier versions wrote, and nothing that was not written. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { damaged, parseLine, toChecksum, toFirstLine, toLines } from "../../../src/store/journal/line.ts";
import { StoreError } from "../../../src/store/store.ts";

const AT = 1_764_000_000_000;
const put = JSON.stringify(["put", "users", { id: "usr_1", version: 1, name: "Zoë 😀" }]);
const remove = JSON.stringify(["remove", "users", "usr_2"]);

/** A line with a valid checksum around any text. */
function wrap(json: string): Buffer {
  const body = Buffer.from(json);
  return Buffer.concat([Buffer.from(`${toChecksum(body)} `), body]);
}

function split(lines: Uint8Array): Buffer[] {
  const text = Buffer.from(lines);
  assert.equal(text.at(-1), 0x0a);
  return text
    .toString()
    .slice(0, -1)
    .split("\n")
    .map((line) => Buffer.from(line));
}

describe("a line of a journal", () => {
  it("has the bytes that every version writes and reads", () => {
    assert.equal(toChecksum("123456789"), "cbf43926");
    assert.equal(toChecksum("6789", Number.parseInt(toChecksum("12345"), 16)), "cbf43926");
    const lines = Buffer.from(toLines([remove, `${put},${remove}`], { firstLsn: 7, at: AT })).toString();
    const bodies = [
      `{"lsn":7,"batch":7,"at":${AT},"ops":[${remove}]}`,
      `{"lsn":8,"batch":7,"at":${AT},"ops":[${put},${remove}]}`,
    ];
    assert.equal(lines, bodies.map((body) => `${toChecksum(body)} ${body}\n`).join(""));
    assert.equal(
      Buffer.from(toFirstLine({ lsn: 3, at: AT }))
        .toString()
        .slice(9),
      `{"lsn":3,"batch":3,"at":${AT},"ops":[]}\n`,
    );
  });

  it("is read as it was written", () => {
    const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = split(
      toLines([remove, `${put},${remove}`], { firstLsn: 7, at: AT }),
    );
    assert.deepEqual(parseLine(first), {
      lsn: 7,
      batch: 7,
      operations: [{ kind: "remove", collection: "users", id: "usr_2" }],
    });
    assert.deepEqual(parseLine(second)?.operations, [
      { kind: "put", collection: "users", doc: { id: "usr_1", version: 1, name: "Zoë 😀" } },
      { kind: "remove", collection: "users", id: "usr_2" },
    ]);
  });

  it("has room for characters of any length", () => {
    for (const text of ["€".repeat(5_000), "😀".repeat(5_000), "\u0000\ud800".repeat(3)]) {
      const doc = { id: "a", version: 1, text };
      const [line = Buffer.alloc(0)] = split(
        toLines([JSON.stringify(["put", "c", doc])], { firstLsn: 1, at: AT }),
      );
      assert.deepEqual(parseLine(line)?.operations, [{ kind: "put", collection: "c", doc }]);
    }
  });

  it("is rejected with any flipped bit, and when it is cut", () => {
    const [line = Buffer.alloc(0)] = split(toLines([remove], { firstLsn: 1, at: AT }));
    for (let at = 0; at < line.byteLength; at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const flipped = Buffer.from(line);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
        assert.equal(parseLine(flipped), undefined, `bit ${bit} of byte ${at}`);
      }
      assert.equal(parseLine(line.subarray(0, at)), undefined, `${at} bytes`);
    }
  });

  const good = { lsn: 1, batch: 1, at: AT, ops: [["remove", "users", "usr_2"]] };
  it("is rejected when it says something else than operations, although its checksum is right", () => {
    assert.notEqual(parseLine(wrap(JSON.stringify(good))), undefined);
    assert.deepEqual(parseLine(wrap(JSON.stringify({ ...good, ops: [] })))?.operations, []);
    for (const wrong of [
      ...[
        { ...good, lsn: 1.5 },
        { ...good, lsn: "1" },
        { ...good, lsn: undefined },
      ],
      ...[
        { ...good, batch: 2 ** 60 },
        { ...good, batch: undefined },
        { ...good, batch: null },
      ],
      ...[
        { ...good, ops: undefined },
        { ...good, ops: {} },
        { ...good, ops: "x" },
      ],
      ...[
        { ...good, ops: [null] },
        { ...good, ops: [{}] },
        { ...good, ops: [["put", "users"]] },
      ],
      ...[
        { ...good, ops: [["put", "users", "usr_2"]] },
        { ...good, ops: [["put", 1, { id: "a", version: 1 }]] },
      ],
      ...[
        { ...good, ops: [["remove", "users", 1]] },
        { ...good, ops: [["remove", 1, "a"]] },
      ],
      ...[
        { ...good, ops: [["erase", "users", "usr_2"]] },
        { ...good, ops: [...good.ops, ["erase", "u", "a"]] },
      ],
      ...[
        { ...good, ops: [["put", "users", { version: 1 }]] },
        { ...good, ops: [["put", "users", null]] },
      ],
      ...[null, 1, "text", []],
    ])
      assert.equal(parseLine(wrap(JSON.stringify(wrong))), undefined, JSON.stringify(wrong));
    for (const text of ["", "{", "{}x", "nope"]) assert.equal(parseLine(wrap(text)), undefined, text);
  });

  it("is rejected without the space behind its checksum", () => {
    const line = wrap(JSON.stringify(good));
    line[8] = 0x09;
    assert.equal(parseLine(line), undefined);
  });
});

describe("damaged", () => {
  it("names the file, the problem, and what to do", () => {
    const error = damaged("/data/shop.json", "is cut off");
    assert.ok(error instanceof StoreError);
    assert.equal(error.code, "store_unavailable");
    assert.equal(error.message, '"/data/shop.json" is cut off; restore the folder from a backup');
    assert.match(damaged("a", "b", "remove one of them").message, /; remove one of them$/u);
  });
});
