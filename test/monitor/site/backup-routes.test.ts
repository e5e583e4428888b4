/** Backups as administrators ask for them; what makes them is tested with the service. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AppError } from "../../../src/kit/errors.ts";
import type { SiteBackups } from "../../../src/monitor/site/backup-routes.ts";
import { createTestApp } from "../app-fixture.ts";
import { START } from "../../support/fixed-clock.ts";

type Overview = Awaited<ReturnType<SiteBackups["overview"]>>;

const plan = { folder: "/backups", everyHours: 24, keep: 7 };

function createStub(): SiteBackups {
  const state: { runningSince?: number } = {};
  return {
    overview: async (): Promise<Overview> => ({
      ...plan,
      nextAt: START + 1_000,
      runningSince: state.runningSince,
      failure: { at: START, message: "The disk is full" },
      found: [{ name: "trivet-1", createdAt: START, sizeBytes: 3, files: 2 }],
    }),
    start: () => {
      if (state.runningSince !== undefined) throw new AppError("conflict", "A backup is already running");
      state.runningSince = START;
    },
  };
}

describe("/api/admin/backups", () => {
  it("says when the records are in PostgreSQL and so in no backup", async () => {
    const app = await createTestApp({ backups: createStub(), hasDatabase: true });
    const { withoutRecords } = await (await app.admin("GET", "/api/admin/backups")).json();
    assert.equal(withoutRecords, true);
  });

  it("lists what there is, what is next and why the last one failed", async () => {
    const app = await createTestApp({ backups: createStub() });
    const response = await app.admin("GET", "/api/admin/backups");
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), {
      ...plan,
      items: [{ name: "trivet-1", createdAt: "2026-01-31T12:00:00.000+00:00", sizeBytes: 3, files: 2 }],
      nextAt: "2026-01-31T12:00:01.000+00:00",
      failure: { at: "2026-01-31T12:00:00.000+00:00", message: "The disk is full" },
    });
  });

  it("begins one, once at a time, and writes who did", async () => {
    const app = await createTestApp({ backups: createStub() });
    const begun = await app.admin("POST", "/api/admin/backups");
    assert.equal(begun.status, 202);
    const { runningSince } = (await begun.json()) as { runningSince?: string };
    assert.equal(runningSince, "2026-01-31T12:00:00.000+00:00");
    const again = await app.admin("POST", "/api/admin/backups");
    assert.equal(again.status, 409);
    const audit = await app.admin("GET", "/api/admin/audit?action=backup.");
    const { items } = (await audit.json()) as { items: { action: string; target: string }[] };
    assert.deepEqual(
      items.map(({ action, target }) => [action, target]),
      [["backup.make", "backup"]],
    );
  });

  it("says what to set where there is no place for them", async () => {
    const app = await createTestApp();
    const list = await app.admin("GET", "/api/admin/backups");
    assert.deepEqual(await list.json(), { items: [] });
    const refused = await app.admin("POST", "/api/admin/backups");
    assert.equal(refused.status, 409);
    assert.match(await refused.text(), /Set BACKUP_DIR/u);
  });
});
