import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type CheckState, checkStates } from "../../../../src/monitor/checks/schema.ts";
import { type CheckView, checkViewSchema } from "../../../../src/monitor/checks/view-schema.ts";
import {
  type CheckFilter,
  loadChecks,
  toCheckSections,
  toListPath,
} from "../../../../src/web/monitor/checks/check-list.ts";
import { toFoundText } from "../../../../src/web/monitor/pieces/check-words.ts";
import { toMoment } from "../../../../src/web/app/format.ts";

const NOW = "2026-11-20T12:00:00+00:00";
const all: CheckFilter = { q: "", group: "", tag: "", state: "", kind: "" };

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
    standing: { state, since: NOW, places: [] },
  });
}

/** A monitor that answers pages of two checks, and filters by state as the real one does. */
function answerer(views: readonly CheckView[]): {
  ask: Parameters<typeof loadChecks>[1]["ask"];
  asked: string[];
} {
  const asked: string[] = [];
  return {
    asked,
    ask: async (path) => {
      asked.push(path);
      const query = new URLSearchParams(path.split("?")[1]);
      const counts = Object.fromEntries(
        checkStates.map((state) => [state, views.filter((one) => one.standing.state === state).length]),
      ) as Record<CheckState, number>; // as: of every state one
      const state = query.get("state");
      const found = state === null ? views : views.filter((one) => one.standing.state === state);
      const from = Number(query.get("cursor") ?? 0);
      const items = state === null ? found.slice(from, from + 2) : found;
      const hasMore = state === null && from + 2 < found.length;
      return { items, counts, ...(hasMore ? { nextCursor: String(from + 2) } : {}) };
    },
  };
}

describe("the list of checks", () => {
  it("has all that is down above the groups, even what lies on a later page", async () => {
    const views = [
      view("a"),
      view("b", { group: "x" }),
      view("c", { group: "x", state: "down" }),
      view("d", { group: "y" }),
    ];
    const { ask, asked } = answerer(views);
    const loaded = await loadChecks(all, { pages: 1, ask });
    assert.equal(loaded.hasMore, true);
    assert.deepEqual(
      toCheckSections(loaded).map(({ group, checks }) => [group, checks.map(({ id }) => id)]),
      [
        [undefined, ["c"]],
        ["", ["a"]],
        ["x", ["b"]],
      ],
    );
    assert.equal(asked.length, 2);
  });

  it("is asked for once a page while all of it fits", async () => {
    const { ask, asked } = answerer([view("a", { state: "partial" }), view("b")]);
    const loaded = await loadChecks(all, { pages: 1, ask });
    assert.deepEqual(
      loaded.troubled.map(({ id }) => id),
      ["a"],
    );
    assert.deepEqual(
      loaded.others.map(({ id }) => id),
      ["b"],
    );
    assert.equal(asked.length, 1);
  });

  it("shows one state alone without a part above", async () => {
    const { ask } = answerer([view("a", { state: "down" }), view("b")]);
    const loaded = await loadChecks({ ...all, state: "down" }, { pages: 1, ask });
    assert.deepEqual(
      loaded.others.map(({ id }) => id),
      ["a"],
    );
    assert.deepEqual(loaded.troubled, []);
  });

  it("asks for those in no group with an empty name, and leaves out what nobody asked for", () => {
    assert.equal(toListPath({ ...all, q: " db ", group: "-" }), "/api/admin/checks?limit=200&q=db&group=");
  });
});

describe("what was found at a check", () => {
  it("is what the target said, or on the reader's clock when a sign of life was due", () => {
    assert.equal(toFoundText({ detail: "200 OK" }), "200 OK");
    assert.equal(toFoundText({ detail: "", dueAt: NOW }), `due ${toMoment(Date.parse(NOW))}`);
  });
});
