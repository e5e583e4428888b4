/** What an entry of the audit says of a field, as services write it and the page reads it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeChanges, describeName } from "../../../src/kit/text/changes.ts";
import { parseAuditChange } from "../../../src/web/monitor/site/audit-change.ts";

describe("changes of an audit entry", () => {
  it("have both values, whatever they contain", () => {
    const before = { name: 'a → "b"', tags: ["x"], region: "DE", traffic: { limitBytes: 0 } };
    const after = { name: "c: d", tags: [], region: "DE", traffic: { limitBytes: 5 }, note: "n" };
    assert.deepEqual(describeChanges(before, after).map(parseAuditChange), [
      { name: "name", values: { before: 'a → "b"', after: "c: d" } },
      { name: "tags", values: { before: ["x"], after: [] } },
      { name: "traffic", values: { before: { limitBytes: 0 }, after: { limitBytes: 5 } } },
      { name: "note", values: { before: null, after: "n" } },
    ]);
  });

  it("leave out confidential and long values", () => {
    const long = "x".repeat(300);
    const changes = describeChanges({ note: "a", text: "b" }, { note: "c", text: long }, ["note"]);
    assert.deepEqual(changes, ["note", "text"]);
    assert.deepEqual(changes.map(parseAuditChange), [{ name: "note" }, { name: "text" }]);
  });

  it("name what was made or has gone", () => {
    assert.deepEqual(describeName("Web 1").map(parseAuditChange), [
      { name: "name", values: { after: "Web 1" } },
    ]);
  });

  it("are shown as they are when they are of another form", () => {
    assert.deepEqual(parseAuditChange("count: of 3"), { name: "count: of 3" });
  });
});
