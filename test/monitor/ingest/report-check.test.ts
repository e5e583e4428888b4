import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { compileCheck, isTame } from "../../../src/monitor/ingest/report-check.ts";
import { reportSchema } from "../../../src/monitor/base/report-schema.ts";
import { spoiltExample } from "./report-fixture.ts";

describe("compileCheck", () => {
  it("refuses a schema with rules that it does not know", () => {
    assert.throws(() => compileCheck(z.looseObject({ a: z.string().min(1) })));
    assert.throws(() => compileCheck(z.looseObject({ a: z.union([z.string(), z.number()]) })));
    assert.throws(() => compileCheck(z.strictObject({ a: z.string() })));
  });

  it("accepts and refuses exactly what the schema does", () => {
    const isReport = compileCheck(reportSchema);
    let accepted = 0;
    fc.assert(
      fc.property(spoiltExample(), (payload) => {
        const value: unknown = JSON.parse(JSON.stringify(payload));
        const expected = reportSchema.safeParse(value).success && isTame(value, 1);
        assert.equal(isReport(value), expected);
        if (expected) accepted += 1;
      }),
      { numRuns: 2_000 },
    );
    assert.ok(accepted > 100 && accepted < 1_900, `${accepted} of 2,000 were accepted`);
  });
});
