import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isOpaqueShown, pickOpaque } from "../../../src/monitor/fleet/opaque-sample.ts";

const encoder = new TextEncoder();

describe("pickOpaque", () => {
  it("keeps numbers and booleans under plain names, and objects that have any", () => {
    const source = {
      up: true,
      ip: "10.0.0.1",
      cpu: { load: 3, host: "db" },
      disks: [1],
      none: {},
      "a.b-c_1": 0,
    };
    assert.deepEqual(pickOpaque(source), { up: true, cpu: { load: 3 }, "a.b-c_1": 0 });
  });

  it("passes on no free text in names", () => {
    const names = ["buy pills", "<img>", "évil", "1st", "_x", "", "a/b", "x".repeat(41), "a\n", "__proto__"];
    const source = Object.fromEntries(names.flatMap((name) => [[name, 1]]));
    assert.deepEqual(pickOpaque({ ...source, box: source }), {});
    const spam = Array.from({ length: 900 }, (_, i) => [`buy pills at evil.example/${i} <img src=x>`, {}]);
    assert.deepEqual(pickOpaque(Object.fromEntries(spam)), {});
  });

  it("counts objects among the 200 values", () => {
    const boxes = Array.from({ length: 150 }, (_, i) => [`b${i}`, { n: 1 }]);
    assert.equal(Object.keys(pickOpaque(Object.fromEntries(boxes))).length, 100);
    const empty = Array.from({ length: 200 }, (_, i) => [`e${i}`, {}]);
    assert.deepEqual(pickOpaque({ ...Object.fromEntries(empty), late: 1 }), {});
  });

  it("takes no number that JSON cannot hold", () =>
    assert.deepEqual(pickOpaque({ big: Number.POSITIVE_INFINITY }), {}));

  it("is never over 4 KiB as JSON", () => {
    const long = Array.from({ length: 200 }, (_, i) => [`n${i}-${"x".repeat(30)}`, 0.123456789012345]);
    const kept = pickOpaque(Object.fromEntries(long));
    assert.ok(Object.keys(kept).length > 50);
    fc.assert(
      fc.property(fc.oneof(fc.object({ maxDepth: 5 }), fc.constant(kept)), (source) => {
        assert.ok(encoder.encode(JSON.stringify(pickOpaque({ ...source }))).length <= 4_096);
      }),
    );
  });

  it("says that nothing is shown of a version alone", () => {
    assert.equal(isOpaqueShown({ v: 2, text: "x" }), false);
    assert.equal(isOpaqueShown({ v: 2, n: 0 }), true);
  });
});
