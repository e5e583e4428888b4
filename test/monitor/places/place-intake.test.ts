import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { hashDefinition } from "../../../src/kit/check-files/check-hash.ts";
import { type CheckRecord, checkRecordSchema } from "../../../src/monitor/checks/schema.ts";
import type { ReportedTry } from "../../../src/monitor/checks/standings.ts";
import { type PlaceIntake, createPlaceIntake } from "../../../src/monitor/places/place-intake.ts";
import { START } from "../../support/fixed-clock.ts";

const target = { kind: "http", url: "https://www.example.org/" };

function record(id: string, more: object = {}): CheckRecord {
  const times = { createdAt: START, updatedAt: START };
  const places = { center: true, serverIds: ["web-1", "web-2"] };
  return checkRecordSchema.parse({
    id,
    name: id,
    target,
    places,
    version: 1,
    revision: 3,
    ...times,
    ...more,
  });
}

describe("createPlaceIntake", () => {
  let records: Map<string, CheckRecord>;
  let revision: number;
  let taken: { serverId: string; tries: readonly ReportedTry[] }[];
  let fails: boolean;
  let intake: PlaceIntake;

  beforeEach(() => {
    records = new Map([["chk_a", record("chk_a")]]);
    revision = 0;
    taken = [];
    fails = false;
    intake = createPlaceIntake({
      directory: {
        findRecord: (id) => records.get(id),
        get recordsRevision() {
          return revision;
        },
      },
      take: async (serverId, tries) => {
        if (fails) throw new Error("The disk is full");
        taken.push({ serverId, tries });
      },
    });
  });

  const hash = hashDefinition(record("chk_a"));
  function result(more: object = {}): object {
    return { id: "chk_a", at: START, hash, detail: "200 OK", latencyMs: 12.5, ...more };
  }
  async function take(results: unknown, serverId = "web-1", receivedAt = START): Promise<void> {
    await intake.take({ serverId, sample: { v: 1, checks: { hash: "x", results } }, receivedAt });
  }
  const times = (): number[] => taken.flatMap(({ tries }) => tries.map(({ at }) => at - START));

  it("hands over what a machine found", async () => {
    const certificate = {
      subject: "CN=\u0007a",
      issuer: "CN=b",
      names: ["a"],
      validFrom: 1,
      validTo: 2,
      isTrusted: true,
    };
    await take([result({ fault: "timeout", detail: "No\nanswer", certificate })]);
    assert.deepEqual(taken, [
      {
        serverId: "web-1",
        tries: [
          {
            checkId: "chk_a",
            revision: 3,
            at: START,
            result: {
              fault: "timeout",
              detail: "Noanswer",
              latencyMs: 12.5,
              certificate: { ...certificate, subject: "CN=a" },
            },
          },
        ],
      },
    ]);
  });

  it("drops what is of another definition, of no check, or of one that does not ask this machine", async () => {
    records.set("chk_paused", record("chk_paused", { paused: true }));
    records.set("chk_beat", record("chk_beat", { target: { kind: "heartbeat" } }));
    await take([result({ hash: "0123456789abcdef" }), result({ id: "chk_b" }), result({ id: "chk_paused" })]);
    const beat = records.get("chk_beat");
    assert.ok(beat !== undefined);
    await take([result({ id: "chk_beat", hash: hashDefinition(beat) })]);
    await take([result()], "web-3");
    assert.deepEqual(taken, []);
    await take([result()], "web-2");
    assert.equal(taken.length, 1);
  });

  it("takes no more tries than there can be, and none twice", async () => {
    const at = (ms: number): object => result({ at: START - 60_000 + ms });
    await take([at(0), at(0), at(3_999), at(4_000), at(1_000), at(9_000)]);
    assert.deepEqual(times(), [-60_000, -56_000, -51_000]);
    await take([at(0), at(4_000), at(9_000)]);
    assert.equal(times().length, 3);
    // Another machine has times of its own.
    await take([at(0)], "web-2");
    assert.equal(times().length, 4);
  });

  it("believes no clock that runs ahead, and nothing from before yesterday", async () => {
    await take([result({ at: START - 26 * 3_600_000 }), result({ at: START + 3_600_000 })]);
    assert.deepEqual(times(), [0]);
    await take([result({ at: START + 60_000 })], "web-1", START + 60_000);
    assert.deepEqual(times(), [0, 60_000]);
  });

  it("takes the same again when it could not be kept", async () => {
    fails = true;
    await assert.rejects(take([result()]));
    fails = false;
    await take([result()]);
    assert.deepEqual(times(), [0]);
  });

  it("forgets checks that are gone", async () => {
    await take([result()]);
    records.delete("chk_a");
    revision += 1;
    await take([result({ id: "chk_b" })]);
    records.set("chk_a", record("chk_a"));
    revision += 1;
    await take([result()]);
    assert.deepEqual(times(), [0, 0]);
  });

  it("reads strictly: what is no result is left out, and the others count", async () => {
    const wrong = [
      null,
      7,
      "x",
      [],
      {},
      result({ at: "now" }),
      result({ at: -1 }),
      result({ detail: 7 }),
      result({ latencyMs: -1 }),
      result({ hash: undefined }),
      result({ certificate: { subject: 7 } }),
      result({ detail: "x".repeat(1_001) }),
      JSON.parse(`{"__proto__": 1, "id": "chk_a", "at": ${START}, "hash": "${hash}", "detail": ""}`),
    ];
    await take([...wrong, result({ fault: "of a later version", at: START - 1 })]);
    assert.equal(taken[0]?.tries[0]?.result.fault, "protocol");
    assert.deepEqual(times(), [-1]);
    await take(
      Array.from({ length: 500 }, () => null).concat([JSON.parse(JSON.stringify(result()))]),
      "web-2",
    );
    for (const odd of [null, 7, {}, "x"]) await take(odd);
    assert.equal(times().length, 1);
  });
});
