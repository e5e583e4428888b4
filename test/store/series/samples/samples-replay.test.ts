import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createFixedClock } from "../../../support/fixed-clock.ts";
import { type TestDisk, createTestDisk } from "./samples-disk.ts";
import { FIRST, makeRow, openLog, times, unavailable } from "./samples-fixture.ts";

describe("SampleLog replay", () => {
  async function writeRows(disk: TestDisk, count: number): Promise<void> {
    const { log } = await openLog({ disk });
    for (let index = 0; index < count; index += 1) await log.append(makeRow("a", index));
  }

  it("drops a torn end and cuts the file, so that the next start is clean", async () => {
    const disk = createTestDisk();
    await writeRows(disk, 3);
    const whole = disk.read(FIRST);
    disk.write(FIRST, whole.slice(0, whole.length - 2));
    const { rows, events, log } = await openLog({ disk });
    assert.deepEqual(times(rows), [0, 1]);
    assert.equal(events[0]?.type, "torn");
    await log.append(makeRow("a", 9));
    const again = await openLog({ disk });
    assert.deepEqual(times(again.rows), [0, 1, 9]);
    assert.deepEqual(again.events, []);
  });

  it("refuses damage before rows that were acknowledged, naming file, offset and remedy", async () => {
    const disk = createTestDisk();
    await writeRows(disk, 10);
    const bytes = disk.read(FIRST).slice();
    const broken = 60;
    bytes[broken] = (bytes[broken] ?? 0) ^ 0x10;
    disk.write(FIRST, bytes);
    await assert.rejects(openLog({ disk }), (error: unknown) => {
      assert.ok(unavailable(error) && error instanceof Error);
      assert.match(
        error.message,
        /^"\/samples\/000000000001\.samples" is damaged at byte \d+, .*backup, or move this file away/u,
      );
      assert.ok(Number(/byte (\d+)/u.exec(error.message)?.[1]) <= broken);
      return true;
    });
    assert.deepEqual(disk.read(FIRST), bytes);
  });

  it("refuses a segment whose end is gone though the next one knows of it", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({ disk });
    await log.append(makeRow("a", 1));
    await log.append(makeRow("a", 2));
    await log.roll();
    await log.append(makeRow("a", 3));
    disk.write(FIRST, disk.read(FIRST).slice(0, -1));
    await assert.rejects(openLog({ disk }), /is damaged at byte/u);
  });

  it("starts without a segment that was moved away, and says so", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({ disk });
    for (let index = 0; index < 3; index += 1) {
      await log.append(makeRow("a", index));
      await log.roll();
    }
    await disk.files.remove("/samples/000000000002.samples");
    const { rows, events } = await openLog({ disk });
    assert.deepEqual(times(rows), [0, 2]);
    assert.deepEqual(
      events.map((event) => [event.type, "path" in event && event.path]),
      [["lost", "/samples/000000000002.samples"]],
    );
  });

  it("misses the newest segment when it was moved away, and goes on with a newer number", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({ disk });
    await log.append(makeRow("a", 1));
    await log.roll();
    await log.append(makeRow("a", 2));
    await disk.files.remove("/samples/000000000002.samples");
    const { rows, events } = await openLog({ disk });
    assert.deepEqual(times(rows), [1]);
    assert.deepEqual(events, [{ type: "gap", missing: "/samples/000000000002.samples" }]);
    assert.ok(disk.names().includes("000000000003.samples"));
    const again = await openLog({ disk });
    assert.deepEqual(again.events, []);
  });

  it("refuses a newest segment that was emptied, naming it and the remedy", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({ disk });
    await log.append(makeRow("a", 1));
    disk.write(FIRST, new Uint8Array());
    await assert.rejects(
      openLog({ disk }),
      /^StoreError: "\/samples\/000000000001\.samples" is damaged at byte 0.*move this file away/u,
    );
  });

  it("does not miss a segment without rows, however often a start is cut short", async () => {
    const disk = createTestDisk();
    await openLog({ disk });
    disk.fail((operation, path) => operation === "append" && path.endsWith("2.samples"));
    await assert.rejects(openLog({ disk }));
    disk.fail(undefined);
    const { events } = await openLog({ disk });
    assert.deepEqual(events, []);
  });

  it("rejects a segment that contains its content twice, with file and remedy", async () => {
    const disk = createTestDisk();
    await writeRows(disk, 3);
    const bytes = disk.read(FIRST);
    disk.write(FIRST, new Uint8Array([...bytes, ...bytes]));
    await assert.rejects(openLog({ disk }), (error: unknown) => {
      assert.ok(unavailable(error) && error instanceof Error);
      assert.match(
        error.message,
        /^"\/samples\/000000000001\.samples" cannot be read at byte \d+: Not a row frame\. .*move this file away/u,
      );
      return true;
    });
  });

  it("refuses a damaged checkpoint and one cut short", async () => {
    const disk = createTestDisk();
    const { log } = await openLog({ disk, checkpoint: () => [{ key: "a", blob: new Uint8Array(100) }] });
    await log.close();
    const bytes = disk.read("checkpoint");
    disk.write(
      "checkpoint",
      bytes.map((byte, index) => (index === 40 ? byte ^ 1 : byte)),
    );
    await assert.rejects(openLog({ disk }), /checkpoint" is damaged at byte \d+.*backup/u);
    disk.write("checkpoint", bytes.slice(0, -6));
    await assert.rejects(openLog({ disk }), /checkpoint" is damaged/u);
  });

  it("keeps every acknowledged row through power cuts that leave any part of what was not synced", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom("roll", "fail", "cut", "wait")), {
          maxLength: 25,
        }),
        fc.infiniteStream(fc.boolean()),
        async (steps, sectors) => {
          const clock = createFixedClock();
          const nextSector = (): boolean => sectors.next().value === true;
          let disk = createTestDisk();
          let current = await openLog({ disk, clock, segmentBytes: 3_000 });
          const acknowledged = new Set<number>();
          let at = 0;
          for (const step of [...steps, "cut"]) {
            if (step === "roll") await current.log.roll().catch(() => undefined);
            else if (step === "fail")
              disk.fail((operation) => operation === "datasync" || operation === "append");
            else if (step === "wait") {
              disk.fail(undefined);
              clock.advance(30_000);
            } else if (step === "cut") {
              // Rows under way in several batches, of which the last, many sectors long, stays without a sync.
              for (let index = 0; index < 200; index += 1) {
                current.log.append(makeRow(`s${index}`, (at += 1))).catch(() => undefined);
                if (index === 40) disk.holdSync(new Promise(() => undefined));
                if (index < 40 && nextSector()) await Promise.resolve();
              }
              for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
              disk = disk.cutPower(nextSector);
              current = await openLog({ disk, clock, segmentBytes: 3_000 });
              const found = new Set(times(current.rows));
              for (const known of acknowledged)
                assert.ok(found.has(known), `row ${known} was acknowledged and is lost`);
            } else {
              const batch = Array.from({ length: Number(step) }, () => (at += 1));
              await Promise.allSettled(
                batch.map(async (mine) => {
                  await current.log.append(makeRow(`s${mine % 5}`, mine));
                  acknowledged.add(mine);
                }),
              );
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
