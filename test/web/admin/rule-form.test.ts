/** The form of an alert rule: what it shows, what it means, and what it refuses. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type AlertRuleFields, alertRuleFieldsSchema } from "../../../src/monitor/alerts/schema.ts";
import { metricNames as monitorMetrics } from "../../../src/monitor/metrics.ts";
import { metricNames } from "../../../src/web/admin/alerts/metric-list.ts";
import {
  type RuleForm,
  newRule,
  parseRuleForm,
  toRuleForm,
  toSpanFields,
} from "../../../src/web/admin/alerts/rule-form.ts";

const rules: AlertRuleFields[] = [
  { kind: "offline", name: "gone", graceSeconds: 120 },
  { kind: "metric", name: "disk", metric: "disk.usedPercent", op: ">", threshold: 90.5, forSeconds: 600 },
  { kind: "metric", name: "net", metric: "network.rxBytesPerSecond", op: ">=", threshold: 1_500_000 },
  { kind: "metric", name: "none", metric: "memory.usedBytes", op: "<=", threshold: 0, forSeconds: 0 },
  { kind: "metric", name: "cold", metric: "temperatures.maxCelsius", op: "<", threshold: -3, forSeconds: 61 },
  { kind: "expiry", name: "soon", daysAhead: 7, scope: { type: "tag", tag: "paid" } },
  { kind: "traffic", name: "much", percentOfLimit: 80, scope: { type: "group", group: "" } },
  {
    kind: "offline",
    name: "two",
    scope: { type: "ids", ids: ["a", "b"] },
    channelIds: ["c"],
    enabled: false,
  },
].map((rule) => alertRuleFieldsSchema.parse(rule));

function faultsOf(change: Partial<RuleForm>): string[] {
  const parsed = parseRuleForm({ ...newRule, name: "x", ...change });
  return parsed.ok ? [] : [...parsed.faults.keys()];
}

describe("the form of an alert rule", () => {
  for (const rule of rules)
    it(`gives back exactly what it shows: ${rule.name}`, () => {
      assert.deepEqual(parseRuleForm(toRuleForm(rule)), { ok: true, fields: rule });
    });

  it("knows every metric of the monitor", () => {
    assert.deepEqual([...metricNames].sort(), [...monitorMetrics].sort());
  });

  it("names the field that is wrong by its pointer", () => {
    assert.deepEqual(faultsOf({ name: " " }), ["/name"]);
    assert.deepEqual(faultsOf({ span: "1.5" }), ["/graceSeconds"]);
    assert.deepEqual(faultsOf({ span: "25", spanUnit: "h" }), ["/graceSeconds"]);
    assert.deepEqual(faultsOf({ kind: "metric", span: "", threshold: "" }), ["/threshold", "/forSeconds"]);
    assert.deepEqual(faultsOf({ kind: "metric", metric: "disk.usedBytes", threshold: " " }), ["/threshold"]);
    assert.deepEqual(faultsOf({ kind: "metric", metric: "disk.usedBytes", threshold: "-1" }), ["/threshold"]);
    assert.deepEqual(faultsOf({ kind: "expiry", daysAhead: "366" }), ["/daysAhead"]);
    assert.deepEqual(faultsOf({ kind: "traffic", percent: "0" }), ["/percentOfLimit"]);
    assert.deepEqual(faultsOf({ scope: "ids" }), ["/scope/ids"]);
    assert.deepEqual(faultsOf({ scope: "tag" }), ["/scope/tag"]);
    assert.deepEqual(faultsOf({}), []);
  });

  it("shows a span in the largest unit in which it is whole, and never another one", () => {
    assert.deepEqual(toSpanFields(7_200), { span: "2", spanUnit: "h" });
    assert.deepEqual(toSpanFields(90), { span: "90", spanUnit: "s" });
    assert.deepEqual(toSpanFields(0), { span: "0", spanUnit: "s" });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_400 }), (graceSeconds) => {
        const rule = alertRuleFieldsSchema.parse({ kind: "offline", name: "x", graceSeconds });
        assert.deepEqual(parseRuleForm(toRuleForm(rule)), { ok: true, fields: rule });
      }),
    );
  });

  it("never makes what the schema refuses, whatever is typed", () => {
    const typed = fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom("1.5", "1,5", "1e3", "-0"));
    const kind = fc.constantFrom("offline", "metric", "expiry", "traffic");
    fc.assert(
      fc.property(kind, typed, typed, fc.constantFrom(...metricNames), (one, text, span, metric) => {
        const parsed = parseRuleForm({
          ...newRule,
          ...{ name: "x", kind: one, metric, threshold: text, daysAhead: text, percent: text, span },
        });
        if (parsed.ok) alertRuleFieldsSchema.parse(parsed.fields);
      }),
    );
  });
});
