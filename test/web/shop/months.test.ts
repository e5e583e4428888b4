/** Months of invoices. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { monthOf, toMonths } from "../../../src/web/shop/invoices/months.ts";

describe("months of invoices", () => {
  it("are whole, the newest first, also over the turn of a year", () => {
    const months = toMonths(new Date(2028, 2, 31, 12).getTime(), 4);
    assert.deepEqual(
      months.map(({ from, to }) => [from, to]),
      [
        ["2028-03-01", "2028-03-31"],
        ["2028-02-01", "2028-02-29"],
        ["2028-01-01", "2028-01-31"],
        ["2027-12-01", "2027-12-31"],
      ],
    );
  });

  it("are known again by their days, and other days are none", () => {
    assert.equal(monthOf("2028-02-01", "2028-02-29"), "2028-02-01");
    assert.equal(monthOf("2028-02-01", "2028-02-28"), undefined);
    assert.equal(monthOf("2028-02-02", "2028-02-29"), undefined);
    assert.equal(monthOf("", ""), "");
  });
});
