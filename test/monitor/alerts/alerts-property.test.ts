import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { kindOf } from "../../../src/monitor/alerts/kinds/kinds.ts";
import { type Fleet, type Happening, createFleet, FLEET, happening, readMessage } from "./alerts-model.ts";

const RUNS = Number(process.env["ALERT_RUNS"] ?? 40);

/** Each "down" of a channel is followed by one "up" of the same server before the next "down". */
function assertPairs(fleet: Fleet): Map<string, number> {
  const isDown = new Map<string, boolean>();
  const downs = new Map<string, number>();
  for (const message of fleet.told) {
    for (const [id, what] of readMessage(message)) {
      const key = `${message.channelId}:${id}`;
      assert.equal(isDown.get(key) ?? false, what === "up", `${key} is told ${what} twice`);
      isDown.set(key, what === "down");
      if (what === "down") downs.set(key, (downs.get(key) ?? 0) + 1);
    }
  }
  for (const [key, down] of isDown) assert.equal(down, false, `${key} was never told up`);
  return downs;
}

async function run(happenings: readonly Happening[]): Promise<Fleet> {
  const fleet = await createFleet();
  for (const event of happenings) await fleet.happen(event);
  await fleet.settle();
  return fleet;
}

/** "s8" falls again, alone, while its end waits for the other ends of a mass. */
const fallsAgain: readonly Happening[] = [
  { type: "down", servers: FLEET.slice(3) },
  { type: "pass", seconds: 55 },
  { type: "up", servers: ["s8", "s12"] },
  { type: "down", servers: ["s8"] },
  { type: "pass", seconds: 25 },
  { type: "restart" },
];

const story: fc.Arbitrary<readonly Happening[]> = fc.array(happening, { minLength: 5, maxLength: 30 });

describe("whatever happens to a fleet", () => {
  it("every down pairs with one up, and no outage within the grace is announced", async () => {
    await fc.assert(
      fc.asyncProperty(story, async (happenings) => {
        const fleet = await run(happenings);
        const downs = assertPairs(fleet);
        const incidents = await fleet.bench.listIncidents();
        const told = new Map<string, number>();
        for (const incident of incidents) {
          const { condition, since, serverId, channelIds } = incident;
          assert.equal(incident.state, "closed");
          assert.equal(incident.owed, undefined);
          assert.equal(incident.told.up, incident.told.down);
          assert.ok(
            fleet.endOf(incident) - since >= kindOf(condition).waitSeconds(condition) * 1_000,
            `${serverId} was not gone so long`,
          );
          const key = `${channelIds.join()}:${serverId}`;
          if (incident.told.down) told.set(key, (told.get(key) ?? 0) + 1);
        }
        // The marks match what was sent.
        assert.deepEqual(downs, told);
      }),
      { numRuns: RUNS, examples: [[fallsAgain]] },
    );
  });

  it("a mass failure is one message per channel, and so is its end", async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.integer({ min: 0, max: 100 }), async (happenings, restartAt) => {
        const fleet = await run(happenings);
        const before = fleet.told.length;
        await fleet.happen({ type: "down", servers: FLEET });
        await fleet.pass(restartAt);
        await fleet.happen({ type: "restart" });
        await fleet.pass(200 - restartAt);
        const downs = fleet.told.slice(before);
        assert.deepEqual(downs.map(({ channelId, title }) => `${channelId}: ${title}`).toSorted(), [
          "a: 🟠 14 servers offline",
          "b: 🔴 14 servers offline",
        ]);
        await fleet.happen({ type: "up", servers: FLEET });
        await fleet.pass(60);
        const ups = fleet.told.slice(before + 2);
        assert.deepEqual(ups.map(({ channelId, title }) => `${channelId}: ${title}`).toSorted(), [
          "a: 🟢 14 servers back online",
          "b: 🟢 14 servers back online",
        ]);
        assertPairs(fleet);
      }),
      { numRuns: Math.ceil(RUNS / 2), examples: [[fallsAgain, 0]] },
    );
  });
});
