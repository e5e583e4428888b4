/** A snapshot without its index file is understood however it is laid out, refused when it is damaged, and never half replaced. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { JournalStore } from "../../../src/store/journal/journal-store.ts";
import { compareIds } from "../../../src/store/keys.ts";
import { counters, items, rejectsWith } from "../../contract/store-fixtures.ts";
import { FaultyFiles, createRandom } from "../faulty-files.ts";
import { insert, open } from "./journal-harness.ts";

const PATH = "/data/test/test.json";

interface Item {
  readonly id: string;
  readonly version: number;
  readonly rank: number;
  readonly owner?: string;
  readonly email?: string;
  readonly note?: unknown;
}

const item = fc.record(
  {
    id: fc.string({ minLength: 1, maxLength: 6, unit: "binary" }).filter((id) => !id.includes("\0")),
    version: fc.integer({ min: 1, max: 9 }),
    rank: fc.integer({ min: -3, max: 3 }),
    owner: fc.constantFrom("a", "\u00e9", '"', "\\", "}]", "\ud83d\ude00"),
    note: fc.constantFrom<unknown>("\n{", { deep: [{}, [], "\u2028"] }, -1.5e-7, true, null, ["\\\\", '\\"']),
  },
  { requiredKeys: ["id", "version", "rank"], noNullPrototype: true },
);
const lists = fc
  .uniqueArray(item, { selector: ({ id }) => id, maxLength: 30 })
  .map((all): Item[] => all.map((one, place) => (place % 3 === 0 ? one : { ...one, email: `${place}@x` })));

function toHeader(list: readonly Item[], extras: readonly unknown[]): object {
  return {
    format: "trivet-store/1",
    service: "test",
    lsn: 4,
    writtenAt: "2026-01-01T00:00:00.000Z",
    revisions: { counters: 1, items: 1, unknown: 7 },
    collections: { items: list, counters: [], unknown: extras },
  };
}

function reverse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverse);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reverse(member)]),
  );
}

const layouts: Record<string, (value: object) => string> = {
  "on one line": (value) => JSON.stringify(value),
  "on many lines": (value) => JSON.stringify(value, null, 2),
  "with tabs and Windows line ends": (value) =>
    `${JSON.stringify(value, null, "\t").replaceAll("\n", "\r\n")}\r\n\r\n`,
  "with its members in another order": (value) => JSON.stringify(reverse(value), null, 1),
  "with a mark of its byte order": (value) => `\uFEFF${JSON.stringify(value, null, 2)}\n`,
  "with escapes instead of characters": (value) =>
    JSON.stringify(value).replaceAll(/[^ -~]|[a-z](?=[a-z"]*":)/gu, (character) =>
      character
        .split("")
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .join(""),
    ),
};

async function listAll(store: JournalStore, index: "id" | "byRank" | "byOwner"): Promise<unknown[]> {
  return [...(await store.read((tx) => tx.list(items, index, { limit: 1_000 }))).items];
}

async function assertHolds(store: JournalStore, list: readonly Item[]): Promise<void> {
  const sorted = [...list].sort((a, b) => compareIds(a.id, b.id));
  assert.deepEqual(await listAll(store, "id"), sorted);
  const byRank = [...sorted].sort((a, b) => a.rank - b.rank);
  assert.deepEqual(await listAll(store, "byRank"), byRank);
  const owned = byRank
    .filter(({ owner }) => owner !== undefined)
    .sort((a, b) => compareIds(a.owner ?? "", b.owner ?? ""));
  assert.deepEqual(await listAll(store, "byOwner"), owned);
  for (const { id, email } of list)
    if (email !== undefined)
      assert.equal((await store.read((tx) => tx.by(items, "byEmail", [email])))?.id, id);
}

function createDisk(text: string): FaultyFiles {
  const files = new FaultyFiles();
  files.place(PATH, Buffer.from(text));
  return files;
}

describe("a snapshot without its index file", () => {
  for (const [name, layOut] of Object.entries(layouts))
    it(`holds the same ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(lists, async (list) => {
          const extras = [
            { id: "e2", version: 1, more: ["\u00fc"] },
            { id: "e1", version: 2 },
          ];
          const files = createDisk(layOut(toHeader(list, extras)));
          const first = await open(files);
          await assertHolds(first, list);
          await insert(first, "a new one");
          await first.close();
          const again = await open(files);
          const added = { id: "a new one", version: 1, rank: 1, email: "a new one@x" };
          await assertHolds(again, [...list, added]);
          await again.close();
          const written: unknown = JSON.parse(String(files.content(PATH)));
          const { collections } = written as { collections: Record<string, unknown> };
          assert.deepEqual(collections["unknown"], extras.toReversed());
          assert.equal(files.openReads, 0);
        }),
        { numRuns: 15 },
      );
    });

  it("takes over what the journal says since, and an id in another order", async () => {
    const files = new FaultyFiles();
    const first = await open(files, { compactOnClose: false });
    for (const id of ["m", "c", "x"]) await insert(first, id);
    await first.close();
    const middle = await open(files.afterKill());
    await middle.close();
    const disk = files.afterKill();
    const second = await open(disk, { compactOnClose: false });
    await second.transact(async (tx) => {
      await tx.remove(items, "c");
      await tx.insert(items, { id: "a", rank: 9, email: "c@x" });
      await tx.insert(counters, { id: "n", value: 1 });
    });
    await second.close();
    for (const path of disk.paths()) if (path.endsWith(".index")) await disk.remove(path);
    const third = await open(disk);
    assert.deepEqual(
      (await listAll(third, "id")).map((one) => Reflect.get(Object(one), "id")),
      ["a", "m", "x"],
    );
    assert.equal((await third.read((tx) => tx.by(items, "byEmail", ["c@x"])))?.id, "a");
    assert.equal((await third.read((tx) => tx.get(counters, "n")))?.value, 1);
    await third.close();
  });
});

const pair: readonly Item[] = [
  { id: "b", version: 1, rank: 1, email: "b@x" },
  { id: "a", version: 2, rank: 2, owner: "\u00e9", note: { text: 'x\\"}' } },
];

async function assertRefused(bytes: Buffer, expected: RegExp): Promise<void> {
  const files = new FaultyFiles();
  files.place(PATH, bytes);
  const { message } = await rejectsWith(open(files), "store_unavailable");
  assert.match(message, expected);
  assert.deepEqual(files.content(PATH), bytes);
  assert.deepEqual(
    files.paths().filter((path) => path !== PATH),
    [],
    "nothing is left beside it",
  );
  assert.equal(files.openReads, 0);
}

describe("a damaged snapshot without its index file", () => {
  it("is refused when it is cut at any byte, and stays as it is", async () => {
    for (const layOut of [layouts["on many lines"], layouts["on one line"]]) {
      const whole = Buffer.from(layOut?.(toHeader(pair, [])) ?? "");
      for (let size = 0; size < whole.byteLength; size += 1)
        await assertRefused(
          whole.subarray(0, size),
          /test\.json" is not (?:valid JSON at line|valid UTF-8)/u,
        );
    }
    const files = createDisk(JSON.stringify(toHeader(pair, [])));
    await (await open(files)).close();
    const written = files.content(PATH) ?? Buffer.alloc(0);
    for (let size = 0; size < written.byteLength - 1; size += 1)
      await assertRefused(written.subarray(0, size), /test\.json" (?:is|has|does) /u);
  });

  it("is refused with the place of what is wrong", async () => {
    const text = layouts["on many lines"]?.(toHeader(pair, [])) ?? "";
    const cases: [from: string | RegExp, to: string, expected: RegExp][] = [
      ['"rank": 1', '"rank": one', /is not valid JSON at line 16;/u],
      ['"rank": 2', '"rank": 2,', /is not valid JSON at line \d+;/u],
      [/\},\n\s+\{/u, "} {", /is not valid JSON at line 18;/u],
      ['"id": "a"', '"id": "b"', /holds two records "b" in "items"; remove one of them/u],
      ['"version": 2', '"version": 0', /without a valid id and version at record 2 of "items"/u],
      ['"rank": 1', '"rank": "1"', /holds record "b" of "items" that cannot be taken: .*"rank"/u],
      ['"owner"', '"email": "b@x", "owner"', /another record has this value of "byEmail"/u],
      ['"counters": []', '"counters": {}', /holds no list in "counters"/u],
      ['"collections"', '"others"', /has no "collections"/u],
      ['"items": 1', '"items": 2', /holds "items" in revision 2, newer than 1; start the newer version/u],
      ['"items": 1', '"item": 1', /has no revision for "items"/u],
      ["trivet-store/1", "trivet-store/2", /format that this program does not know: "trivet-store\/2"/u],
      ['"lsn": 4', '"lsn": -4', /has no valid "service" and "lsn"/u],
      ['"lsn": 4', '"lsn": 4, "checksum": "crc32:00000000"', /does not match its checksum; if you edited/u],
      ['"test"', '"shop"', /belongs to the service "shop"/u],
    ];
    for (const [from, to, expected] of cases) {
      assert.notEqual(text.replace(from, to), text);
      await assertRefused(Buffer.from(text.replace(from, to)), expected);
    }
    const accent = Buffer.from(text).indexOf("\u00e9");
    const spoilt = Buffer.from(text);
    spoilt[accent] = 0xff;
    await assertRefused(spoilt, /is not valid UTF-8/u);
  });
});

describe("a crash while a snapshot and its index file are rewritten", () => {
  it("leaves the same content, after any file operation", async () => {
    const seed = async (): Promise<FaultyFiles> => {
      const files = createDisk(layouts["on many lines"]?.(toHeader(pair, [{ id: "e", version: 1 }])) ?? "");
      const store = await open(files, { compactOnClose: false });
      await insert(store, "later");
      await store.close();
      // A journal with changes, and a snapshot that was reformatted by hand.
      const disk = files.afterKill();
      for (const path of disk.paths()) if (path.endsWith(".index")) await disk.remove(path);
      const text = String(disk.content(PATH)).replace(/\n,"checksum".*\n/u, "\n");
      disk.place(PATH, Buffer.from(JSON.stringify(JSON.parse(text), null, 2)));
      return disk.afterKill();
    };
    const trial = await seed();
    await (await open(trial)).close();
    const expected = [...pair, { id: "later", version: 1, rank: 1, email: "later@x" }];
    for (let cut = 0; cut <= trial.operations; cut += 1) {
      const files = await seed();
      files.powerCutAfter = cut;
      await open(files)
        .then((store) => store.close())
        .catch(() => undefined);
      for (const disk of [files.afterKill(), files.afterPowerCut(), files.afterPowerCut(createRandom(cut))]) {
        const store = await open(disk);
        await assertHolds(store, expected);
        await store.close();
        assert.deepEqual(
          disk.paths().filter((path) => path.endsWith(".tmp")),
          [],
        );
      }
    }
  });
});
