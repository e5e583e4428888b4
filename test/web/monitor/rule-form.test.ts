/** The form of an alert rule: what it shows, what it means, and what it refuses. */
import "../resource/browser.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  type AlertRuleFields,
  alertRuleFieldsSchema,
  ruleKindNames,
} from "../../../src/monitor/alerts/schema.ts";
import english from "../../../src/texts/en/monitor-kinds.json" with { type: "json" };
import { type RuleKindName, ruleKinds } from "../../../src/monitor/alerts/kinds/kinds.ts";
import { metricNames } from "../../../src/monitor/base/metrics.ts";
import { fieldsOf, toGoodRules } from "../../../src/web/monitor/alerts/rule-data.ts";
import { type RuleContext, ruleFields } from "../../../src/web/monitor/alerts/rule-form.tsx";
import { makeForm, pickFields, readForm, toBlank, toTyped } from "../../../src/web/ui/resource/form.ts";
import type { Form } from "../../../src/web/ui/resource/kind.ts";
import { durationKind } from "../../../src/web/ui/resource/span-kinds.tsx";

const form = makeForm(ruleFields);
const context: RuleContext = { servers: [], checks: [], channels: [] };
const newRule: Form = { ...toBlank(form), name: "x" };

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

/** The rule that a form means, or where it means none. */
function parse(typed: Form): AlertRuleFields | string[] {
  const parsed = readForm(form, typed, { context });
  return parsed.ok ? alertRuleFieldsSchema.parse(parsed.fields) : [...parsed.faults.keys()];
}

const show = (rule: AlertRuleFields): Form => toTyped(form, pickFields(form, rule), context);

/** The form with other values typed into it. */
function typing(values: Form, kind: RuleKindName = "offline"): Form {
  return { ...newRule, kind, [kind]: { ...(newRule[kind] as Form), ...values } };
}

const seconds = (number: string, unit = "s"): Form => ({ number, unit });
const bytes = (number: string): Form => ({ number, unit: "GB" });

describe("the form of an alert rule", () => {
  for (const rule of rules)
    it(`gives back exactly what it shows: ${rule.name}`, () => {
      assert.deepEqual(parse(show(rule)), rule);
    });

  it("begins with values that the schema takes, for every kind", () => {
    for (const kind of ruleKindNames) {
      const rule = parse({ ...newRule, kind });
      assert.ok(!Array.isArray(rule) && rule.kind === kind);
      const values = new Map<string, unknown>(Object.entries(rule));
      for (const [name, { initial = false }] of fieldsOf(kind))
        assert.equal(values.get(name), initial, `${kind} ${name}`);
    }
  });

  it("keeps what was typed for a kind while another one is chosen", () => {
    const typed = typing({ graceSeconds: seconds("5", "min") });
    const other = parse({ ...typed, kind: "check" });
    assert.ok(!Array.isArray(other) && other.kind === "check");
    assert.equal(other.graceSeconds, 0);
    const rule = parse(typed);
    assert.ok(!Array.isArray(rule) && rule.kind === "offline");
    assert.equal(rule.graceSeconds, 300);
  });

  it("forgets chosen servers when a kind is chosen that watches checks", () => {
    const typed = { ...newRule, scope: { type: "ids", group: "", tag: "", ids: ["web-1"], of: "server" } };
    const rule = parse(typed);
    assert.deepEqual(!Array.isArray(rule) && rule.scope, { type: "ids", ids: ["web-1"] });
    assert.deepEqual(parse({ ...typed, kind: "check" }), ["/scope/ids"]);
  });

  it("has words for every field of every kind", () => {
    const known: object = english;
    const names = ruleKindNames.flatMap((kind) => fieldsOf(kind).map(([name]) => `rule.${kind}.${name}`));
    assert.deepEqual(
      names.filter((name) => !(name in known)),
      [],
    );
  });

  it("asks for every parameter of each kind, and suggests rules that the schema takes", () => {
    for (const kind of ruleKindNames)
      assert.deepEqual(
        fieldsOf(kind)
          .map(([name]) => name)
          .sort(),
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
    assert.deepEqual(parse({ ...newRule, name: " " }), ["/name"]);
    assert.deepEqual(parse({ ...newRule, remindEveryHours: "169" }), ["/remindEveryHours"]);
    assert.deepEqual(parse(typing({ graceSeconds: seconds("1.5") })), ["/graceSeconds"]);
    assert.deepEqual(parse(typing({ graceSeconds: seconds("25", "h") })), ["/graceSeconds"]);
    const metric = "disk.usedBytes";
    const empty = { forSeconds: seconds(""), threshold: bytes("") };
    assert.deepEqual(parse(typing(empty, "metric")), ["/threshold", "/forSeconds"]);
    assert.deepEqual(parse(typing({ metric, threshold: bytes(" ") }, "metric")), ["/threshold"]);
    assert.deepEqual(parse(typing({ metric, threshold: bytes("-1") }, "metric")), ["/threshold"]);
    assert.deepEqual(parse(typing({ recoverBy: bytes("-1") }, "metric")), ["/recoverBy"]);
    assert.deepEqual(parse(typing({ daysAhead: "366" }, "expiry")), ["/daysAhead"]);
    assert.deepEqual(parse(typing({ percentOfLimit: "0" }, "traffic")), ["/percentOfLimit"]);
    assert.deepEqual(parse({ ...newRule, scope: { type: "ids" } }), ["/scope/ids"]);
    assert.deepEqual(parse({ ...newRule, scope: { type: "tag" } }), ["/scope/tag"]);
    assert.ok(!Array.isArray(parse(newRule)));
  });

  it("shows a span in the largest unit in which it is whole, and never another one", () => {
    const kind = durationKind({ kind: "duration" });
    const at = { form: {}, context: undefined, words: "" };
    assert.deepEqual(kind.toTyped(7_200, at), { number: "2", unit: "h" });
    assert.deepEqual(kind.toTyped(90, at), { number: "90", unit: "s" });
    assert.deepEqual(kind.toTyped(0, at), { number: "0", unit: "s" });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_400 }), (graceSeconds) => {
        const rule = alertRuleFieldsSchema.parse({ kind: "offline", name: "x", graceSeconds });
        assert.deepEqual(parse(show(rule)), rule);
      }),
    );
  });

  it("never makes what the schema refuses, whatever is typed", () => {
    const typed = fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom("1.5", "1,5", "1e3", "-0"));
    const kind = fc.constantFrom(...ruleKindNames);
    fc.assert(
      fc.property(kind, typed, typed, fc.constantFrom(...metricNames), (one, text, span, metric) => {
        const numbers = { threshold: bytes(text), daysAhead: text, percentOfLimit: text };
        const spans = { graceSeconds: seconds(span), forSeconds: seconds(span) };
        parse(typing({ metric, ...numbers, ...spans }, one));
      }),
    );
  });
});
