import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DoctorView } from "../../../src/monitor/site/doctor-schema.ts";
import { createTestApp } from "../app-fixture.ts";

const view: DoctorView = {
  verdict: "problem",
  findings: [
    { check: "services", level: "ok", message: "The monitor answers" },
    { check: "ports", level: "problem", message: "Port 1 is taken", advice: "Set another port" },
  ],
};

describe("/api/admin/doctor", () => {
  it("gives administrators, and nobody else, what the examination found", async () => {
    let runs = 0;
    const app = await createTestApp({
      examine: async () => {
        runs += 1;
        return view;
      },
    });
    assert.equal((await app.raw("/api/admin/doctor")).status, 401);
    assert.equal(runs, 0);
    const response = await app.admin("GET", "/api/admin/doctor");
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.deepEqual(await response.json(), view);
    assert.equal(runs, 1);
  });
});
