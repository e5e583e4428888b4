/** Whatever a setting would allow names that setting when it is refused: in every kind of check and channel. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DomainBook } from "../../../src/kit/probes/rdap/domain-book.ts";
import { kindOf } from "../../../src/kit/probes/kinds/kinds.ts";
import { runProbe } from "../../../src/kit/probes/probes.ts";
import { type TargetKind, targetKinds, targetSchema } from "../../../src/kit/probes/targets.ts";
import type { TestResult } from "../../../src/monitor/channels/schema.ts";
import { channelTypes } from "../../../src/monitor/channels/form-schema.ts";
import { toCheckFault } from "../../../src/monitor/checks/prober.ts";
import { toProbeResultView } from "../../../src/monitor/checks/views.ts";
import { privateRemedies } from "../../../src/monitor/site/private-networks.ts";
import { createContext } from "../../kit/probes/targets.ts";
import { createTestApp } from "../app-fixture.ts";
import { createTestNotify } from "../channels/notify-fixture.ts";

const PRIVATE = "10.1.2.3";
/** As long as a name can be; what it says must not push out what to do about it. */
const LONG = `${"x".repeat(60)}.${"y".repeat(60)}.${"z".repeat(60)}.${"w".repeat(50)}.example`;
const PUBLIC = "https://public.example/";

/** Members that name a place, each with a private one; the rest of the target is public. */
const places: { readonly [K in TargetKind]: Readonly<Record<string, readonly object[]>> } = {
  http: {
    url: [{ url: `http://${PRIVATE}/` }, { url: "http://[fd00::7]/" }, { url: `https://${LONG}/` }],
    proxy: [
      { url: PUBLIC, proxy: `http://${PRIVATE}:3128` },
      { url: PUBLIC, proxy: `http://${LONG}:3128` },
    ],
    proxyUsername: [
      { url: PUBLIC, proxy: "http://private.example:3128", proxyUsername: "u", proxyPassword: "p" },
    ],
    tokenUrl: [`http://${PRIVATE}/token`, `https://${LONG}/token`].map((tokenUrl) => ({
      url: PUBLIC,
      auth: "oauth2",
      tokenUrl,
      clientId: "id",
      clientSecret: "secret",
    })),
  },
  tcp: {
    host: [
      { host: PRIVATE, port: 80 },
      { host: LONG, port: 80 },
    ],
  },
  tls: {
    host: [{ host: PRIVATE }, { host: LONG }],
    serverName: [{ host: PRIVATE, serverName: "a.example" }],
  },
  dns: { resolver: [{ name: "public.example", resolver: PRIVATE }] },
  ping: { host: [{ host: PRIVATE }, { host: LONG, way: "icmp" }] },
  websocket: { url: [{ url: `ws://${PRIVATE}/` }, { url: `wss://${LONG}/` }] },
  grpc: { host: [{ host: PRIVATE }, { host: LONG }] },
  mail: { host: [{ host: PRIVATE }, { host: LONG }] },
  database: {
    host: ["postgresql", "mysql", "redis"].flatMap((system) => [
      { host: PRIVATE, system },
      { host: LONG, system },
    ]),
  },
  mqtt: { host: [{ host: PRIVATE }, { host: LONG }] },
  udp: {
    host: [
      { host: PRIVATE, port: 9, send: "x" },
      { host: LONG, port: 9, send: "x" },
    ],
  },
  ntp: { host: [{ host: PRIVATE }, { host: LONG }] },
  domain: {
    server: [
      { domain: "example.org", server: `http://${PRIVATE}/rdap/` },
      { domain: "example.org", server: `https://${LONG}/rdap/` },
    ],
  },
  // Its agent reports it: nothing is connected to.
  container: {},
};

/** Names of members that are places by their name. */
const PLACE = /url|host|proxy|resolver|^server(?!Id)/iu;

describe("a check that may not reach its target", () => {
  const lookup = async (name: string): Promise<string[]> => [
    name === "public.example" ? "93.184.216.34" : PRIVATE,
  ];
  const book = new DomainBook();
  const context = createContext({
    rules: { allowPrivate: false, privateRemedy: privateRemedies.privateTargets },
    lookup,
    probeDomain: (asked, options) => book.probe(asked, options),
  });

  for (const kind of targetKinds)
    it(`names the setting: ${kind}`, async () => {
      const members = Object.keys(kindOf({ kind }).settings()).filter((name) => PLACE.test(name));
      const covered = Object.keys(places[kind]);
      assert.deepEqual(
        members.filter((name) => !covered.includes(name)),
        [],
        "Add a private place for each member that names one",
      );
      for (const fields of Object.values(places[kind]).flat()) {
        const result = await runProbe(targetSchema.parse({ kind, ...fields }), context);
        const { fault, setting, detail } = toProbeResultView(result, toCheckFault(result, false));
        assert.deepEqual(
          [fault, setting],
          ["forbidden", "privateTargets"],
          `${JSON.stringify(fields)}: ${detail}`,
        );
      }
    });
});

type Sending = Exclude<(typeof channelTypes)[number], "email" | "oncall">;

/** What is needed of each; where it sends by itself, all names are private here. */
const channels: Readonly<Record<Sending, object>> = {
  ntfy: { topic: "fleet", serverUrl: `https://${LONG}` },
  gotify: { serverUrl: `http://${PRIVATE}`, token: "AbCdEf" },
  telegram: { botToken: "123456:ABC-def_1", chatId: "-100123" },
  discord: { webhookUrl: "https://discord.com/api/webhooks/1/x" },
  slack: { webhookUrl: "https://hooks.slack.com/services/x" },
  matrix: { homeserverUrl: `https://${LONG}`, roomId: "!abc:matrix.org", accessToken: "syt_x" },
  pushover: { token: "a".repeat(30), user: "b".repeat(30) },
  teams: { webhookUrl: "https://example.logic.azure.com/workflows/x" },
  bark: { deviceKey: "ynJ5Ft4atkMkWeo2PAvFhF" },
  feishu: { webhookUrl: "https://open.feishu.cn/open-apis/bot/v2/hook/x" },
  dingtalk: { webhookUrl: "https://oapi.dingtalk.com/robot/send?access_token=x" },
  wecom: { webhookUrl: "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=x" },
  serverchan: { sendKey: "SCT12345abcdef" },
  mattermost: { webhookUrl: "https://mattermost.example.org/hooks/x" },
  rocketchat: { webhookUrl: "https://chat.example.org/hooks/x" },
  signal: { serverUrl: "http://signal.local:8080", number: "+491701234567", recipients: ["+491701234568"] },
  line: { to: `U${"0".repeat(32)}`, accessToken: "x" },
  homeassistant: { serverUrl: "http://homeassistant.local:8123", token: "x" },
  apprise: { serverUrl: "https://apprise.example.org", configKey: "team" },
  pagerduty: { routingKey: "a".repeat(32) },
  opsgenie: { apiKey: "x" },
  zulip: {
    serverUrl: "https://example.zulipchat.com",
    botEmail: "bot@example.zulipchat.com",
    apiKey: "x",
    channel: "ops",
  },
  twilio: { accountSid: `AC${"0".repeat(32)}`, authToken: "x", from: "+15005550006", to: ["+491701234567"] },
  smseagle: { serverUrl: "https://smseagle.local", accessToken: "x", to: ["+491701234567"] },
  http: { url: `https://${LONG}/x` },
};

describe("an import of checks of one's own network", () => {
  it("names the setting, also where only a proxy or a token server is private", async () => {
    const send = async (fields: object): Promise<unknown> => {
      const app = await createTestApp();
      const proxyList = [{ id: 1, protocol: "http", host: PRIVATE, port: 3128 }];
      const monitorList = [{ type: "http", name: "Web", url: PUBLIC, ...fields }];
      const body = { format: "kuma", text: JSON.stringify({ monitorList, proxyList }) };
      const response = await app.admin("POST", "/api/admin/checks/import", body);
      // `as`: answers are checked against the OpenAPI document.
      return ((await response.json()) as { setting?: string }).setting;
    };
    const oauth = { authMethod: "oauth2-cc", oauth_client_id: "id", oauth_client_secret: "x" };
    assert.deepEqual(
      [
        await send({}),
        await send({ url: `http://${PRIVATE}/` }),
        await send({ url: "http://nas.local/" }),
        await send({ proxyId: 1 }),
        await send({ ...oauth, oauth_token_url: `http://${PRIVATE}/token` }),
        await send({ ...oauth, oauth_token_url: "https://public.example/token" }),
      ],
      [undefined, ...Array.from({ length: 4 }, () => "privateTargets"), undefined],
    );
  });
});

describe("a channel that may not reach its receiver", () => {
  it("names the setting, whatever its type", async () => {
    const notify = createTestNotify({
      allowPrivate: false,
      privateRemedy: privateRemedies.privateReceivers,
      lookup: async () => [PRIVATE],
    });
    const app = await createTestApp({ notify });
    // `as`: Object.keys knows texts alone.
    assert.deepEqual(
      channelTypes.filter((type) => type !== "email" && type !== "oncall"),
      Object.keys(channels) as Sending[],
    );
    const found: Record<string, unknown> = {};
    for (const [type, fields] of Object.entries(channels)) {
      const body = { type, name: "One", ...fields };
      const response = await app.admin("POST", "/api/admin/channels/test", body);
      // `as`: answers are checked against the OpenAPI document.
      const result = (await response.json()) as TestResult;
      found[type] = result.setting ?? JSON.stringify(result);
    }
    assert.deepEqual(
      found,
      Object.fromEntries(Object.keys(channels).map((type) => [type, "privateReceivers"])),
    );
  });

  it("names the mail server where there is none", async () => {
    const app = await createTestApp();
    const body = { type: "email", name: "Mail", to: ["a@example.org"] };
    const tested = (await (await app.admin("POST", "/api/admin/channels/test", body)).json()) as TestResult;
    assert.equal(tested.setting, "mailServer");
    const refused = await app.admin("POST", "/api/admin/smtp/test", { to: "a@example.org" });
    assert.match(await refused.text(), /"setting":"mailServer"/u);
  });
});
