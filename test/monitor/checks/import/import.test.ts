import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type TestApp, createTestApp } from "../../app-fixture.ts";
import { checks } from "../../../../src/monitor/checks/records.ts";
import { gatusConfig } from "./gatus-config.ts";
import { kumaBackup, kumaMonitors } from "./kuma-backup.ts";

const IMPORT = "/api/admin/checks/import";

interface Entry {
  readonly name: string;
  readonly outcome: string;
  readonly check?: {
    id?: string;
    group: string;
    tags: string[];
    kind: string;
    target: string;
    keepsToken: boolean;
  };
  readonly notes: { code: string; value?: string; message: string }[];
}

interface Result {
  readonly trial: boolean;
  readonly checks: number;
  readonly entries: Entry[];
  readonly leftOut: string[];
}

async function send(app: TestApp, body: object): Promise<Result> {
  const response = await app.admin("POST", IMPORT, body);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  // `as`: the shape is what the contract of the suite checks.
  return JSON.parse(text) as Result;
}

/** "check tcp db.example:5432 [needs_ping]" by name. */
function say({ entries }: Result): Record<string, string> {
  return Object.fromEntries(
    entries.map(({ name, outcome, check, notes }) => [
      name,
      [
        outcome,
        check?.kind,
        check?.target,
        ...notes.map(({ code, value }) => `[${code}${value === undefined ? "" : ` ${value}`}]`),
      ]
        .filter((part) => part !== undefined)
        .join(" "),
    ]),
  );
}

async function detailsOf(app: TestApp): Promise<Map<string, Record<string, unknown>>> {
  const response = await app.admin("GET", "/api/admin/checks?limit=100");
  const page: { items: ({ name: string } & Record<string, unknown>)[] } = await response.json();
  return new Map(page.items.map((item) => [item.name, item]));
}

describe("import of Uptime Kuma's monitors", () => {
  it("makes checks of their own kind of Kuma's databases, mail servers, brokers and WebSockets", async () => {
    const shared = { interval: 60, active: true };
    const monitorList = [
      {
        type: "mysql",
        databaseConnectionString: "mysql://bob:p%40ss@db.example.org:3307/shop",
        databaseQuery: "SELECT 1",
      },
      { type: "redis", databaseConnectionString: "rediss://:s3cret@[2001:db8::1]" },
      {
        type: "postgres",
        databaseConnectionString: "postgres://db.example.org?sslmode=require",
        databaseQuery: "SELECT n FROM t",
      },
      { type: "smtp", hostname: "mail.example.org", port: 465, smtpSecurity: "secure" },
      {
        type: "mqtt",
        hostname: "mqtts://mqtt.example.org",
        mqttUsername: "bob",
        mqttPassword: "x",
        mqttTopic: "a",
      },
      {
        type: "websocket-upgrade",
        url: "wss://example.org/feed",
        wsSubprotocol: "mqtt, other",
        ignoreTls: true,
      },
    ].map((monitor) => ({ ...shared, name: monitor.type, ...monitor }));
    const app = await createTestApp();
    const result = await send(app, { format: "kuma", text: JSON.stringify({ monitorList }), trial: false });
    assert.deepEqual(say(result), {
      mysql: "check database MySQL db.example.org:3307",
      redis: "check database Redis [2001:db8::1]:6379",
      postgres: "check database PostgreSQL db.example.org:5432 [connection_only a query]",
      smtp: "check mail SMTP mail.example.org:465",
      mqtt: "check mqtt MQTT mqtt.example.org:8883 [connection_only a message]",
      "websocket-upgrade": "check websocket WebSocket example.org/feed",
    });
    const { items } = await app.store.read((tx) => tx.list(checks, "id", { limit: 100 }));
    const stored = new Map(items.map(({ name, target }) => [name, JSON.stringify(target)]));
    for (const [name, ...parts] of [
      ["mysql", '"user":"bob"', '"tls":false', '"port":3307'],
      ["redis", '"tls":true'],
      ["postgres", '"tls":true'],
      ["smtp", '"security":"tls"'],
      ["mqtt", '"username":"bob"', '"tls":true'],
      ["websocket-upgrade", '"subprotocol":"mqtt"', '"ignoresCertificate":true'],
    ])
      for (const part of parts)
        assert.ok(stored.get(name ?? "")?.includes(part), `${name} ${part} ${stored.get(name ?? "")}`);
    assert.doesNotMatch([...stored.values()].join(" "), /p@ss|s3cret/u);
  });

  it("checks each domain once that monitors remind of", async () => {
    const wanted = { type: "http", domainExpiryNotification: true, active: true };
    const monitorList = [
      { ...wanted, name: "Shop", url: "https://shop.example.co.uk/a" },
      { ...wanted, name: "Blog", url: "https://blog.example.co.uk/" },
      { ...wanted, name: "Port", type: "port", url: "https://", hostname: "db.example.com", port: 5432 },
      { ...wanted, name: "Address", url: "http://192.0.2.1/" },
      { ...wanted, name: "Paused", url: "https://paused.example.net/", active: false },
      { ...wanted, name: "Plain", url: "https://example.org/", domainExpiryNotification: false },
    ];
    const app = await createTestApp();
    const result = await send(app, { format: "kuma", text: JSON.stringify({ monitorList }), trial: false });
    assert.deepEqual(Object.entries(say(result)).slice(monitorList.length), [
      ["Domain example.co.uk", "check domain domain example.co.uk"],
      ["Domain example.com", "check domain domain example.com"],
    ]);
    const made = (await detailsOf(app)).get("Domain example.com") ?? {};
    assert.deepEqual(made["target"], { kind: "domain", domain: "example.com", days: 0, server: "" });
    assert.equal(made["intervalSeconds"], 21_600);
  });

  it("says of every entry of a backup what it becomes, and makes nothing on trial", async () => {
    const app = await createTestApp();
    const result = await send(app, { format: "kuma", text: JSON.stringify(kumaBackup) });
    assert.deepEqual(say(result), {
      Public: "check group Public [group_members 1] [no_retries]",
      Shop: "check http GET shop.example.org [fewer_redirects 10]",
      API: "check http POST api.example.org/v1 [no_proxy] [fewer_redirects 10]",
      Database: "check tcp db.example.org:5432",
      Router: "check ping ping 192.0.2.1 [needs_ping]",
      MX: "check dns MX example.org at 1.1.1.1:53",
      Backup: "check heartbeat every 3600 s",
      "Old push": "check heartbeat every 60 s",
      "Odd push": "check heartbeat every 60 s [token_unfit]",
      Container: "check container container web on docker-host-2 [choose_server]",
      Query: "check database PostgreSQL pg.example.org:5432",
      Game: "left_out [no_such_kind steam]",
    });
    assert.deepEqual([result.trial, result.checks, result.leftOut], [true, 11, ["notificationList"]]);
    assert.doesNotMatch(JSON.stringify(result), /secret|geheim|123:/u);
    assert.equal((await detailsOf(app)).size, 0);
  });

  it("creates the checks with all their settings, and keeps push tokens", async () => {
    const app = await createTestApp();
    const result = await send(app, { format: "kuma", text: JSON.stringify(kumaBackup), trial: false });
    assert.equal(result.entries.filter(({ check }) => check?.id !== undefined).length, 11);
    const made = await detailsOf(app);
    const shop = made.get("Shop") ?? {};
    assert.deepEqual(
      [
        shop["group"],
        shop["tags"],
        shop["note"],
        shop["failures"],
        shop["retrySeconds"],
        shop["timeoutSeconds"],
      ],
      ["Public", ["web", "tier: gold"], "The front page", 1, 30, 48],
    );
    const api = made.get("API") ?? {};
    assert.deepEqual([api["inverted"], api["paused"], api["failures"]], [true, true, 4]);
    const target = api["target"] as Record<string, unknown>;
    assert.deepEqual(
      [target["method"], target["statuses"], target["ignoresCertificate"], target["body"]],
      ["POST", "200-299, 401", true, '{"a":1}'],
    );
    assert.deepEqual(target["headers"], [
      { name: "X-Key", valueSet: true },
      { name: "Host", valueSet: true },
      { name: "Content-Type", valueSet: true },
    ]);
    assert.deepEqual([target["auth"], target["password"]], ["basic", true]);
    const shopTarget = shop["target"] as Record<string, unknown>;
    assert.deepEqual([shopTarget["contains"], shopTarget["certificateDays"]], ["Welcome", 0]);
    assert.equal(made.get("Backup")?.["pingKey"], "Zk3pQx81aB7cD0eF2gH4iJ6kL8mN0oPq");
    assert.equal(made.get("Old push")?.["pingKey"], "a1B2c3D4e5");
    assert.notEqual(made.get("Odd push")?.["pingKey"], "a b");
    const { items } = await app.store.read((tx) => tx.list(checks, "id", { limit: 100 }));
    assert.ok(!JSON.stringify(items).includes("geheim"));
  });

  it("lets jobs go on with the addresses that they have", async () => {
    const app = await createTestApp();
    await send(app, { format: "kuma", text: JSON.stringify(kumaBackup), trial: false });
    for (const token of ["Zk3pQx81aB7cD0eF2gH4iJ6kL8mN0oPq", "a1B2c3D4e5"]) {
      const response = await app.fetch(`/api/push/${token}?status=up&msg=OK&ping=`);
      assert.equal(response.status, 200, await response.clone().text());
      assert.equal(((await response.json()) as { ok: boolean }).ok, true);
    }
    assert.equal((await app.fetch("/api/push/nobody1234?status=up")).status, 404);
  });

  it("creates nothing twice", async () => {
    const app = await createTestApp();
    const text = JSON.stringify(kumaBackup);
    await send(app, { format: "kuma", text, trial: false });
    const again = await send(app, { format: "kuma", text, trial: false });
    assert.equal(again.checks, 0);
    assert.equal(say(again)["Shop"], "left_out [same_name]");
    const renamed = text.replace('"name":"Backup"', '"name":"Backup 2"');
    assert.equal(
      say(await send(app, { format: "kuma", text: renamed }))["Backup 2"],
      "left_out [token_taken]",
    );
    assert.equal((await detailsOf(app)).size, 11);
  });

  it("takes monitors of 2.x: as a list, by ids, under a name", async () => {
    const app = await createTestApp();
    const expected = {
      Health: "check http GET example.org/health [fewer_redirects 10]",
      Sum: "check http GET example.org/health [fewer_redirects 10] [no_path $sum(items.price)]",
      A: 'check dns A example.org at 1.1.1.1:53 [other_resolver 1.1.1.1] [no_condition {"variable":"record","operator":"contains","value":"x"}]',
    };
    const list = Object.values(kumaMonitors);
    // As its database has it.
    const rows = list.map((monitor) =>
      "conditions" in monitor ? { ...monitor, conditions: JSON.stringify(monitor.conditions) } : monitor,
    );
    for (const document of [kumaMonitors, list, rows, { monitors: list }, { monitorList: kumaMonitors }])
      assert.deepEqual(say(await send(app, { format: "kuma", text: JSON.stringify(document) })), expected);
    await send(app, { format: "kuma", text: JSON.stringify(list), trial: false });
    const made = await detailsOf(app);
    const health = made.get("Health")?.["target"] as Record<string, unknown>;
    assert.deepEqual(health["json"], { path: "checks[0].state", operator: "=", value: "up" });
    const name = made.get("A")?.["target"] as Record<string, unknown>;
    assert.deepEqual(name["expected"], ["192.0.2.1"]);
  });
});

describe("import of Gatus' endpoints", () => {
  it("says of every endpoint what it becomes", async () => {
    const app = await createTestApp();
    const result = await send(app, { format: "gatus", text: gatusConfig });
    assert.deepEqual(say(result), {
      "front-end":
        "check http GET twin.sh/health [no_condition [HEADER].Server == nginx] [variable $API_KEY]",
      "many-statuses": "check http GET http://example.org",
      "any-status": "check http POST example.org [no_sign_in oauth2]",
      dns: "check dns A example.org at 8.8.8.8",
      "closed-port": "check tcp db.example.org:5432",
      certificate: "check tls TLS mail.example.org:993",
      ping: "check ping ping 192.0.2.7 [needs_ping] [other_interval 20]",
      udp: "left_out [no_such_kind udp]",
      domain: "check http GET example.org",
      "Domain example.org": "check domain domain example.org",
      backup: "check heartbeat every 1800 s [new_address]",
      pushed: "check heartbeat every 86400 s [no_interval] [new_address]",
    });
    assert.deepEqual(result.leftOut, ["storage", "alerting", "default-endpoint"]);
    assert.doesNotMatch(JSON.stringify(result), /secret|potato/u);
  });

  it("takes conditions as fields of checks", async () => {
    const app = await createTestApp();
    await send(app, { format: "gatus", text: gatusConfig, trial: false });
    const made = await detailsOf(app);
    const targetOf = (name: string): Record<string, unknown> =>
      made.get(name)?.["target"] as Record<string, unknown>;
    const front = made.get("front-end") ?? {};
    assert.deepEqual(
      [front["group"], front["intervalSeconds"], front["timeoutSeconds"], front["failures"]],
      ["core", 300, 5, 4],
    );
    const { statuses, json, maxLatencyMs, certificateDays } = targetOf("front-end");
    assert.deepEqual([statuses, maxLatencyMs, certificateDays], ["200", 500, 2]);
    assert.deepEqual(json, { path: "status", operator: "=", value: "UP" });
    const many = targetOf("many-statuses");
    assert.deepEqual(
      [many["statuses"], many["contains"], many["excludes"]],
      ["200-300, 302-399", "Example Domain", "error"],
    );
    const any = targetOf("any-status");
    assert.deepEqual(
      [any["statuses"], any["maxRedirects"], any["ignoresCertificate"], any["body"]],
      ["200, 204, 429", 0, true, '{"query":"{ users { id } }"}'],
    );
    assert.deepEqual(
      [made.get("any-status")?.["paused"], made.get("any-status")?.["tags"]],
      [true, ["environment: staging"]],
    );
    assert.deepEqual(targetOf("dns")["expected"], ["93.184.215.14"]);
    assert.equal(made.get("closed-port")?.["inverted"], true);
    assert.equal(targetOf("certificate")["certificateDays"], 10);
    assert.equal(targetOf("domain")["statuses"], "100-599");
  });

  it("makes a check of its own of a condition on the domain", async () => {
    const text = `endpoints:
  - name: shop
    url: https://shop.example.org/
    interval: 1h
    conditions: ["[STATUS] == 200", "[DOMAIN_EXPIRATION] > 720h"]
  - name: blog
    url: https://blog.example.org/
    conditions: ["[DOMAIN_EXPIRATION] >= 1000h"]
  - name: odd
    url: https://example.com/
    conditions: ["[DOMAIN_EXPIRATION] < 720h"]
`;
    const app = await createTestApp();
    const result = await send(app, { format: "gatus", text, trial: false });
    assert.deepEqual(say(result), {
      shop: "check http GET shop.example.org",
      blog: "check http GET blog.example.org",
      odd: "check http GET example.com [no_condition [DOMAIN_EXPIRATION] < 720h]",
      "Domain example.org": "check domain domain example.org",
    });
    const made = (await detailsOf(app)).get("Domain example.org") ?? {};
    assert.deepEqual(made["target"], { kind: "domain", domain: "example.org", days: 42, server: "" });
  });
});

describe("hostile files", () => {
  async function statusOf(app: TestApp, body: object): Promise<string> {
    const response = await app.admin("POST", IMPORT, body);
    const problem: { code?: string } = await response.json();
    return `${response.status} ${problem.code ?? ""}`;
  }

  it("are refused when they are too large, too deep, or something else", async () => {
    const app = await createTestApp();
    const kuma = (text: string): Promise<string> => statusOf(app, { format: "kuma", text });
    assert.equal(await kuma("x".repeat(1_048_577)), "422 invalid");
    assert.match(await kuma(" "), /^400/u);
    assert.match(await kuma(`${"[".repeat(200_000)}${"]".repeat(200_000)}`), /^400/u);
    assert.match(await kuma('{"monitorList":[{"__proto__":{"type":"http"}}]}'), /^400/u);
    for (const text of ["{}", "[]x", '{"a":1}', "7", "null", '"a"'])
      assert.match(await kuma(text), /^4/u, text);
    const many = JSON.stringify(Array.from({ length: 2_001 }, () => ({ type: "http" })));
    assert.equal(await kuma(many), "422 invalid");
    assert.match(await statusOf(app, { format: "other", text: "x" }), /^422/u);
    assert.match(await statusOf(app, { format: "kuma", text: "{}", extra: 1 }), /^422/u);
  });

  it("in YAML neither nest, nor multiply, nor stall the service", async () => {
    const app = await createTestApp();
    const bomb = [
      "a0: &a0 [x, x, x, x, x, x, x, x, x]",
      ...Array.from(
        { length: 9 },
        (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index},`.repeat(9)}]`,
      ),
      "endpoints: [*a9]",
    ].join("\n");
    const texts = [
      bomb,
      "[".repeat(250_000),
      "[\n".repeat(100_000),
      "{a: ".repeat(60_000),
      "- ".repeat(100_000),
      "? ".repeat(100_000),
      Array.from({ length: 400 }, (_, index) => `${" ".repeat(index)}a:`).join("\n"),
      Array.from({ length: 25_000 }, (_, index) => `k${index}: 1`).join("\n"),
      "&a ".repeat(80_000),
      `[${",".repeat(200_000)}`,
      "endpoints: [*missing]",
      "endpoints: 7",
      "a: b: c",
      "\u0000",
      "x".repeat(262_145),
    ];
    // Read without a look at their parts first, the second ends the process and the eighth takes a minute.
    for (const text of texts)
      assert.match(await statusOf(app, { format: "gatus", text }), /^4\d\d /u, text.slice(0, 40));
  });

  it("in YAML may be merged with themselves", async () => {
    const app = await createTestApp();
    const result = await send(app, { format: "gatus", text: "a: &a {<<: *a}\nendpoints: [{<<: *a}]" });
    assert.deepEqual(say(result), { "": "left_out [no_entry]" });
  });

  it("make no check of entries that are none, and say so", async () => {
    const app = await createTestApp();
    const monitorList = [
      null,
      7,
      "x",
      [],
      {},
      { type: "constructor" },
      { type: "http", name: "No address" },
      { type: "http", name: "Script", url: "javascript:alert(1)" },
      { type: "http", name: "Password", url: "https://a:secret@example.org/" },
      { type: "port", name: "Option", hostname: "-rf", port: 1 },
      { type: "ping", name: "Shell", hostname: "$(id)" },
      { type: "port", name: "Port", hostname: "a", port: 70_000 },
      { type: "http", name: "x".repeat(5_000), url: "https://example.org" },
      { type: "http", name: "Circle", url: "https://example.org", id: 1, parent: 1 },
      { type: "http", name: "\u202eodd\r\nname", url: "https://example.org" },
    ];
    const result = await send(app, { format: "kuma", text: JSON.stringify({ monitorList }), trial: false });
    assert.equal(result.entries.length, monitorList.length);
    assert.deepEqual(
      result.entries.filter(({ outcome }) => outcome === "check").map(({ name }) => name.slice(0, 8)),
      ["xxxxxxxx", "Circle"],
    );
    for (const { outcome, notes } of result.entries) assert.ok(outcome === "check" || notes.length > 0);
    assert.doesNotMatch(JSON.stringify(result), /secret/u);
  });
});
