/** What templates get of every kind of notification, by every kind of rule. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type NoticeFacts, factNames } from "../../../src/monitor/channels/kinds/notice.ts";
import {
  findBodyFault,
  renderTemplate,
  templateNames,
} from "../../../src/monitor/channels/kinds/template.ts";
import type { AlertRuleFields } from "../../../src/monitor/alerts/schema.ts";
import { actor } from "../fixtures.ts";
import { type AlertsBench, type Told, CPU, createAlertsBench } from "./alerts-bench.ts";

const many = Array.from({ length: 13 }, (_, index) => `check ${index}`);
const whole = `{${templateNames.map((name) => `"${name}":{{json ${name}}}`).join(",")}}`;

let bench: AlertsBench;

beforeEach(async () => {
  bench = await createAlertsBench();
});

/** A template with every placeholder, filled. */
function fill(told: Told | undefined): Readonly<Record<string, string>> {
  assert.ok(told !== undefined);
  const filled: Record<string, string> = JSON.parse(renderTemplate(whole, told));
  for (const name of factNames) assert.equal(filled[name], told.facts?.[name] ?? "");
  assert.equal(filled["link"], filled["url"]);
  return filled;
}

async function take(): Promise<Readonly<Record<string, string>>> {
  const [told, ...more] = await bench.takeTold();
  assert.deepEqual(more, []);
  return fill(told);
}

describe("placeholders", () => {
  it("are all accepted in a template, and an unknown one is named", () => {
    assert.equal(findBodyFault(whole, "application/json"), undefined);
    assert.match(
      findBodyFault("{{json kye}}", "application/json") ?? "",
      /placeholder "\{\{json kye\}\}".*key, rule/u,
    );
    assert.match(findBodyFault('"{{value}}"', "application/json") ?? "", /must write \{\{json value\}\}/u);
  });

  it("of a check: firing, reminder, escalation, acknowledgement and recovery have one key", async () => {
    const escalation = [{ afterMinutes: 5, channelIds: ["a"] }];
    await bench.rule({ kind: "check", name: "Outage", remindEveryHours: 1, escalation, graceSeconds: 60 });
    bench.checks.add("shop", { group: "Web" });
    bench.checks.up("shop");
    await bench.pass(1);
    bench.checks.down("shop");
    await bench.pass(61);
    const firing = await take();
    assert.deepEqual(
      factNames.map((name) => [name, firing[name]]),
      Object.entries({
        key: bench.alerts.firing()[0]?.id,
        rule: "Outage",
        check: "shop",
        server: "",
        group: "Web",
        value: "connection refused",
        threshold: "1 min",
        duration: "1 min 1 s",
        target: "db.example:5432",
      }),
    );
    await bench.pass(300);
    const escalated = await take();
    await bench.pass(3_600);
    const reminder = await take();
    await bench.alerts.incidents.acknowledge(String(firing["key"]), actor);
    const acknowledged = await take();
    bench.checks.up("shop");
    await bench.pass(1);
    const resolved = await take();
    const all = [firing, escalated, reminder, acknowledged, resolved];
    assert.deepEqual(
      all.map(({ kind }) => kind),
      ["firing", "firing", "reminder", "acknowledged", "resolved"],
    );
    assert.deepEqual(new Set(all.map(({ key }) => key)), new Set([firing["key"]]));
    assert.equal(reminder["duration"], "1 h 6 min");
    assert.match(String(acknowledged["text"]), /^Acknowledged by /u);
  });

  it("of a server: value, threshold and duration in the words of the notification", async () => {
    await bench.rule({ kind: "metric", name: "CPU", metric: CPU, op: ">", threshold: 90, forSeconds: 0 });
    bench.server("web-1", { group: "Frankfurt" });
    bench.up("web-1");
    bench.report("web-1", { "cpu.usagePercent": 97.345 });
    await bench.pass(1);
    const firing = await take();
    const seen = ({ server, group, value, threshold, check }: typeof firing): unknown => ({
      server,
      group,
      value,
      threshold,
      check,
    });
    const known = { server: "web-1", group: "Frankfurt", threshold: "90 %", check: "" };
    assert.deepEqual(seen(firing), { ...known, value: "97.35 %" });
    bench.report("web-1", { "cpu.usagePercent": 40 });
    await bench.pass(1);
    const resolved = await take();
    assert.deepEqual(seen(resolved), { ...known, value: "40 %" });
    assert.equal(resolved["key"], firing["key"]);
  });

  it("of the other kinds of rules have value and threshold where there are some", async () => {
    const day = 86_400_000;
    bench.up("web-1");
    bench.facts.set("web-1", { expiresAt: bench.clock.now() + 3 * day, percent: 85 });
    const rules: readonly (Partial<AlertRuleFields> & { kind: string })[] = [
      { kind: "expiry", name: "expiry" },
      { kind: "traffic", name: "traffic" },
      { kind: "offline", name: "offline" },
    ];
    for (const rule of rules) await bench.rule(rule);
    await bench.pass(61);
    bench.down("web-1");
    await bench.pass(200);
    const amounts = (await bench.takeTold()).map((told) => {
      const { rule, value, threshold } = fill(told);
      return [rule, value, threshold];
    });
    assert.deepEqual(amounts, [
      ["expiry", "2026-02-03", "7 d"],
      ["traffic", "85 %", "80 %"],
      ["offline", "", "2 min"],
    ]);
  });

  it("of several alerts are those that all share, and none is their key", async () => {
    await bench.rule({ kind: "check", name: "Outage" });
    for (const check of many) bench.checks.add(check, { group: "Web" });
    bench.checks.up(...many);
    await bench.pass(1);
    bench.checks.down(...many);
    await bench.pass(40);
    const mass = await take();
    const { key, rule, check, group, value } = mass;
    const shared: Partial<NoticeFacts> = { key: "", rule: "Outage", check: "", group: "Web" };
    assert.deepEqual({ key, rule, check, group }, shared);
    assert.equal(value, "connection refused");
    await bench.quietHours({ from: "00:00", to: "23:59", timeZone: "UTC", exceptCritical: false });
    bench.checks.up(...many);
    await bench.pass(40);
    await bench.quietHours({ enabled: false });
    await bench.pass(1);
    assert.deepEqual(Object.values(await take()).length, templateNames.length);
  });
});
