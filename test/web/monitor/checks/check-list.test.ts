import "../../resource/browser.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CheckState } from "../../../../src/monitor/checks/schema.ts";
import { type CheckView, checkViewSchema } from "../../../../src/monitor/checks/view-schema.ts";
import { toMoment } from "../../../../src/web/app/format.ts";
import { text } from "../../../../src/web/app/texts.ts";
import { checks } from "../../../../src/web/monitor/checks/checks-page.tsx";
import { toCheckSections } from "../../../../src/web/monitor/checks/check-sections.ts";
import { toFoundText } from "../../../../src/web/monitor/pieces/check-words.ts";
import { toListPath } from "../../../../src/web/ui/resource/list-state.tsx";
import { loadPages } from "../../../../src/web/ui/resource/polled-list.tsx";

const NOW = "2026-11-20T12:00:00+00:00";

function view(
  id: string,
  { group = "", state = "up" }: { group?: string; state?: CheckState } = {},
): CheckView {
  return checkViewSchema.parse({
    id,
    name: id,
    group,
    version: 1,
    revision: 1,
    createdAt: NOW,
    updatedAt: NOW,
    target: { kind: "tcp", host: "db", port: 1 },
    address: "db:1",
    dependsOn: [],
    locations: {},
    places: {},
    standing: { state, since: NOW, locations: [], places: [] },
  });
}

/** The ids of each section below its title. */
function toLayout(views: readonly CheckView[], showsState = false): unknown {
  return toCheckSections(views, { showsState }).map(({ title, rows }) => [title, rows.map(({ id }) => id)]);
}

describe("the list of checks", () => {
  it("has all that is down above the groups", () => {
    const down = view("c", { group: "x", state: "down" });
    assert.deepEqual(toLayout([down, view("a"), view("b", { group: "x" })]), [
      ["Needs attention", ["c"]],
      [text("fleet.noGroup"), ["a"]],
      ["x", ["b"]],
    ]);
  });

  it("shows one state alone without a part above, and one group without a name without a title", () => {
    assert.deepEqual(toLayout([view("a", { state: "down" })], true), [[undefined, ["a"]]]);
    assert.deepEqual(toLayout([view("a"), view("b")]), [[undefined, ["a", "b"]]]);
  });

  it("requests those without a group by an empty name, and omits unset filters", () => {
    const typed: Readonly<Record<string, string>> = { q: "db", group: "-" };
    const path = toListPath("/api/admin/checks?sort=attention", checks.table, (name) => typed[name] ?? "");
    assert.equal(path, "/api/admin/checks?sort=attention&q=db&group=");
  });

  it("reads the requested pages, and an item that moved between them once", async () => {
    const asked: string[] = [];
    const answers = [
      { items: ["a", "b"], nextCursor: "2" },
      { items: ["b", "c"], nextCursor: "3", counts: { up: 4 } },
      { items: ["d"] },
    ];
    const ask = async (path: string): Promise<{ items: readonly { id: string }[] }> => {
      const answer = answers[asked.push(path) - 1];
      return { ...answer, items: (answer?.items ?? []).map((id) => ({ id })) };
    };
    const idOf = ({ id }: { id: string }): string => id;
    const loaded = await loadPages("/api/admin/checks?limit=200", { pages: 2, idOf, ask });
    assert.deepEqual(loaded, {
      items: [{ id: "a" }, { id: "b" }, { id: "c" }],
      nextCursor: "3",
      counts: { up: 4 },
    });
    assert.deepEqual(asked, ["/api/admin/checks?limit=200", "/api/admin/checks?limit=200&cursor=2"]);
  });
});

describe("what was found at a check", () => {
  it("is what the target said, or on the reader's clock when a sign of life was due", () => {
    assert.equal(toFoundText({ detail: "200 OK" }), "200 OK");
    assert.equal(toFoundText({ detail: "", dueAt: NOW }), `due ${toMoment(Date.parse(NOW))}`);
  });
});
