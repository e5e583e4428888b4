import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { channels } from "../../../src/monitor/channels/records.ts";
import { type TestApp, ADMIN_TOKEN, createTestApp } from "../app-fixture.ts";
// After the fixture, which loads the documents' additions to zod before any schema is made.
import { alertRuleFieldsSchema } from "../../../src/monitor/alerts/schema.ts";
import { alertRules } from "../../../src/monitor/alerts/records.ts";
import { closeReceivers, openReceiver } from "./notice-bench.ts";
import { createTestNotify } from "./notify-fixture.ts";

afterEach(closeReceivers);

const CHANNELS = "/api/admin/channels";

async function make(app: TestApp, input: object): Promise<{ id: string; version: number }> {
  const response = await app.admin("POST", CHANNELS, { name: "one", ...input });
  assert.equal(response.status, 201, await response.clone().text());
  return response.json();
}

/** The first field that a refusal names, and its message. */
async function faultOf(response: Response): Promise<readonly [number, string, string]> {
  const problem = (await response.json()) as { errors?: { pointer: string; message: string }[] };
  const [first] = problem.errors ?? [];
  return [response.status, first?.pointer ?? "", first?.message ?? ""];
}

const secretOf = {
  ntfy: { type: "ntfy", topic: "fleet", token: "tk_0123456789abcdefgh" },
  gotify: { type: "gotify", serverUrl: "https://push.example/g", token: "AbCdEf.0123456789" },
  telegram: { type: "telegram", chatId: "@fleet_alerts", botToken: "123456:ABC-0123456789" },
  discord: { type: "discord", webhookUrl: "https://discord.example/api/webhooks/1/0123456789" },
  slack: { type: "slack", webhookUrl: "https://hooks.example/services/T/B/0123456789" },
  http: {
    type: "http",
    url: "https://pager.example/hook/0123456789?t={{uri title}}",
    headers: { authorization: "Bearer 0123456789" },
  },
  email: { type: "email", to: ["ada@example.org"] },
} as const;

describe("channels of an administrator", () => {
  for (const [type, input] of Object.entries(secretOf))
    it(`keep ${type} and never show its secrets`, async () => {
      const app = await createTestApp();
      const { id } = await make(app, input);
      const one = await (await app.admin("GET", `${CHANNELS}/${id}`)).text();
      const all = await (await app.admin("GET", CHANNELS)).text();
      const stored = JSON.stringify(await app.store.read((tx) => tx.get(channels, id)));
      for (const text of [one, all, stored]) assert.doesNotMatch(text, /012345/u);
      const { secrets } = JSON.parse(one) as { secrets: Record<string, string> };
      const masks: Record<string, Record<string, string>> = {
        ntfy: { token: "••••efgh" },
        gotify: { token: "••••6789" },
        telegram: { botToken: "••••6789" },
        discord: { webhookUrl: "https://discord.example/••••6789" },
        slack: { webhookUrl: "https://hooks.example/••••6789" },
        http: { url: "https://pager.example/••••le}}", "headers/authorization": "••••6789" },
        email: {},
      };
      assert.deepEqual(secrets, masks[type]);
    });

  it("fill in defaults", async () => {
    const app = await createTestApp();
    const ntfy = await make(app, { type: "ntfy", topic: "fleet" });
    const { version, id, createdAt, updatedAt, ...rest } = Object(ntfy) as Record<string, unknown>;
    assert.equal(typeof id, "string");
    assert.deepEqual([version, createdAt], [1, updatedAt]);
    assert.deepEqual(rest, {
      name: "one",
      type: "ntfy",
      serverUrl: "https://ntfy.sh",
      topic: "fleet",
      priorities: { info: 3, warning: 4, critical: 5 },
      secrets: {},
    });
  });

  const refused: readonly (readonly [string, object, string, RegExp])[] = [
    ["a name of two lines", { ...secretOf.ntfy, name: "a\nb" }, "/name", /one line/u],
    ["a name with U+2028", { ...secretOf.ntfy, name: "a\u2028b" }, "/name", /one line/u],
    ["a topic with a slash", { type: "ntfy", topic: "a/b" }, "/topic", /letters/u],
    ["an unknown type", { type: "pigeon" }, "/type", /./u],
    ["an unknown field", { ...secretOf.ntfy, status: "sent" }, "", /status/u],
    ["a missing token", { type: "gotify", serverUrl: "https://push.example" }, "/token", /is required/u],
    ["a token with a line feed", { ...secretOf.gotify, token: "a\r\nb" }, "/token", /ASCII/u],
    ["a file", { type: "slack", webhookUrl: "file:///etc/passwd" }, "/webhookUrl", /http:\/\//u],
    [
      "user and password",
      { ...secretOf.gotify, serverUrl: "https://a:b@push.example" },
      "/serverUrl",
      /no username/u,
    ],
    ["a bot's token with a path", { ...secretOf.telegram, botToken: "1:a/../b" }, "/botToken", /123456:ABC/u],
    [
      "two recipients in one",
      { type: "email", to: ["a@b.example,c@d.example"] },
      "/to/0",
      /single email address/u,
    ],
    ["a header in a recipient", { type: "email", to: ["a@b.example\r\nBcc: x@y.example"] }, "/to/0", /./u],
    ["no recipient", { type: "email", to: [] }, "/to", /./u],
    [
      "21 recipients",
      { type: "email", to: Array.from({ length: 21 }, (_, i) => `a${i}@b.example`) },
      "/to",
      /./u,
    ],
    ["a header of ours", { ...secretOf.http, headers: { Host: "a" } }, "/headers/Host", /./u],
    [
      "a header twice",
      { ...secretOf.http, headers: { "X-A": "a", "x-a": "b" } },
      "/headers",
      /repeat a header/u,
    ],
    [
      "a header without a stored value",
      { ...secretOf.http, headers: { "x-a": null } },
      "/headers/x-a",
      /Set a value/u,
    ],
    [
      "a body that a quote breaks",
      { ...secretOf.http, body: '{"a":"{{title}}"}' },
      "/body",
      /\{\{json title\}\}/u,
    ],
    ["a place that nobody knows", { ...secretOf.http, body: "{{json titel}}" }, "/body", /does not support/u],
    [
      "a host that a notice chooses",
      { ...secretOf.http, url: "https://{{uri title}}/" },
      "/url",
      /fixed host name/u,
    ],
    ["an address that is none", { ...secretOf.http, url: "pager" }, "/url", /http:\/\//u],
  ];
  for (const [label, input, pointer, message] of refused)
    it(`refuse ${label}`, async () => {
      const app = await createTestApp();
      const [status, at, text] = await faultOf(await app.admin("POST", CHANNELS, { name: "one", ...input }));
      assert.deepEqual([status, at], [422, pointer], text);
      assert.match(text, message);
    });

  it("refuse __proto__ as a header", async () => {
    const app = await createTestApp();
    const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" };
    const body = '{"type":"http","name":"one","url":"https://a.example","headers":{"__proto__":"x"}}';
    assert.equal((await app.fetch(CHANNELS, { method: "POST", headers, body })).status, 400);
  });

  it("keep secrets that a replacement leaves out, and take a token away that is empty", async () => {
    const app = await createTestApp();
    const { id } = await make(app, secretOf.ntfy);
    const open = { type: "ntfy", name: "two", topic: "other" };
    const kept = await (await app.admin("PUT", `${CHANNELS}/${id}`, { ...open, version: 1 })).json();
    assert.deepEqual(
      [kept.name, kept.topic, kept.version, kept.secrets],
      ["two", "other", 2, { token: "••••efgh" }],
    );
    const without = await (await app.admin("PUT", `${CHANNELS}/${id}`, { ...open, token: "" })).json();
    assert.deepEqual(without.secrets, {});
    const http = await make(app, {
      ...secretOf.http,
      headers: { "x-a": "aaaaaaaaaaaa1", "x-b": "bbbbbbbbbbbb2" },
    });
    const { url, ...body } = secretOf.http;
    const changed = await app.admin("PUT", `${CHANNELS}/${http.id}`, {
      ...body,
      name: "one",
      headers: { "x-b": null, "x-c": "cccccccccccc3" },
    });
    assert.deepEqual((await changed.json()).secrets, {
      url: `${new URL(url).origin}/••••le}}`,
      "headers/x-b": "••••bbb2",
      "headers/x-c": "••••ccc3",
    });
  });

  it("want secrets again when they would go to another server or type", async () => {
    const app = await createTestApp();
    const gotify = await make(app, secretOf.gotify);
    const elsewhere = { type: "gotify", name: "one", serverUrl: "https://evil.example" };
    assert.deepEqual(await faultOf(await app.admin("PUT", `${CHANNELS}/${gotify.id}`, elsewhere)), [
      422,
      "/token",
      "must be entered again, because the server has changed",
    ]);
    const http = await make(app, secretOf.http);
    const other = { type: "http", name: "one", url: "https://evil.example/" };
    const [status, pointer] = await faultOf(await app.admin("PUT", `${CHANNELS}/${http.id}`, other));
    assert.deepEqual([status, pointer], [422, "/headers/authorization"]);
    const another = await app.admin("PUT", `${CHANNELS}/${gotify.id}`, { type: "slack", name: "one" });
    assert.deepEqual((await faultOf(another)).slice(0, 2), [422, "/webhookUrl"]);
    const test = await app.admin("POST", `${CHANNELS}/test?id=${gotify.id}`, elsewhere);
    assert.equal(test.status, 422);
  });

  it("tell of a change in the meantime, and of a channel that is not there", async () => {
    const app = await createTestApp();
    const { id } = await make(app, secretOf.email);
    const body = { ...secretOf.email, name: "two" };
    assert.equal((await app.admin("PUT", `${CHANNELS}/${id}`, { ...body, version: 1 })).status, 200);
    assert.equal((await app.admin("PUT", `${CHANNELS}/${id}`, { ...body, version: 1 })).status, 409);
    for (const [method, path, sent] of [
      ["GET", "/chn_no", undefined],
      ["PUT", "/chn_no", body],
      ["DELETE", "/chn_no", undefined],
      ["POST", "/chn_no/test", undefined],
      ["POST", "/test?id=chn_no", body],
    ] as const)
      assert.equal((await app.admin(method, CHANNELS + path, sent)).status, 404, path);
  });

  it("are 50 at most, and are deleted", async () => {
    const app = await createTestApp();
    const { id } = await make(app, secretOf.email);
    for (let i = 1; i < 50; i += 1) await make(app, secretOf.email);
    assert.equal((await app.admin("POST", CHANNELS, { ...secretOf.email, name: "x" })).status, 409);
    assert.equal((await app.admin("DELETE", `${CHANNELS}/${id}`)).status, 204);
    assert.equal((await app.admin("GET", `${CHANNELS}/${id}`)).status, 404);
  });

  it("stay while a rule sends to them, and say which", async () => {
    const app = await createTestApp();
    const { id } = await make(app, secretOf.email);
    const rule = alertRuleFieldsSchema.parse({ kind: "offline", name: "Gone", channelIds: [id] });
    const now = app.clock.now();
    const times = { createdAt: now, updatedAt: now };
    const ruleId = "rul_1";
    await app.store.transact((tx) => tx.insert(alertRules, { id: ruleId, rule, revision: 1, ...times }));
    const response = await app.admin("DELETE", `${CHANNELS}/${id}`);
    const problem = (await response.json()) as { detail: string; rules: unknown };
    assert.deepEqual([response.status, problem.rules], [409, [{ id: ruleId, name: "Gone" }]]);
    assert.match(problem.detail, /Alert rules use this channel: "Gone"\. Remove the channel/u);
    await app.store.transact((tx) => tx.remove(alertRules, ruleId));
    assert.equal((await app.admin("DELETE", `${CHANNELS}/${id}`)).status, 204);
  });

  it("are for administrators alone", async () => {
    const app = await createTestApp();
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["POST", "/test"],
      ["GET", "/chn_a"],
      ["PUT", "/chn_a"],
      ["DELETE", "/chn_a"],
      ["POST", "/chn_a/test"],
    ] as const)
      assert.equal((await app.fetch(CHANNELS + path, { method })).status, 401, `${method} ${path}`);
  });

  it("note every change in the audit, without secrets", async () => {
    const app = await createTestApp();
    const { id } = await make(app, secretOf.gotify);
    await app.admin("PUT", `${CHANNELS}/${id}`, {
      ...secretOf.gotify,
      name: "two",
      token: "ZyXwVu.9876543210",
    });
    await app.admin("DELETE", `${CHANNELS}/${id}`);
    const text = await (await app.admin("GET", "/api/admin/audit")).text();
    const { items } = JSON.parse(text) as { items: { action: string; target: string; changes: string[] }[] };
    assert.deepEqual(
      items.map(({ action, target, changes }) => [action, target, changes]),
      [
        ["channel.delete", id, [`name: "two"`]],
        ["channel.replace", id, ["name", "token"]],
        ["channel.create", id, [`name: "one"`, "gotify"]],
      ],
    );
    assert.doesNotMatch(text, /AbCdEf|ZyXwVu/u);
  });
});

describe("the test button", () => {
  it("returns what the receiver says, at most 2,000 characters of it, without secrets", async () => {
    const app = await createTestApp({ publicUrl: "https://status.example" });
    const peer = await openReceiver();
    const { id } = await make(app, { ...secretOf.gotify, serverUrl: peer.origin });
    peer.answer(
      ({ headers }, response) =>
        void response.end(`for ${String(headers["x-gotify-key"])}${"x".repeat(3_000)}`),
    );
    const good = await (await app.admin("POST", `${CHANNELS}/${id}/test`)).json();
    assert.deepEqual([good.ok, good.status, good.answer.length], [true, 200, 2_000]);
    assert.match(good.answer, /^for …x+…$/u);
    const { title, extras } = JSON.parse(peer.requests[0]?.body ?? "");
    assert.equal(title, "Trivet monitor: a test");
    assert.deepEqual(extras["client::notification"], { click: { url: "https://status.example" } });
    peer.answer((_request, response) => response.writeHead(401).end('{"error":"Unauthorized"}'));
    const bad = await (await app.admin("POST", `${CHANNELS}/${id}/test`)).json();
    assert.deepEqual([bad.ok, bad.status, bad.answer], [false, 401, '{"error":"Unauthorized"}']);
    assert.equal(bad.error, 'The receiver responded with status 401: {"error":"Unauthorized"}');
    const audit = await (await app.admin("GET", "/api/admin/audit")).json();
    assert.equal(audit.items[0].action, "channel.test");
  });

  it("tries what is not stored, with the secrets of what is", async () => {
    const app = await createTestApp();
    const peer = await openReceiver();
    const { id } = await make(app, { ...secretOf.gotify, serverUrl: peer.origin });
    const open = { type: "gotify", name: "new", serverUrl: `${peer.origin}/below` };
    assert.equal((await app.admin("POST", `${CHANNELS}/test`, open)).status, 422);
    const result = await (await app.admin("POST", `${CHANNELS}/test?id=${id}`, open)).json();
    assert.equal(result.ok, true);
    assert.deepEqual(
      [peer.requests[0]?.url, peer.requests[0]?.headers["x-gotify-key"]],
      ["/below/message", secretOf.gotify.token],
    );
    assert.equal((await (await app.admin("GET", CHANNELS)).json()).items.length, 1);
  });

  it("says what to do when the URL is rejected or does not respond", async () => {
    const app = await createTestApp({ notify: createTestNotify({ allowPrivate: false }) });
    const input = { type: "slack", name: "one", webhookUrl: "http://169.254.169.254/latest/meta-data" };
    const never = await (await app.admin("POST", `${CHANNELS}/test`, input)).json();
    assert.deepEqual([never.ok, "status" in never, never.answer], [false, false, ""]);
    assert.match(never.error, /a reserved address that Trivet never connects to/u);
    const own = { ...input, webhookUrl: "http://localhost:1/" };
    const refused = await (await app.admin("POST", `${CHANNELS}/test`, own)).json();
    assert.match(refused.error, /a private address; set NOTIFY_PRIVATE=1 to allow private addresses/u);
  });
});
