/** The form of an alert rule: what it shows, what it means, and what it refuses. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  type AlertRuleFields,
  alertRuleFieldsSchema,
  ruleKindNames,
} from "../../../src/monitor/alerts/schema.ts";
import { ruleForms, ruleKinds } from "../../../src/monitor/alerts/kinds/kinds.ts";
import { metricNames } from "../../../src/monitor/base/metrics.ts";
import { toGoodRules } from "../../../src/web/monitor/alerts/rule-data.ts";
import {
  type RuleForm,
  newRule,
  parseRuleForm,
  toRuleForm,
  toSpanFields,
  toValueKey,
} from "../../../src/web/monitor/alerts/rule-form.ts";

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

/** The form with other values typed into it. */
function typing(values: Record<string, string>, kind: RuleForm["kind"] = "offline"): RuleForm {
  const typed = Object.entries(values).map(([name, value]) => [toValueKey(kind, name), value]);
  return { ...newRule, name: "x", kind, values: { ...newRule.values, ...Object.fromEntries(typed) } };
}

describe("the form of an alert rule", () => {
  for (const rule of rules)
    it(`gives back exactly what it shows: ${rule.name}`, () => {
      assert.deepEqual(parseRuleForm(toRuleForm(rule)), { ok: true, fields: rule });
    });

  it("begins with values that the schema takes, for every kind", () => {
    for (const kind of ruleKindNames) {
      const parsed = parseRuleForm({ ...newRule, name: "x", kind });
      assert.ok(parsed.ok);
      assert.equal(alertRuleFieldsSchema.parse(parsed.fields).kind, kind);
      const values = new Map<string, unknown>(Object.entries(parsed.fields));
      for (const { name, initial } of ruleForms[kind].fields)
        assert.equal(values.get(name), initial, `${kind} ${name}`);
    }
  });

  it("keeps what was typed for a kind while another one is chosen", () => {
    const form = typing({ graceSeconds: "5", "graceSeconds.unit": "min" });
    const other = parseRuleForm({ ...form, kind: "check" });
    assert.ok(other.ok && other.fields.kind === "check");
    assert.equal(other.fields.graceSeconds, 0);
    const parsed = parseRuleForm(form);
    assert.ok(parsed.ok && parsed.fields.kind === "offline");
    assert.equal(parsed.fields.graceSeconds, 300);
  });

  it("asks for every parameter of each kind, and suggests rules that the schema takes", () => {
    for (const kind of ruleKindNames)
      assert.deepEqual(
        ruleForms[kind].fields.map(({ name }) => name).sort(),
        Object.keys(ruleKinds[kind].parameters()).sort(),
      );
    for (const rule of toGoodRules(["server", "check"]))
      assert.deepEqual(alertRuleFieldsSchema.parse(rule), rule);
  });

  it("suggests no rule that goes on and off where a share wavers around its threshold", () => {
    const shares = toGoodRules(["server", "check"]).flatMap((rule) =>
      rule.kind === "metric" && rule.metric.endsWith("Percent") ? [rule] : [],
    );
    assert.deepEqual(
      shares.map(({ metric, recoverBy, recoverSeconds }) => [metric, recoverBy > 0, recoverSeconds > 0]),
      [
        ["disk.fullestPercent", true, true],
        ["memory.usedPercent", true, true],
      ],
    );
  });

  it("names the field that is wrong by its pointer", () => {
    assert.deepEqual(faultsOf({ name: " " }), ["/name"]);
    assert.deepEqual(faultsOf(typing({ graceSeconds: "1.5" })), ["/graceSeconds"]);
    assert.deepEqual(faultsOf(typing({ graceSeconds: "25", "graceSeconds.unit": "h" })), ["/graceSeconds"]);
    const metric = "disk.usedBytes";
    const empty = typing({ forSeconds: "", threshold: "" }, "metric");
    assert.deepEqual(faultsOf(empty), ["/threshold", "/forSeconds"]);
    assert.deepEqual(faultsOf(typing({ metric, threshold: " " }, "metric")), ["/threshold"]);
    assert.deepEqual(faultsOf(typing({ metric, threshold: "-1" }, "metric")), ["/threshold"]);
    assert.deepEqual(faultsOf(typing({ daysAhead: "366" }, "expiry")), ["/daysAhead"]);
    assert.deepEqual(faultsOf(typing({ percentOfLimit: "0" }, "traffic")), ["/percentOfLimit"]);
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
    const kind = fc.constantFrom(...ruleKindNames);
    fc.assert(
      fc.property(kind, typed, typed, fc.constantFrom(...metricNames), (one, text, span, metric) => {
        const numbers = { threshold: text, daysAhead: text, percentOfLimit: text };
        const spans = { graceSeconds: span, forSeconds: span };
        const parsed = parseRuleForm(typing({ metric, ...numbers, ...spans }, one));
        if (parsed.ok) alertRuleFieldsSchema.parse(parsed.fields);
      }),
    );
  });
});
