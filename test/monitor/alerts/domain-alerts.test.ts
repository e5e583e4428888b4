/** Rules that warn before domains expire. The checks stay up, whatever is left. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { checkFieldsSchema } from "../../../src/monitor/checks/schema.ts";
import { type AlertsBench, createAlertsBench } from "./alerts-bench.ts";
import { found } from "./fake-checks.ts";

const DAY_MS = 86_400_000;
const rule = { kind: "domain", name: "Domain" };

let bench: AlertsBench;

beforeEach(async () => {
  bench = await createAlertsBench();
  const { target } = checkFieldsSchema.parse({
    name: "x",
    target: { kind: "domain", domain: "example.org" },
  });
  bench.checks.add("chk_1", { name: "Domain of the shop", target });
  bench.checks.up("chk_1");
});

const until = (expiresAt: number) => ({
  places: [found()],
  registration: { domain: "example.org", expiresAt },
});

describe("a domain", () => {
  it("alerts once for each expiry date, 30 days before, also across a restart", async () => {
    await bench.rule(rule);
    const first = bench.clock.now() + 30.5 * DAY_MS;
    bench.checks.stand("chk_1", "up", until(first));
    await bench.pass(61);
    assert.deepEqual(await bench.takeTold(), []);
    bench.clock.advance(DAY_MS);
    await bench.pass(61);
    const [told, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.equal(told?.title, "🟠 Domain of the shop: domain expires in 29 days (2026-03-03)");
    assert.match(told.text, /^Details: example\.org$/mu);
    assert.deepEqual([told.kind, told.url], ["reminder", "https://status.example/admin/checks/chk_1"]);
    await bench.restart();
    bench.checks.stand("chk_1", "up", until(first));
    await bench.pass(600);
    assert.deepEqual(await bench.takeTold(), []);
    bench.checks.stand("chk_1", "up", until(first + 365 * DAY_MS));
    await bench.pass(61);
    assert.deepEqual(await bench.takeTitles(), [
      "Domain of the shop: domain now registered until 2027-03-03",
    ]);
  });

  for (const [days, said] of [
    [0.5, "domain expires in less than a day (2026-02-01)"],
    [1.5, "domain expires in 1 day (2026-02-02)"],
    [-1, "domain expired on 2026-01-30"],
  ] as const)
    it(`says "${said}"`, async () => {
      await bench.rule({ ...rule, daysAhead: 7 });
      bench.checks.stand("chk_1", days < 0 ? "down" : "up", until(bench.clock.now() + days * DAY_MS));
      await bench.pass(61);
      assert.deepEqual(await bench.takeTitles(), [`Domain of the shop: ${said}`]);
    });

  it("neither alerts nor resolves while the registry says nothing", async () => {
    await bench.rule(rule);
    const soon = until(bench.clock.now() + 5 * DAY_MS);
    bench.checks.stand("chk_1", "unknown", soon);
    await bench.pass(61);
    assert.deepEqual(await bench.takeTold(), []);
    bench.checks.stand("chk_1", "up", soon);
    await bench.pass(61);
    assert.equal((await bench.takeTitles()).length, 1);
    bench.checks.stand("chk_1", "unknown");
    await bench.pass(61);
    assert.deepEqual(await bench.takeTold(), []);
    assert.equal(bench.alerts.firing().length, 1);
  });

  it("is no matter of checks of other kinds", async () => {
    await bench.rule(rule);
    bench.checks.add("chk_2", { name: "Website" });
    bench.checks.stand("chk_2", "up", until(bench.clock.now() + 5 * DAY_MS));
    await bench.pass(61);
    assert.deepEqual(await bench.takeTold(), []);
  });
});
