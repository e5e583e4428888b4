/** The demonstration's reports are reports that the monitor takes as they are. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseReport } from "../../src/monitor/ingest/report.ts";
import { createDemoMachine } from "./demo/machine.ts";
import { createPayloads } from "./demo/payload.ts";
import { demoPlans } from "./demo/plans.ts";

const NOW = Date.UTC(2026, 10, 22);

describe("the demonstration's machines", () => {
  it("report what the monitor takes, lists in the first report and again after half a minute", () => {
    for (const [index, plan] of demoPlans.entries()) {
      const next = createPayloads({
        machine: createDemoMachine(plan, index),
        index,
        intervalMs: 3_000,
        startMs: NOW,
      });
      const withLists = [0, 3_000, 30_000].map((ms) => {
        const parsed = parseReport(next(NOW + ms), { collectedAt: NOW + ms, now: NOW + ms });
        assert.ok(parsed.ok, `${plan.id}: ${parsed.ok ? "" : parsed.reason}`);
        assert.deepEqual(parsed.flags, []);
        return parsed.report?.details !== undefined;
      });
      assert.deepEqual(withLists, [true, false, true]);
    }
  });

  it("name one full disk beside an empty one", () => {
    const index = demoPlans.findIndex(({ id }) => id === "home-nas");
    const [plan] = demoPlans.slice(index);
    assert.ok(plan);
    const machine = createDemoMachine(plan, index);
    const text = createPayloads({ machine, index, intervalMs: 3_000, startMs: NOW })(NOW);
    const { disk }: { disk: { mounts: { path: string; usedBytes: number; totalBytes: number }[] } } =
      JSON.parse(text);
    const shares = disk.mounts.map(({ path, usedBytes, totalBytes }) => [path, usedBytes / totalBytes > 0.9]);
    assert.deepEqual(shares, [
      ["/", true],
      ["/srv/data", false],
    ]);
  });
});
