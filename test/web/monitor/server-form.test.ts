/** A server's form: what it shows, what it means, and what it refuses. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { serverFieldsSchema, type ServerFields } from "../../../src/monitor/base/schema.ts";
import { parseServerForm, toServerForm } from "../../../src/web/monitor/servers/server-form.ts";

const plain: ServerFields = serverFieldsSchema.parse({ name: "Web 1" });
const full: ServerFields = serverFieldsSchema.parse({
  name: "Web 1",
  group: "Frankfurt",
  tags: ["web", "edge"],
  hidden: true,
  note: "rack 4\nslot 2",
  region: "DE",
  billing: {
    priceMinor: 1_250,
    currency: "EUR",
    cycle: { n: 3, unit: "month" },
    expiresAt: "2027-01-31T10:20:30.400+01:00",
    autoRenew: true,
  },
  traffic: {
    limitBytes: 1_500_000_000_000,
    mode: "max",
    resetDay: 31,
    timeZone: "Europe/Berlin",
    usedOffsetBytes: -7,
  },
  mute: { until: "2027-01-01T00:00:00.123Z" },
});

function faultsOf(change: Partial<ReturnType<typeof toServerForm>>): [string, string][] {
  const parsed = parseServerForm({ ...toServerForm(full), ...change }, full);
  return parsed.ok ? [] : [...parsed.faults];
}

describe("a server's form", () => {
  for (const [name, fields] of [
    ["a plain server", plain],
    ["one with everything", full],
    ["one that is muted for good", { ...plain, mute: {} }],
  ] as const) {
    it(`gives back exactly what it shows: ${name}`, () => {
      assert.deepEqual(parseServerForm(toServerForm(fields), fields), { ok: true, fields });
    });
  }

  it("means what the monitor's schema takes", () => {
    const form = {
      ...toServerForm(plain),
      hasBilling: true,
      price: "9,99",
      currency: "usd",
      expires: "2027-02-28",
    };
    const parsed = parseServerForm(form, plain);
    assert.ok(parsed.ok);
    assert.deepEqual(serverFieldsSchema.parse(parsed.fields), parsed.fields);
    assert.equal(parsed.fields.billing?.priceMinor, 999);
    assert.equal(parsed.fields.billing.currency, "USD");
  });

  it("takes billing, limit and mute away", () => {
    const parsed = parseServerForm(
      { ...toServerForm(full), hasBilling: false, limit: " ", mute: "off" },
      full,
    );
    assert.ok(parsed.ok);
    assert.ok(!("billing" in parsed.fields) && !("mute" in parsed.fields));
    assert.equal(parsed.fields.traffic.limitBytes, 0);
    assert.equal(parsed.fields.traffic.usedOffsetBytes, -7);
  });

  it("names the field that is wrong by its pointer", () => {
    assert.deepEqual(faultsOf({ name: "  " }), [["/name", "admin.fault.name"]]);
    assert.deepEqual(faultsOf({ price: "x" }), [["/billing/priceMinor", "admin.fault.price"]]);
    assert.deepEqual(faultsOf({ currency: "EURO" }), [["/billing/currency", "admin.fault.currency"]]);
    assert.deepEqual(faultsOf({ cycleCount: "0" }), [["/billing/cycle/n", "admin.fault.cycle"]]);
    assert.deepEqual(faultsOf({ expires: "2027-02-30" }), [["/billing/expiresAt", "admin.fault.date"]]);
    assert.deepEqual(faultsOf({ limit: "much" }), [["/traffic/limitBytes", "admin.fault.bytes"]]);
    assert.deepEqual(faultsOf({ resetDay: "32" }), [["/traffic/resetDay", "admin.fault.day"]]);
    assert.deepEqual(faultsOf({ muteUntil: "" }), [["/mute/until", "admin.fault.moment"]]);
    assert.deepEqual(faultsOf({ hasBilling: false, price: "x" }), []);
  });

  it("never makes what the schema refuses, whatever is typed into its numbers", () => {
    const typed = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.constantFrom("1.5", "1,5", "1e3", "-0", "٣"),
    );
    fc.assert(
      fc.property(typed, typed, typed, typed, (price, cycleCount, limit, resetDay) => {
        const parsed = parseServerForm({ ...toServerForm(full), price, cycleCount, limit, resetDay }, full);
        if (parsed.ok) serverFieldsSchema.parse(parsed.fields);
      }),
    );
  });
});
