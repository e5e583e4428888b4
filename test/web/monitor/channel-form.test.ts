/** The form of a channel: what is sent for it, and that secrets stay where nobody types new ones. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type ChannelView,
  channelInputSchema,
  channelViewSchema,
} from "../../../src/monitor/channels/schema.ts";
import {
  type ChannelForm,
  channelTypes,
  parseChannelForm,
  toChannelForm,
  toNewForm,
} from "../../../src/web/monitor/channels/channel-form.ts";

const typed: Readonly<Record<string, Record<string, string>>> = {
  email: {},
  ntfy: { topic: "fleet" },
  gotify: { serverUrl: "https://push.example.org", token: "AbCdEf" },
  telegram: { botToken: "123:ABC", chatId: "-100123" },
  discord: { webhookUrl: "https://discord.com/api/webhooks/1/x" },
  slack: { webhookUrl: "https://hooks.slack.com/services/x" },
  matrix: { homeserverUrl: "https://matrix.org", roomId: "!abc:matrix.org", accessToken: "syt_x" },
  pushover: { token: "a".repeat(30), user: "b".repeat(30) },
  teams: { webhookUrl: "https://example.logic.azure.com/workflows/x" },
  bark: { deviceKey: "ynJ5Ft4atkMkWeo2PAvFhF" },
  feishu: { webhookUrl: "https://open.feishu.cn/open-apis/bot/v2/hook/x" },
  dingtalk: { webhookUrl: "https://oapi.dingtalk.com/robot/send?access_token=x" },
  wecom: { webhookUrl: "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=x" },
  serverchan: { sendKey: "SCT12345abcdef" },
  http: { url: "https://pager.example.org/x" },
};

function fill(type: ChannelForm["type"]): ChannelForm {
  const form = toNewForm(type, "Mine");
  return { ...form, words: { to: ["a@example.org"] }, values: { ...form.values, ...typed[type] } };
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
      const parsed = parseChannelForm(fill(type), undefined);
      assert.ok(parsed.ok);
      assert.equal(channelInputSchema.parse(parsed.body).type, type);
    });

    it(`asks for what is missing: ${type}`, () => {
      const parsed = parseChannelForm(toNewForm(type), undefined);
      assert.ok(!parsed.ok && parsed.faults.has("/name") && parsed.faults.size > 1);
    });
  }

  it("leaves out secrets that nobody typed, and keeps stored headers", () => {
    const parsed = parseChannelForm(toChannelForm(stored), stored);
    assert.deepEqual(parsed, {
      ok: true,
      body: {
        type: "http",
        name: "Pager",
        method: "PUT",
        contentType: "text/plain",
        body: "  {{title}}\n",
        headers: { "X-Key": null },
        version: 4,
      },
    });
  });

  it("sends new secrets, drops removed headers and adds new ones", () => {
    const form = toChannelForm(stored);
    const parsed = parseChannelForm(
      {
        ...form,
        values: { ...form.values, url: "https://new.example.org/" },
        headers: {
          headers: [
            { name: "A", value: "1" },
            { name: " ", value: "lost" },
          ],
        },
      },
      stored,
    );
    assert.ok(parsed.ok && parsed.body.type === "http");
    assert.equal(parsed.body.url, "https://new.example.org/");
    assert.deepEqual(parsed.body.headers, { A: "1" });
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
    const kept = parseChannelForm(toChannelForm(view), view);
    assert.ok(kept.ok && !("token" in kept.body));
    const removed = parseChannelForm({ ...toChannelForm(view), removed: ["token"] }, view);
    assert.ok(removed.ok && removed.body.type === "ntfy" && removed.body.token === "");
    assert.deepEqual(kept.body.type === "ntfy" && kept.body.priorities, { info: 3, warning: 4, critical: 5 });
  });
});
