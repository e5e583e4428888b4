import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ImportResult } from "../../../../src/monitor/checks/import/view-schema.ts";
import { type TestApp, createTestApp } from "../../app-fixture.ts";

async function send(app: TestApp, body: object): Promise<ImportResult> {
  const response = await app.admin("POST", "/api/admin/checks/import", body);
  assert.equal(response.status, 200, await response.clone().text());
  // `as`: answers are checked against the OpenAPI document.
  return (await response.json()) as ImportResult;
}

describe("groups of Uptime Kuma", () => {
  it("become checks of groups, which their children are members of", async () => {
    const child = { type: "port", hostname: "db.example.org", port: 5432 };
    const monitorList = [
      { id: 1, type: "group", name: "Site", active: true, maxretries: 0, notificationIDList: { "3": true } },
      { ...child, id: 2, name: "Web", parent: 1 },
      { ...child, id: 3, name: "DB", parent: 1, active: false },
      { id: 4, type: "group", name: "Inner", parent: 1, active: false, notificationIDList: {} },
      { ...child, id: 5, name: "Inner", parent: 4 },
      { id: 6, type: "group", name: "Games", notificationIDList: [] },
      { id: 7, type: "steam", name: "Quake", parent: 6 },
      { id: 8, type: "group", name: "Outer", maxretries: 2 },
      { id: 9, type: "group", name: "Deep", parent: 8 },
      { ...child, id: 10, name: "Leaf", parent: 9 },
      { type: "group", name: "" },
      { id: 12, type: "group", name: "x".repeat(80) },
      { ...child, id: 13, name: "Long", parent: 12 },
      // A circle.
      { id: 14, type: "group", name: "A", parent: 15 },
      { id: 15, type: "group", name: "B", parent: 14 },
    ];
    const app = await createTestApp();
    const result = await send(app, { format: "kuma", text: JSON.stringify({ monitorList }), trial: false });
    const groups = result.entries.flatMap(({ name, outcome, check, notes }, at) =>
      monitorList[at]?.type === "group"
        ? [
            [
              name.slice(0, 5),
              outcome,
              check?.group.slice(0, 12),
              check?.target.length,
              ...notes.map(({ code, value }) => `${code} ${value ?? ""}`.trim()),
            ],
          ]
        : [],
    );
    assert.deepEqual(groups, [
      ["Site", "check", "Site", 4, "inner_groups Inner", "group_members 2"],
      ["Inner", "check", "Site", 12, "group_members 1", "muted"],
      ["Games", "group", undefined, undefined, "no_members"],
      ["Outer", "group", undefined, undefined, "inner_groups Deep", "no_members"],
      ["Deep", "check", "Outer / Deep", 12, "group_members 1"],
      ["", "group", undefined, undefined, "no_members"],
      ["xxxxx", "check", "x".repeat(12), 64, "group_members 1"],
      ["A", "group", undefined, undefined, "inner_groups B", "no_members"],
      ["B", "group", undefined, undefined, "inner_groups A", "no_members"],
    ]);
    const response = await app.admin("GET", "/api/admin/checks?limit=100");
    // `as`: answers are checked against the OpenAPI document.
    const { items } = (await response.json()) as { items: Record<string, unknown>[] };
    const site = items.find(({ name }) => name === "Site") ?? {};
    assert.deepEqual(site["target"], {
      kind: "group",
      group: "Site",
      downWhen: "any",
      count: 2,
      alertsForMembers: false,
    });
    assert.deepEqual([site["paused"], site["mute"]], [false, undefined]);
    const inner = items.filter(({ name }) => name === "Inner");
    // One is the group's, which is not in the group that it judges: a member there has its name.
    assert.deepEqual(
      inner.map(({ group, paused, mute }) => [group, paused, mute]),
      [
        ["Site", true, {}],
        ["Site / Inner", true, undefined],
      ],
    );
    const id = String(site["id"]);
    const { members } = (await (await app.admin("GET", `/api/admin/dependencies/${id}`)).json()) as {
      members: { name: string; state: string }[];
    };
    assert.deepEqual(
      members.map(({ name, state }) => [name, state]),
      [
        ["Web", "unknown"],
        ["DB", "paused"],
      ],
    );
    const again = await send(app, { format: "kuma", text: JSON.stringify({ monitorList }), trial: false });
    assert.equal(again.checks, 0);
  });
});
