/** Checks of healthchecks.io, as its API returns them for keys that may write and that may only read. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readImportFile } from "../../../../src/web/monitor/checks/import/read-file.ts";
import { createTestApp } from "../../app-fixture.ts";

const IMPORT = "/api/admin/checks/import";
const ids = ["31365bce-8da9-4729-8ff3-aaa71d56b712", "803f680d-e89b-492b-82ef-2be7b774a92d"] as const;

const shared = {
  desc: "",
  n_pings: 1,
  status: "up",
  started: false,
  last_ping: "2026-03-24T14:02:03+00:00",
  next_ping: null,
  manual_resume: false,
  methods: "",
  start_kw: "",
  success_kw: "",
  failure_kw: "",
  filter_subject: false,
  filter_body: false,
  filter_http_body: false,
};

const checks = [
  {
    ...shared,
    name: "Filesystem Backup",
    slug: "filesystem-backup",
    tags: "backup fs",
    desc: "Runs every hour",
    grace: 600,
    uuid: ids[0],
    ping_url: `https://hc-ping.com/${ids[0]}`,
    channels: "1bdea468-03bf-47b8-ab27-29a9dd0e4b94",
    timeout: 3_600,
  },
  {
    ...shared,
    name: "",
    slug: "database-backup",
    tags: "",
    grace: 1_200,
    status: "paused",
    methods: "POST",
    filter_http_body: true,
    filter_default_fail: true,
    failure_kw: "ERROR",
    success_kw: "done, complete",
    ping_url: `https://hc.example.org/ping/${ids[1]}`,
    channels: "",
    schedule: "15 5 * * *",
    tz: "Europe/Riga",
  },
  {
    ...shared,
    name: "Read only",
    tags: "",
    grace: 60,
    unique_key: "a6c7b0a8a66bed0df66abfdab3c77736861703ee",
    schedule: "Mon..Fri 02:30",
    tz: "UTC",
  },
  { ...shared, name: "Two lines", tags: "", grace: 60, schedule: "nonsense\n12:00", tz: "UTC" },
];

interface Entry {
  readonly check?: { readonly id?: string; readonly keepsToken: boolean; readonly paused: boolean };
  readonly notes: readonly { readonly code: string; readonly value?: string }[];
}

describe("import of healthchecks.io's checks", () => {
  it("makes heartbeats that keep schedule, grace period, and the URL that jobs have", async () => {
    const app = await createTestApp();
    const content = await readImportFile(new File([JSON.stringify({ checks })], "checks.json"));
    assert.ok("input" in content);
    assert.equal(content.input.format, "healthchecks");
    const response = await app.admin("POST", IMPORT, { ...content.input, trial: false });
    const result: { entries: Entry[]; leftOut: string[] } = await response.json();
    assert.equal(response.status, 200);
    assert.deepEqual(result.leftOut, ["channels"]);
    assert.deepEqual(
      result.entries.map(({ check, notes }) => [
        check?.keepsToken,
        check?.paused,
        notes.map(({ code }) => code),
      ]),
      [
        [true, false, ["other_path"]],
        [true, true, ["no_field"]],
        [false, false, ["no_key"]],
        [undefined, undefined, ["no_key", "does_not_fit"]],
      ],
    );
    const listed = await app.admin("GET", "/api/admin/checks?limit=100");
    const page: { items: { name: string; tags: string[]; note: string; target: object }[] } =
      await listed.json();
    const byName = new Map(page.items.map((item) => [item.name, item]));
    assert.deepEqual(byName.get("Filesystem Backup")?.tags, ["backup", "fs"]);
    assert.equal(byName.get("Filesystem Backup")?.note, "Runs every hour");
    const targetOf = (name: string): object | undefined => byName.get(name)?.target;
    assert.deepEqual(targetOf("Filesystem Backup"), {
      kind: "heartbeat",
      schedule: { type: "period", seconds: 3_600 },
      graceSeconds: 600,
      maxRunSeconds: 600,
    });
    assert.deepEqual(targetOf("database-backup"), {
      kind: "heartbeat",
      schedule: { type: "cron", expression: "15 5 * * *", timeZone: "Europe/Riga" },
      graceSeconds: 1_200,
      maxRunSeconds: 1_200,
      failWords: "ERROR",
      successWords: "done, complete",
      startWords: "",
      otherwise: "fail",
    });
    assert.deepEqual(targetOf("Read only"), {
      kind: "heartbeat",
      schedule: { type: "onCalendar", calendar: "Mon..Fri 02:30", timeZone: "UTC" },
      graceSeconds: 60,
      maxRunSeconds: 60,
    });
    assert.equal((await app.fetch(`/ping/${ids[0]}`)).status, 200);
    assert.equal((await app.fetch(`/ping/${ids[1]}/start`)).status, 200);
    const again = await app.admin("POST", IMPORT, { ...content.input, trial: false });
    const second: { checks: number } = await again.json();
    assert.equal(second.checks, 0);
  });

  it("refuses a file of another program by name", async () => {
    const app = await createTestApp();
    const response = await app.admin("POST", IMPORT, { format: "healthchecks", text: '{"monitorList": []}' });
    assert.equal(response.status, 422);
    assert.match(await response.text(), /checks of healthchecks\.io/u);
  });
});
