import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type PendingResults, createPendingResults } from "../../../src/agent/checks/results.ts";
import type { CheckResult } from "../../../src/agent/payload.ts";

const HOUR = 3_600_000;
const certificate = {
  subject: "CN=a",
  issuer: "CN=b",
  names: ["a.example.org"],
  validFrom: 1,
  validTo: 2,
  isTrusted: true,
};

function result(at: number, more: Partial<CheckResult> = {}): CheckResult {
  return { id: "chk_a", at, hash: "0123456789abcdef", detail: "200 OK", ...more };
}

describe("createPendingResults", () => {
  let pending: PendingResults;
  beforeEach(() => {
    pending = createPendingResults(5);
  });
  const times = (results: readonly CheckResult[]): number[] => results.map(({ at }) => at);

  it("gives each result once, the oldest first, as many as find room", () => {
    for (const at of [1, 2, 3]) pending.add(result(at));
    const one = JSON.stringify(result(1)).length + 1;
    assert.deepEqual(times(pending.take(2 * one)), [1, 2]);
    assert.deepEqual(times(pending.take(one - 1)), []);
    assert.deepEqual(times(pending.take(10_000)), [3]);
    assert.equal(pending.size, 0);
  });

  it("drops the oldest when there are too many", () => {
    for (const at of [1, 2, 3, 4, 5, 6]) pending.add(result(at));
    assert.deepEqual(times(pending.take(10_000)), [2, 3, 4, 5, 6]);
  });

  it("tells a certificate again when it is another, and each hour", () => {
    const next = { ...certificate, validTo: 3 };
    for (const [at, shown] of [
      [0, certificate],
      [1, certificate],
      [2, next],
      [HOUR, next],
      [HOUR + 2, next],
    ] as const)
      pending.add(result(at, { certificate: shown }));
    const told = pending.take(10_000).map(({ certificate: shown }) => shown?.validTo);
    assert.deepEqual(told, [2, undefined, 3, undefined, 3]);
  });

  it("lets a certificate go that is in the way of everything else", () => {
    pending.add(result(1, { certificate }));
    assert.deepEqual(pending.take(100), []);
    assert.deepEqual(pending.take(150).length, 1);
  });

  it("takes results back from reports that were dropped, in order", () => {
    pending.add(result(3));
    const payload = {
      v: 1,
      cpu: { usagePercent: 1 },
      checks: { hash: "a", results: [result(1), 7, result(2)] },
    };
    pending.takeBack([
      { collectedAtUnixMs: 1, payloadJson: JSON.stringify(payload) },
      { collectedAtUnixMs: 2, payloadJson: '{"v":1,"cpu":{"usagePercent":1}}' },
    ]);
    assert.deepEqual(times(pending.take(10_000)), [1, 2, 3]);
  });
});
