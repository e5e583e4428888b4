/** The end of a domain is kept with the state of its check: in the API, the metrics, and across restarts. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AlertRuleView } from "../../../src/monitor/alerts/http/alert-view.ts";
import type { CheckView } from "../../../src/monitor/checks/view-schema.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { createTestStore } from "../fixtures.ts";
import { type CheckBench, createCheckBench } from "./check-bench.ts";

const target = { kind: "domain", domain: "www.example.org" };
const registration = { domain: "example.org", expiresAt: Date.parse("2026-02-20T04:00:00Z") };
const expires = { domain: "example.org", expiresAt: "2026-02-20T04:00:00.000+00:00" };

/** A domain has no host: the bench answers for "". */
function answer({ targets }: CheckBench, result: object): void {
  targets.answers.set("", { detail: "", ...result });
}

async function view({ app }: CheckBench, id: string): Promise<CheckView> {
  // `as`: the fixture checks answers against the OpenAPI document.
  return (await (await app.admin("GET", `/api/admin/checks/${id}`)).json()) as CheckView;
}

async function kindsOfRules({ app }: CheckBench): Promise<readonly string[]> {
  const { items } = (await (await app.admin("GET", "/api/admin/alert-rules")).json()) as {
    items: AlertRuleView[];
  };
  return items.map(({ kind, ...rule }) => ("daysAhead" in rule ? `${kind} ${rule.daysAhead}` : kind));
}

describe("the end of a domain", () => {
  it("is in the check's view, in the metrics, and still known after a restart", async () => {
    const [store, clock] = [createTestStore(), createFixedClock()];
    const first = await createCheckBench({ store, clock });
    answer(first, { registration });
    const { id } = await first.make("Domain", { target });
    await first.pass(1);
    const { standing } = await view(first, id);
    assert.deepEqual([standing.state, standing.registration], ["up", expires]);
    const metrics = await (await first.app.admin("GET", "/metrics")).text();
    const seconds = registration.expiresAt / 1_000;
    assert.match(
      metrics,
      new RegExp(
        `^trivet_check_domain_end_timestamp_seconds\\{check="${id}",name="Domain"\\} ${seconds}$`,
        "mu",
      ),
    );
    const expiresAt = Date.parse("2027-02-20T04:00:00Z");
    answer(first, { registration: { ...registration, expiresAt } });
    await first.pass(60);
    const second = await createCheckBench({ store, clock });
    const kept = (await view(second, id)).standing.registration;
    assert.deepEqual(kept, { domain: "example.org", expiresAt: "2027-02-20T04:00:00.000+00:00" });
  });

  it("stays known while the registry gives none, and follows a renewal", async () => {
    const bench = await createCheckBench();
    answer(bench, { registration });
    const { id } = await bench.make("Domain", { target });
    answer(bench, { fault: "not_judged" });
    await bench.pass(60);
    const silent = (await view(bench, id)).standing;
    assert.deepEqual([silent.state, silent.registration], ["unknown", expires]);
    const expiresAt = Date.parse("2027-02-20T04:00:00Z");
    answer(bench, { registration: { ...registration, expiresAt } });
    await bench.pass(60);
    assert.equal((await view(bench, id)).standing.registration?.expiresAt, "2027-02-20T04:00:00.000+00:00");
  });

  it("is no outage: a new check fails only once the domain has expired, and an owner may ask for more", async () => {
    const bench = await createCheckBench();
    const { id, target: made } = await bench.make("Domain", { target });
    assert.deepEqual(made, { ...target, days: 0, server: "" });
    const strict = await bench.make("Strict", { target: { ...target, days: 14 } });
    const renamed = await bench.app.admin("PATCH", `/api/admin/checks/${strict.id}`, { name: "Renamed" });
    assert.equal(((await renamed.json()) as CheckView).target.kind, "domain");
    assert.deepEqual((await view(bench, strict.id)).target, { ...target, days: 14, server: "" });
    assert.deepEqual((await view(bench, id)).target, { ...target, days: 0, server: "" });
  });
});

describe("the rule about domains", () => {
  it("comes with the first check of a domain that is not down before the end", async () => {
    const bench = await createCheckBench();
    await bench.make("Website");
    assert.deepEqual(await kindsOfRules(bench), ["check", "certificate 14"]);
    await bench.make("Strict", { target: { ...target, days: 14 } });
    assert.deepEqual(await kindsOfRules(bench), ["check", "certificate 14"]);
    await bench.make("Domain", { target });
    assert.deepEqual(await kindsOfRules(bench), ["check", "certificate 14", "domain 30"]);
  });

  it("comes with the first check of all, once, and not again after it was deleted", async () => {
    const bench = await createCheckBench();
    await bench.make("Domain", { target });
    assert.deepEqual(await kindsOfRules(bench), ["check", "certificate 14", "domain 30"]);
    const { items } = (await (await bench.app.admin("GET", "/api/admin/alert-rules")).json()) as {
      items: AlertRuleView[];
    };
    const [, , added] = items;
    await bench.app.admin("DELETE", `/api/admin/alert-rules/${added?.id}`);
    await bench.make("Another", { target: { ...target, domain: "example.com" } });
    assert.deepEqual(await kindsOfRules(bench), ["check", "certificate 14"]);
  });
});
