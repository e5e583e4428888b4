/** Keys come back in their order, whether they fitted into memory or went through a file. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { toKeyBytes } from "../../../src/store/btree/key-bytes.ts";
import { KeySorter, SpillFile } from "../../../src/store/btree/key-sorter.ts";
import { compareKeys } from "../../../src/store/keys.ts";
import { FaultyFiles } from "../faulty-files.ts";

const PATH = "/data/keys.tmp";

const part = fc.oneof(fc.string({ maxLength: 40 }), fc.integer({ min: -5, max: 5 }), fc.boolean());
const keys = fc.uniqueArray(fc.array(part, { minLength: 1, maxLength: 3 }), {
  maxLength: 300,
  comparator: (a, b) => compareKeys(a, b) === 0,
});

function toValue(place: number): Uint8Array {
  const value = Buffer.alloc(4);
  value.writeUInt32LE(place);
  return value;
}

describe("KeySorter", () => {
  it("gives every key once, in order, with its value, through a file as from memory", async () => {
    await fc.assert(
      fc.asyncProperty(keys, fc.integer({ min: 1, max: 5_000 }), async (given, maxBytes) => {
        const files = new FaultyFiles();
        const spill = new SpillFile(files, PATH);
        const sorters = [
          new KeySorter({ valueBytes: 4 }),
          new KeySorter({ valueBytes: 4, spill: { file: spill, maxBytes } }),
        ];
        const expected = given
          .map((key, place) => ({ key, place }))
          .sort((a, b) => compareKeys(a.key, b.key))
          .map(({ key, place }) => [Buffer.from(toKeyBytes(key)).toString("hex"), place]);
        for (const sorter of sorters) {
          for (const [place, key] of given.entries()) {
            sorter.add(toKeyBytes(key), toValue(place));
            await sorter.drain();
          }
          assert.equal(sorter.size, given.length);
          const found = [...(await sorter.sorted())].map(({ key, value }) => [
            key.toString("hex"),
            value.readUInt32LE(),
          ]);
          assert.deepEqual(found, expected);
        }
        await spill.remove();
        assert.deepEqual(files.paths(), []);
        assert.equal(files.openReads, 0);
      }),
    );
  });
});
