import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { quietHoursSchema } from "../../../src/monitor/base/schema.ts";

describe("quiet hours", () => {
  it("must begin and end at different times of day", () => {
    for (const hours of [
      { from: "22:00", to: "22:00" },
      { from: "24:00" },
      { to: "7:00" },
      { timeZone: "Mars" },
    ])
      assert.equal(quietHoursSchema.safeParse(hours).success, false);
    assert.equal(quietHoursSchema.safeParse({}).success, true);
  });
});
