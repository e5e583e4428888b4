import assert from "node:assert/strict";
import { it } from "node:test";
import { addHealthRoute } from "../../../src/kit/http/health-route.ts";
import type { HealthReport } from "../../../src/kit/observe/health.ts";
import { createAppHarness } from "../app-harness.ts";

it("GET /api/health answers 503 only when the service is failing, and is never cached", async () => {
  const { app } = createAppHarness();
  let status: HealthReport["status"] = "ok";
  const rest = { version: "1.0.0", timestamp: "2026-11-22T10:00:00.000Z", uptimeSeconds: 7, checks: {} };
  addHealthRoute(app, async () => ({ status, ...rest }));
  const answers: unknown[] = [];
  for (status of ["ok", "degraded", "failing"] as const) {
    const response = await app.request("/api/health");
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.deepEqual(await response.json(), { status, ...rest });
    answers.push(response.status);
  }
  assert.deepEqual(answers, [200, 200, 503]);
});
