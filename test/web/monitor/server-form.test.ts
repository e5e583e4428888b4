/** A server's form: what it shows, what it means, and what it refuses. */
import "../resource/browser.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  type ServerFields,
  serverChangeSchema,
  serverFieldsSchema,
} from "../../../src/monitor/base/schema.ts";
import { serverForm } from "../../../src/web/monitor/servers/server-form.tsx";
import { makeForm, nestFields, pickFields, readForm, toTyped } from "../../../src/web/ui/resource/form.ts";
import { type Form, type Typed, isTypedGroup } from "../../../src/web/ui/resource/kind.ts";

const context = { server: undefined, groups: [], tags: [], providers: [] };
const form = makeForm(serverForm);
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
  dependsOn: ["chk_router", "web-0"],
  mute: { until: "2027-01-01T00:00:00.123Z" },
});

const toForm = (fields: ServerFields): Form => toTyped(form, pickFields(form, fields), context);

/** What is sent when this is typed into the form of `fields`; members of what is named in `change` stay. */
function read(fields: ServerFields, change: Readonly<Record<string, Typed>> = {}) {
  const typed = toForm(fields);
  const changed = Object.entries(change).map(([name, value]): [string, Typed] => {
    const before = typed[name];
    const isPart = isTypedGroup(before) && isTypedGroup(value);
    return [name, isPart ? { ...before, ...value } : value];
  });
  const all = { ...typed, ...Object.fromEntries(changed) };
  return readForm(form, all, { context, before: pickFields(form, fields) });
}

function faultsOf(change: Readonly<Record<string, Typed>>): unknown[] {
  const parsed = read(full, change);
  return parsed.ok ? [] : [...parsed.faults];
}

describe("a server's form", () => {
  for (const [name, fields] of [
    ["a plain server", plain],
    ["one with everything", full],
    ["one that is muted for good", { ...plain, mute: {} }],
  ] as const) {
    it(`sends exactly what it shows: ${name}`, () => {
      const parsed = read(fields);
      assert.ok(parsed.ok);
      const { usedOffsetBytes: _kept, ...traffic } = fields.traffic;
      const absent = { billing: null, dependsOn: [], mute: null };
      assert.deepEqual(nestFields(parsed.fields), { ...absent, ...fields, traffic });
    });
  }

  it("sends what the monitor's schema takes", () => {
    const parsed = read(plain, {
      billing: { on: true, price: "9,99", currency: "usd", expires: "2027-02-28" },
    });
    assert.ok(parsed.ok);
    const { billing } = serverChangeSchema.parse(nestFields(parsed.fields));
    assert.equal(billing?.priceMinor, 999);
    assert.equal(billing.currency, "USD");
  });

  it("removes billing, limit and mute", () => {
    const parsed = read(full, {
      billing: { on: false },
      "traffic/limitBytes": { value: " " },
      mute: { choice: "off" },
    });
    assert.ok(parsed.ok);
    const fields = nestFields(parsed.fields);
    assert.deepEqual([fields["billing"], fields["mute"]], [null, null]);
    assert.deepEqual(fields["traffic"], {
      limitBytes: 0,
      mode: "max",
      resetDay: 31,
      timeZone: "Europe/Berlin",
    });
  });

  it("names the field that is wrong by its pointer", () => {
    assert.deepEqual(faultsOf({ name: "  " }), [["/name", "admin.fault.name"]]);
    assert.deepEqual(faultsOf({ billing: { price: "x" } }), [["/billing/priceMinor", "admin.fault.price"]]);
    assert.deepEqual(faultsOf({ billing: { currency: "EURO" } }), [
      ["/billing/currency", "admin.fault.currency"],
    ]);
    assert.deepEqual(faultsOf({ billing: { count: "0" } }), [["/billing/cycle/n", "admin.fault.cycle"]]);
    assert.deepEqual(faultsOf({ billing: { expires: "2027-02-30" } }), [
      ["/billing/expiresAt", "admin.fault.date"],
    ]);
    assert.deepEqual(faultsOf({ "traffic/limitBytes": { value: "much" } }), [
      ["/traffic/limitBytes", "admin.fault.bytes"],
    ]);
    assert.deepEqual(faultsOf({ "traffic/resetDay": "32" }), [["/traffic/resetDay", "admin.fault.day"]]);
    assert.deepEqual(faultsOf({ mute: { until: "" } }), [["/mute/until", "admin.fault.moment"]]);
    assert.deepEqual(faultsOf({ billing: { on: false, price: "x" } }), []);
    const many = Array.from({ length: 17 }, (_none, index) => `tag ${index}`);
    assert.equal(faultsOf({ tags: many }).length, 1);
  });

  it("never makes what the schema refuses, whatever is typed into its numbers", () => {
    const typed = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.constantFrom("1.5", "1,5", "1e3", "-0", "٣"),
    );
    fc.assert(
      fc.property(typed, typed, typed, typed, (price, count, value, resetDay) => {
        const parsed = read(full, {
          billing: { price, count },
          "traffic/limitBytes": { value },
          "traffic/resetDay": resetDay,
        });
        if (parsed.ok) serverChangeSchema.parse(nestFields(parsed.fields));
      }),
    );
  });

  it("asks for every field of its schema", () => {
    const top = [...form.fields.keys()].map((name) => name.replace(/\/.*$/u, ""));
    assert.deepEqual([...new Set(top)].toSorted(), Object.keys(serverChangeSchema.shape).toSorted());
    assert.deepEqual(
      form.panels.flatMap(({ rows }) => rows.flat()).toSorted(),
      [...form.fields.keys()].toSorted(),
    );
  });
});
