/** The form of a channel: its request, and that stored secrets are kept unless new ones are entered. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import english from "../../../src/texts/en/monitor-kinds.json" with { type: "json" };
import { channelForm, channelTypes } from "../../../src/monitor/channels/form-schema.ts";
import {
  type ChannelView,
  channelInputSchema,
  channelViewSchema,
} from "../../../src/monitor/channels/schema.ts";
import {
  type ChannelContext,
  channelFields,
  toFields,
} from "../../../src/web/monitor/channels/channel-form.tsx";
import { makeForm, pickFields, readForm, toBlank, toTyped } from "../../../src/web/ui/resource/form.ts";
import { type Form, toText } from "../../../src/web/ui/resource/kind.ts";

type ChannelType = (typeof channelTypes)[number];

const context: ChannelContext = {
  isNew: true,
  lacksMail: false,
  lacksAddress: false,
  refresh: () => undefined,
};
const form = makeForm(channelFields);
const secret = (typed: string): Form => ({ typed, kept: "", removed: false });

const typed: Readonly<Record<ChannelType, Form>> = {
  email: { to: ["a@example.org"] },
  ntfy: { topic: "fleet" },
  gotify: { serverUrl: "https://push.example.org", token: secret("AbCdEf") },
  telegram: { botToken: secret("123:ABC"), chatId: "-100123" },
  discord: { webhookUrl: secret("https://discord.com/api/webhooks/1/x") },
  slack: { webhookUrl: secret("https://hooks.slack.com/services/x") },
  matrix: {
    homeserverUrl: "https://matrix.org",
    roomId: "!abc:matrix.org",
    accessToken: secret("syt_x"),
  },
  pushover: { token: secret("a".repeat(30)), user: secret("b".repeat(30)) },
  teams: { webhookUrl: secret("https://example.logic.azure.com/workflows/x") },
  bark: { deviceKey: secret("ynJ5Ft4atkMkWeo2PAvFhF") },
  feishu: { webhookUrl: secret("https://open.feishu.cn/open-apis/bot/v2/hook/x") },
  dingtalk: { webhookUrl: secret("https://oapi.dingtalk.com/robot/send?access_token=x") },
  wecom: { webhookUrl: secret("https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=x") },
  serverchan: { sendKey: secret("SCT12345abcdef") },
  mattermost: { webhookUrl: secret("https://mattermost.example.org/hooks/x") },
  rocketchat: { webhookUrl: secret("https://chat.example.org/hooks/x") },
  signal: { serverUrl: "http://signal.local:8080", number: "+491701234567", recipients: ["+491701234568"] },
  line: { to: `U${"0".repeat(32)}`, accessToken: secret("x") },
  homeassistant: { serverUrl: "http://homeassistant.local:8123", token: secret("x") },
  apprise: { serverUrl: "https://apprise.example.org", configKey: secret("team") },
  pagerduty: { routingKey: secret("a".repeat(32)) },
  opsgenie: { apiKey: secret("x") },
  zulip: {
    serverUrl: "https://example.zulipchat.com",
    botEmail: "bot@example.zulipchat.com",
    apiKey: secret("x"),
    channel: "ops",
  },
  twilio: {
    accountSid: `AC${"0".repeat(32)}`,
    authToken: secret("x"),
    from: "+15005550006",
    to: ["+491701234567"],
  },
  smseagle: { serverUrl: "https://smseagle.local", accessToken: secret("x"), to: ["+491701234567"] },
  oncall: { fallbackChannelId: "chn_1" },
  http: { url: secret("https://pager.example.org/x") },
};

const toNew = (type: ChannelType): Form => ({ ...toBlank(form), type });

/** The form with more typed into the fields of its type. */
function fill(begun: Form, more: Form): Form {
  const type = toText(begun["type"]);
  return { ...begun, [type]: { ...(begun[type] as Form), ...more } };
}

const toStored = (view: ChannelView): Form => toTyped(form, pickFields(form, toFields(view)), context);

function send(filled: Form): Readonly<Record<string, unknown>> {
  const parsed = readForm(form, filled, { context });
  assert.ok(parsed.ok, JSON.stringify(parsed.ok || [...parsed.faults]));
  return parsed.fields;
}

const stored: ChannelView = channelViewSchema.parse({
  id: "chn_1",
  version: 4,
  name: "Pager",
  type: "http",
  method: "PUT",
  contentType: "text/plain",
  body: "  {{title}}\n",
  secrets: { url: "https://pager.example.org/••••hook", "headers/X-Key": "••••1234" },
  createdAt: "2026-01-31T12:00:00+00:00",
  updatedAt: "2026-01-31T12:00:00+00:00",
});

describe("the form of a channel", () => {
  for (const type of channelTypes) {
    it(`sends what the monitor's schema takes: ${type}`, () => {
      const body = send({ ...fill(toNew(type), typed[type]), name: "Mine" });
      assert.equal(channelInputSchema.parse(body).type, type);
    });

    it(`asks for what is missing: ${type}`, () => {
      const parsed = readForm(form, toNew(type), { context });
      assert.ok(!parsed.ok && parsed.faults.has("/name") && parsed.faults.size > 1);
      const names = [...parsed.faults.keys()].map((pointer) => pointer.slice(1));
      assert.ok(names.every((name) => name === "name" || name in (channelForm[type].fields ?? {})));
    });

    it(`has words for every field: ${type}`, () => {
      const names = Object.entries(channelForm[type].fields ?? {}).flatMap(([name, { fields }]) =>
        fields === undefined ? [name] : Object.keys(fields).map((member) => `${name}.${member}`),
      );
      const known: object = english;
      const wordless = names.filter((name) => !(`channel.${type}.${name}` in known));
      assert.deepEqual(wordless, []);
    });
  }

  it("takes bounds, choices and beginnings from the schemas of a kind", () => {
    assert.equal(channelForm.name.max, 100);
    assert.equal(channelForm.email.fields?.["to"]?.max, 20);
    const { method, body } = channelForm.http.fields ?? {};
    assert.deepEqual(method?.choices, ["POST", "PUT", "GET"]);
    assert.deepEqual([method?.initial, body?.max], ["POST", 10_000]);
  });

  it("leaves out secrets that were not entered, and keeps stored headers", () => {
    assert.deepEqual(send(toStored(stored)), {
      type: "http",
      name: "Pager",
      method: "PUT",
      contentType: "text/plain",
      body: "  {{title}}\n",
      headers: { "X-Key": null },
      perAlert: false,
    });
  });

  it("sends new secrets, drops removed headers and adds new ones", () => {
    const headers = [
      { name: "A", value: "1", kept: "" },
      { name: " ", value: "lost", kept: "" },
    ];
    const body = send(fill(toStored(stored), { url: secret("https://new.example.org/"), headers }));
    assert.equal(body["url"], "https://new.example.org/");
    assert.deepEqual(body["headers"], { A: "1" });
  });

  it("takes an optional token away when asked to", () => {
    const view = channelViewSchema.parse({
      id: "chn_2",
      version: 1,
      name: "Phone",
      createdAt: stored.createdAt,
      updatedAt: stored.updatedAt,
      type: "ntfy",
      topic: "fleet",
      secrets: { token: "••••abcd" },
    });
    const kept = send(toStored(view));
    assert.ok(!("token" in kept));
    assert.deepEqual(kept["priorities"], { info: 3, warning: 4, critical: 5 });
    const removed = fill(toStored(view), { token: { typed: "", kept: "••••abcd", removed: true } });
    assert.equal(send(removed)["token"], "");
  });

  it("shows nothing of a stored channel among the fields of other types", () => {
    assert.deepEqual(toStored(stored)["ntfy"], toBlank(form)["ntfy"]);
  });
});
