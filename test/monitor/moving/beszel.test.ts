/** Servers and alert rules of Beszel: a dry run, the import, and the same file again. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { AlertRuleView } from "../../../src/monitor/alerts/http/alert-view.ts";
import type { ServerImportResult } from "../../../src/monitor/moving/schema.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { code, create } from "../http/requests.ts";

const IMPORT = "/api/admin/servers/import";
const system = (id: string, name: string, more: object = {}): object => ({
  id,
  name,
  host: "10.0.0.5",
  port: "45876",
  status: "up",
  ...more,
});
const alert = (name: string, of: string, value: number, min: number): object => ({
  id: `${name}-${of}-${value}`,
  system: of,
  name,
  value,
  min,
});

describe("import from Beszel", () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await createTestApp({ publicUrl: "https://status.example.org" });
  });
  async function send(body: object): Promise<ServerImportResult> {
    const response = await app.admin("POST", IMPORT, { format: "beszel", ...body });
    assert.equal(response.status, 200);
    return response.json();
  }
  async function listRules(): Promise<readonly AlertRuleView[]> {
    const { items }: { items: AlertRuleView[] } = await (
      await app.admin("GET", "/api/admin/alert-rules")
    ).json();
    return items;
  }
  async function listServers(): Promise<
    readonly { id: string; name: string; disabled: boolean; note: string }[]
  > {
    const answer: { items: { id: string; name: string; disabled: boolean; note: string }[] } = await (
      await app.admin("GET", "/api/admin/servers")
    ).json();
    return answer.items;
  }

  const systems = [
    system("aaa", "web-1"),
    system("bbb", "nas", { host: "/run/beszel.sock", port: "", status: "paused" }),
    system("ccc", "six", { host: "fd00::7" }),
    system("ddd", "", { host: "" }),
  ];

  it("only says what it would do, unless told otherwise", async () => {
    const result = await send({ systems, alerts: [alert("CPU", "aaa", 80, 10)] });
    assert.deepEqual([result.trial, result.servers, result.rules], [true, 3, 1]);
    assert.deepEqual(
      result.systems.map(({ name, address, outcome, notes }) => [name, address, outcome, ...notes]),
      [
        ["web-1", "10.0.0.5:45876", "server"],
        ["nas", "/run/beszel.sock", "server"],
        ["six", "[fd00::7]:45876", "server"],
        ["", ":45876", "left_out", "no_name"],
      ],
    );
    assert.deepEqual(await listServers(), []);
    assert.deepEqual(await listRules(), []);
  });

  it("creates servers with a command each, and one rule for alerts that say the same", async () => {
    const alerts = [
      alert("Status", "aaa", 0, 10),
      alert("CPU", "aaa", 80, 10),
      alert("CPU", "ccc", 80, 10),
      // The same of another user.
      { ...alert("CPU", "aaa", 80, 10), id: "other" },
      alert("CPU", "bbb", 95, 1),
      alert("Bandwidth", "aaa", 2, 5),
      alert("Battery", "aaa", 20, 0),
      alert("Disk", "gone", 90, 10),
      alert("SMART", "aaa", 1, 1),
      { ...alert("Memory", "aaa", 1, 1), value: "much" },
    ];
    const result = await send({ systems, alerts, trial: false });
    const servers = await listServers();
    const idOf = (name: string): string => servers.find((one) => one.name === name)?.id ?? name;
    assert.deepEqual(
      servers.map(({ name, disabled, note }) => [name, disabled, note]),
      [
        ["web-1", false, "Beszel: 10.0.0.5:45876"],
        ["nas", true, "Beszel: /run/beszel.sock"],
        ["six", false, "Beszel: [fd00::7]:45876"],
      ],
    );
    for (const { outcome, command } of result.systems)
      assert.equal(
        command?.startsWith("curl -fsSL https://status.example.org/install.sh | sudo sh -s -- enr_") ?? false,
        outcome === "server",
      );
    assert.deepEqual(
      result.alerts.map(({ name, outcome, servers: count, notes }) => [name, outcome, count, ...notes]),
      [
        ["Beszel: offline for 10 min", "rule", 1],
        ["Beszel: CPU > 80 % for 10 min", "rule", 2, "each_value"],
        ["Beszel: CPU > 95 %", "rule", 1],
        ["Beszel: Bandwidth in > 2 MiB/s for 5 min", "rule", 1, "two_directions", "each_value"],
        ["Beszel: Bandwidth out > 2 MiB/s for 5 min", "rule", 1, "two_directions", "each_value"],
        ["Beszel: Battery < 20 %", "rule", 1],
        ["Beszel: Disk > 90 % for 10 min", "left_out", 0, "no_server"],
        ["Beszel: SMART", "left_out", 1, "no_such_alert"],
        ["Beszel: Memory", "left_out", 1, "bad_value"],
      ],
    );
    const rules = await listRules();
    const offline = rules.find(({ kind }) => kind === "offline");
    assert.ok(offline?.kind === "offline");
    assert.deepEqual([offline.graceSeconds, offline.severity, offline.allChannels], [600, "critical", true]);
    const cpu = rules.find(({ name }) => name === "Beszel: CPU > 80 % for 10 min");
    assert.ok(cpu?.kind === "metric");
    assert.deepEqual(
      [cpu.metric, cpu.op, cpu.threshold, cpu.forSeconds, cpu.scope],
      ["cpu.usagePercent", ">", 80, 600, { type: "ids", ids: [idOf("web-1"), idOf("six")] }],
    );
    const traffic = rules.find(({ name }) => name.startsWith("Beszel: Bandwidth in"));
    assert.ok(traffic?.kind === "metric");
    assert.deepEqual([traffic.metric, traffic.threshold], ["network.rxBytesPerSecond", 2_097_152]);
  });

  it("creates nothing twice, and covers servers that exist by name", async () => {
    await create(app, "mine", { name: "web-1" });
    const first = await send({ systems, alerts: [alert("CPU", "aaa", 80, 10)], trial: false });
    assert.deepEqual([first.servers, first.rules], [2, 1]);
    assert.deepEqual(first.systems[0]?.notes, ["same_name"]);
    assert.deepEqual((await listRules())[0]?.scope, { type: "ids", ids: ["mine"] });
    const again = await send({ systems, alerts: [alert("CPU", "aaa", 80, 10)], trial: false });
    assert.deepEqual([again.servers, again.rules], [0, 0]);
    assert.equal((await listServers()).length, 3);
  });

  it("refuses rows that are none, and who may not change rules", async () => {
    for (const body of [
      { systems: [] },
      { systems: "x" },
      { systems: [{ name: ["a"] }] },
      { systems: [{ name: "x".repeat(501) }] },
      { systems, format: "kuma" },
    ])
      assert.deepEqual(await code(await app.admin("POST", IMPORT, { format: "beszel", ...body })), [
        422,
        "invalid",
      ]);
    const made: { key: string } = await (
      await app.admin("POST", "/api/admin/api-keys", { name: "mover", scopes: ["servers:write"] })
    ).json();
    const ask = (alerts: object[]): Promise<Response> =>
      app.fetch(IMPORT, {
        method: "POST",
        headers: { authorization: `Bearer ${made.key}`, "content-type": "application/json" },
        body: JSON.stringify({ format: "beszel", systems, alerts }),
      });
    assert.deepEqual(await code(await ask([alert("CPU", "aaa", 80, 10)])), [403, "insufficient_scope"]);
    assert.equal((await ask([])).status, 200);
  });
});
