/** Ends of paid time, table by table. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Billing, findNextExpiry, findReminderDate } from "../../../src/monitor/fleet/billing.ts";
import { billingSchema } from "../../../src/monitor/base/schema.ts";

const at = (text: string): number => Date.parse(text);

function billing(expiresAt: string | undefined, cycle: string, autoRenew = true): Billing {
  const [n, unit] = cycle.split(" ");
  return billingSchema.parse({
    priceMinor: 500,
    currency: "EUR",
    cycle: { n: Number(n), unit },
    expiresAt,
    autoRenew,
  });
}

/** What it is about, expiresAt, cycle, now, the next end. */
const rows: readonly (readonly [string, string, string, string, string])[] = [
  ["not yet reached", "2026-05-01T00:00:00Z", "1 month", "2026-04-30T23:59:59Z", "2026-05-01T00:00:00Z"],
  ["at the very moment", "2026-05-01T00:00:00Z", "1 month", "2026-05-01T00:00:00Z", "2026-05-01T00:00:00Z"],
  ["a moment later", "2026-05-01T00:00:00Z", "1 month", "2026-05-01T00:00:00.001Z", "2026-06-01T00:00:00Z"],
  [
    "31 January in February",
    "2026-01-31T10:00:00Z",
    "1 month",
    "2026-02-01T00:00:00Z",
    "2026-02-28T10:00:00Z",
  ],
  [
    "and 31 again in March",
    "2026-01-31T10:00:00Z",
    "1 month",
    "2026-03-01T00:00:00Z",
    "2026-03-31T10:00:00Z",
  ],
  ["after February's end", "2026-01-31T10:00:00Z", "1 month", "2026-02-28T10:00:01Z", "2026-03-31T10:00:00Z"],
  ["30 in April", "2026-01-31T10:00:00Z", "1 month", "2026-04-02T00:00:00Z", "2026-04-30T10:00:00Z"],
  ["a leap February", "2023-12-31T00:00:00Z", "1 month", "2024-02-10T00:00:00Z", "2024-02-29T00:00:00Z"],
  ["three months", "2025-11-30T00:00:00Z", "3 month", "2026-01-15T00:00:00Z", "2026-02-28T00:00:00Z"],
  [
    "three months, the next",
    "2025-11-30T00:00:00Z",
    "3 month",
    "2026-03-15T00:00:00Z",
    "2026-05-30T00:00:00Z",
  ],
  ["18 months", "2020-06-15T00:00:00Z", "18 month", "2026-01-01T00:00:00Z", "2026-06-15T00:00:00Z"],
  [
    "a year from a leap day",
    "2024-02-29T12:00:00Z",
    "1 year",
    "2025-02-01T00:00:00Z",
    "2025-02-28T12:00:00Z",
  ],
  ["the leap day again", "2024-02-29T12:00:00Z", "1 year", "2027-06-01T00:00:00Z", "2028-02-29T12:00:00Z"],
  ["1900 was no leap year", "1896-02-29T12:00:00Z", "4 year", "1899-06-01T00:00:00Z", "1900-02-28T12:00:00Z"],
  ["two years", "2020-12-31T23:59:59Z", "2 year", "2026-11-21T00:00:00Z", "2026-12-31T23:59:59Z"],
  ["30 days", "2026-01-31T10:00:00Z", "30 day", "2026-03-02T10:00:01Z", "2026-04-01T10:00:00Z"],
  ["every day", "2026-01-31T10:00:00Z", "1 day", "2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"],
  ["120 days over years", "2000-01-01T00:00:00Z", "120 day", "2026-11-21T00:00:00Z", "2026-12-10T00:00:00Z"],
  [
    "the day of its offset east",
    "2026-01-31T00:30:00+02:00",
    "1 month",
    "2026-02-01T00:00:00Z",
    "2026-02-28T00:30:00+02:00",
  ],
  [
    "the day of its offset west",
    "2026-01-31T23:30:00-05:00",
    "1 month",
    "2026-02-10T00:00:00Z",
    "2026-02-28T23:30:00-05:00",
  ],
  [
    "an offset with minutes",
    "2026-03-31T01:00:00+05:45",
    "1 month",
    "2026-04-15T00:00:00Z",
    "2026-04-30T01:00:00+05:45",
  ],
  [
    "a year of the first century",
    "0050-03-31T00:00:00Z",
    "1 year",
    "2026-01-01T00:00:00Z",
    "2026-03-31T00:00:00Z",
  ],
];

describe("findNextExpiry", () => {
  for (const [what, expiresAt, cycle, now, next] of rows) {
    it(`${what}: ${expiresAt} every ${cycle}, asked at ${now}`, () => {
      const found = findNextExpiry(billing(expiresAt, cycle), at(now));
      assert.equal(new Date(found ?? 0).toISOString(), new Date(next).toISOString());
    });
  }

  it("gives the date itself, also a past one, when it does not renew itself", () => {
    const past = billing("2026-01-31T10:00:00Z", "1 month", false);
    assert.equal(findNextExpiry(past, at("2026-11-21T00:00:00Z")), at("2026-01-31T10:00:00Z"));
  });

  it("gives nothing when nothing says when it ends", () => {
    assert.equal(findNextExpiry(undefined, 0), undefined);
    assert.equal(findNextExpiry(billing(undefined, "1 month"), 0), undefined);
  });

  it("never gives a past time, nor one that is a whole cycle away", () => {
    for (const cycle of ["7 day", "1 month", "5 month", "1 year"]) {
      const renewing = billing("2019-08-31T06:00:00+01:00", cycle);
      const longestMs = cycle === "7 day" ? 7 : cycle === "1 month" ? 31 : cycle === "5 month" ? 153 : 366;
      for (let now = at("2024-01-01T00:00:00Z"); now < at("2028-03-01T00:00:00Z"); now += 5 * 3_600_000) {
        const next = findNextExpiry(renewing, now) ?? 0;
        assert.ok(next >= now && next - now <= longestMs * 86_400_000, `${cycle} at ${now}: ${next}`);
      }
    }
  });
});

describe("findReminderDate", () => {
  it("is the date that a person must act on", () => {
    assert.equal(
      findReminderDate(billing("2026-05-01T00:00:00Z", "1 month", false)),
      at("2026-05-01T00:00:00Z"),
    );
    assert.equal(findReminderDate(billing("2026-05-01T00:00:00Z", "1 month", true)), undefined);
    assert.equal(findReminderDate(billing(undefined, "1 month", false)), undefined);
    assert.equal(findReminderDate(undefined), undefined);
  });
});
