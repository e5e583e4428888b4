/** The demonstration's reports are reports that the monitor takes as they are. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseReport } from "../../src/monitor/ingest/report.ts";
import { describeDemo, toDemoEnvironment } from "./demo/all.ts";
import { createDemoMachine } from "./demo/machine.ts";
import { createPayloads } from "./demo/payload.ts";
import { demoPlans } from "./demo/plans.ts";

const NOW = Date.UTC(2026, 10, 22);

describe("the demonstration of all services", () => {
  it("takes addresses from its caller's environment, and neither mail server nor database", () => {
    const env = toDemoEnvironment({
      PUBLIC_URL: "https://demo.example.org",
      SHOP_PORT: "9081",
      SMTP_URL: "smtp://mail.example.org",
      DATABASE_URL: "postgres://db.example.org/trivet",
      NATS_URL: "nats://bus.example.org",
      TRUSTED_PROXIES: "127.0.0.1",
      DATA_DIR: "/var/lib/trivet",
    });
    assert.deepEqual(env, {
      LOG_LEVEL: "warn",
      PUBLIC_URL: "https://demo.example.org",
      MONITOR_PORT: "8080",
      SHOP_PORT: "9081",
      AUTH_PORT: "8082",
      GRPC_PORT: "50051",
    });
  });

  it("says where to sign in with which account", () => {
    const text = describeDemo({
      urls: { monitor: "http://m", shop: "http://s", auth: "http://a" },
      adminToken: "adm_x",
      password: "a password",
      accounts: { admin: "carla", user: "bob" },
      stop: () => Promise.resolve(),
    });
    for (const part of ["http://a/sign-in", '"bob"', '"a password"', "http://s/admin", '"carla"', "adm_x"])
      assert.ok(text.includes(part), part);
  });
});

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
