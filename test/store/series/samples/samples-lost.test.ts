/** What is gone from a sample log between two starts: told with its times, or refused; never passed over. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { readNewest } from "../../../../src/store/series/samples/newest.ts";
import { createFixedClock } from "../../../support/fixed-clock.ts";
import { type TestDisk, createTestDisk } from "./samples-disk.ts";
import { FIRST, makeRow, openLog, times, unavailable } from "./samples-fixture.ts";

const entry = { key: "a", blob: new Uint8Array([1, 2, 3]) };
const checkpoint = (): (typeof entry)[] => [entry];

let disk: TestDisk;
beforeEach(() => {
  disk = createTestDisk();
});

/** Rows in a first segment; then a stop. */
async function liveOnce(): Promise<void> {
  const { log } = await openLog({ disk, checkpoint });
  for (let index = 0; index < 20; index += 1) await log.append(makeRow("a", index));
  await log.close();
}

async function lostAtStart(options: Partial<Parameters<typeof openLog>[0]> = {}): Promise<string[]> {
  const { events, log } = await openLog({ disk, checkpoint, ...options });
  await log.close();
  return events.flatMap((event) => (event.type === "lost" ? [`${event.path} ${event.problem}`] : []));
}

describe("a sample log that lost something while it was closed", () => {
  it("refuses a first segment that was cut in half, at a row's end too", async () => {
    await liveOnce();
    const whole = disk.read(FIRST);
    for (const sizeBytes of [whole.length >> 1, whole.length - 1, whole.length - 16]) {
      disk.write(FIRST, whole.slice(0, sizeBytes));
      await assert.rejects(openLog({ disk, checkpoint }), (error: unknown) => {
        assert.ok(unavailable(error) && error instanceof Error);
        assert.match(error.message, /000000000001\.samples" is damaged at byte \d+.*move this file away/u);
        return true;
      });
    }
    disk.write(FIRST, whole);
    assert.equal((await openLog({ disk, checkpoint })).rows.length, 20);
  });

  it("tells of a first segment that is gone, from when to when", async () => {
    await liveOnce();
    await disk.files.remove(`/samples/${FIRST}`);
    const [lost = "", ...others] = await lostAtStart();
    assert.match(lost, /000000000001\.samples is missing: reports from 2026-.*Z to 2026-.*Z are lost/u);
    assert.deepEqual(others, []);
    assert.deepEqual(await lostAtStart(), [], "once");
  });

  for (const [name, told] of [
    ["newest", /\/newest is missing or damaged; the file is recreated/u],
    ["segments", /\/segments is missing/u],
    ["checkpoint", /\/checkpoint is missing: the last states of servers that are offline/u],
  ] as const)
    it(`tells of ${name} that is gone`, async () => {
      await liveOnce();
      await disk.files.remove(`/samples/${name}`);
      const [lost = "", ...others] = await lostAtStart();
      assert.match(lost, told);
      assert.deepEqual(others, []);
      assert.deepEqual(await lostAtStart(), [], "once");
    });

  it("tells of a note of segments that is damaged", async () => {
    await liveOnce();
    const bytes = disk.read("segments").slice();
    bytes[30] = (bytes[30] ?? 0) ^ 4;
    disk.write("segments", bytes);
    assert.match((await lostAtStart())[0] ?? "", /\/segments is damaged/u);
  });

  it("takes no number of the newest segment in which any bit turned over", async () => {
    await liveOnce();
    const whole = disk.read("newest").slice();
    assert.equal((await readNewest(disk.files, "/samples"))?.hasManifest, true);
    for (let bit = 0; bit < whole.byteLength * 8; bit += 1) {
      const turned = whole.slice();
      turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      disk.write("newest", turned);
      assert.equal(await readNewest(disk.files, "/samples"), undefined, `bit ${bit}`);
    }
    assert.match((await lostAtStart())[0] ?? "", /\/newest is missing or damaged/u);
  });

  it("tells of a history that went back", async () => {
    let keptFrom = 1;
    const options = {
      disk,
      checkpoint,
      keepFrom: () => keptFrom,
      onRolled: async (seq: number) => void (keptFrom = seq),
    };
    const { log } = await openLog(options);
    await log.append(makeRow("a", 1));
    await log.close();
    keptFrom = 0;
    const lost = await lostAtStart({ keepFrom: () => keptFrom });
    assert.match(lost.join(), /history is missing or outdated/u);
  });

  it("tells nothing of a first start, of a folder without notes, and of one that an older program used since", async () => {
    assert.deepEqual(await lostAtStart(), []);
    await liveOnce();
    for (const name of ["segments", "newest"]) await disk.files.remove(`/samples/${name}`);
    assert.deepEqual(await lostAtStart(), []);
    // Older programs write the number alone, and drop segments that the note has.
    const names = disk.names().filter((name) => name.endsWith(".samples"));
    for (const name of names) await disk.files.remove(`/samples/${name}`);
    disk.write("newest", new TextEncoder().encode("900\n"));
    assert.deepEqual(await lostAtStart(), []);
  });

  it("tells nothing however it is killed, and whatever it drops", async () => {
    const clock = createFixedClock();
    let lives = 0;
    for (; lives < 8; lives += 1) {
      const { log, events } = await openLog({ disk, checkpoint, clock, retainMs: 60_000 });
      assert.deepEqual(
        events.filter(({ type }) => type === "lost" || type === "gap"),
        [],
      );
      for (let index = 0; index < 5; index += 1) {
        await log.append({ ...makeRow("a", index), receivedAt: clock.now() });
        clock.advance(30_000);
        if (index % 2 === 0) await log.roll();
        else await log.maintain();
      }
      // Odd lives end by a kill.
      if (lives % 2 === 0) await log.close();
    }
  });
});

describe("a pass over a sample log", () => {
  it("finds what rots in segments that take no more rows, and in the checkpoint", async () => {
    const { log } = await openLog({ disk, checkpoint });
    for (let index = 0; index < 5; index += 1) await log.append(makeRow("a", index));
    await log.roll();
    await log.append(makeRow("a", 9));
    const scrub = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const step of log.scrub()) if (typeof step === "object") found.push(step.path);
      return found;
    };
    assert.deepEqual(await scrub(), []);
    for (const name of [FIRST, "checkpoint", "segments"]) {
      const whole = disk.read(name);
      const bytes = whole.slice();
      bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 1;
      disk.write(name, bytes);
      assert.deepEqual(await scrub(), [`/samples/${name}`]);
      disk.write(name, whole);
    }
    // What others write meanwhile under temporary names is theirs.
    for (const name of ["newest.tmp", "segments.tmp"]) {
      await (await disk.files.openAppend(`/samples/${name}`, { truncate: true })).close();
      assert.deepEqual(await scrub(), []);
      assert.ok(disk.names().includes(name), name);
    }
    assert.deepEqual(times((await openLog({ disk, checkpoint })).rows), [0, 1, 2, 3, 4, 9]);
  });
});
