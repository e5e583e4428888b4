import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DoctorView } from "../../../src/kit/observe/doctor-schema.ts";
import { createTestApp as createTestAuth } from "../../auth/app-fixture.ts";
import { createTestApp as createTestMonitor } from "../../monitor/app-fixture.ts";
import { createTestShop } from "../../shop/app-fixture.ts";

const view: DoctorView = {
  verdict: "problem",
  findings: [
    { check: "services", level: "ok", message: "The monitor responds" },
    { check: "ports", level: "problem", message: "Port 1 is taken", advice: "Set another port" },
  ],
};
const fixtures = { monitor: createTestMonitor, auth: createTestAuth, shop: createTestShop };

describe("/api/admin/doctor", () => {
  for (const [service, create] of Object.entries(fixtures))
    it(`returns the report to administrators of the ${service} only`, async () => {
      let runs = 0;
      const app = await create({
        examine: async () => {
          runs += 1;
          return view;
        },
      });
      assert.equal((await app.fetch("/api/admin/doctor")).status, 401);
      assert.equal(runs, 0);
      const response = await app.admin("GET", "/api/admin/doctor");
      assert.equal(response.headers.get("cache-control"), "no-store");
      assert.deepEqual(await response.json(), view);
      assert.equal(runs, 1);
    });
});
