import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type CheckOrder, pageOfChecks } from "../../../src/monitor/checks/listing.ts";
import { type CheckState, checkRecordSchema } from "../../../src/monitor/checks/schema.ts";
import type { CheckDirectory } from "../../../src/monitor/checks/standings.ts";

/** Checks by name with their states, all in one group; the states may change between two pages. */
function createDirectory(states: Readonly<Record<string, CheckState>>): CheckDirectory {
  const at = { version: 1, revision: 1, createdAt: 0, updatedAt: 0 };
  const target = { kind: "tcp", host: "db", port: 1 };
  const records = Object.keys(states).map((name) =>
    checkRecordSchema.parse({ ...at, id: name, name, target }),
  );
  return {
    records: () => records,
    findRecord: (id) => records.find((record) => record.id === id),
    recordsRevision: 1,
    findStanding: (id) => {
      const state = states[id];
      return state && { id, version: 1, revision: 1, state, since: 0, places: [] };
    },
    onChange: () => () => undefined,
  };
}

function readAll(
  directory: CheckDirectory,
  sort: CheckOrder,
  between: () => void = () => undefined,
): string[] {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = pageOfChecks(directory, {}, { limit: 2, cursor, sort });
    names.push(...page.items.map(({ record }) => record.name));
    cursor = page.nextCursor;
    between();
  } while (cursor !== undefined);
  return names;
}

describe("pages of checks", () => {
  const states: Readonly<Record<string, CheckState>> = {
    a: "up",
    b: "down",
    c: "paused",
    d: "partial",
    e: "down",
  };

  it("come by name, or with what is down first", () => {
    assert.deepEqual(readAll(createDirectory(states), "name"), ["a", "b", "c", "d", "e"]);
    assert.deepEqual(readAll(createDirectory(states), "attention"), ["b", "d", "e", "a", "c"]);
  });

  it("leave none out whose state changes between two of them, but in the part that was read", () => {
    const changing: Record<string, CheckState> = { ...states };
    const names = readAll(createDirectory(changing), "attention", () => {
      changing["b"] = "up";
    });
    assert.deepEqual([...new Set(names)].sort(), ["a", "b", "c", "d", "e"]);
  });
});
