import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import {
  type ChannelInput,
  channelInputSchema,
  settingsSchema,
} from "../../../src/monitor/channels/schema.ts";
import { kindOf } from "../../../src/monitor/channels/kinds/kinds.ts";
import { mergeSecrets } from "../../../src/monitor/channels/secrets.ts";
import { type Notice, type NoticeFacts, factNames } from "../../../src/monitor/channels/kinds/notice.ts";
import { clip } from "../../../src/monitor/channels/kinds/messages.ts";
import { createSending } from "../../../src/monitor/channels/sending.ts";
import { type Receiver, startReceiver } from "../../kit/outbound-receiver.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { createTestNotify } from "./notify-fixture.ts";

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

const notice: Notice = {
  kind: "firing",
  severity: "critical",
  title: "web_1 is <down> & *out*",
  text: "CPU 97 %\n<!channel> @everyone",
  url: "https://status.example/#/servers/web_1",
};

const noFacts = Object.fromEntries(factNames.map((name) => [name, ""])) as NoticeFacts;

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

async function receiver(): Promise<Receiver> {
  const peer = await startReceiver();
  cleanUp.push(() => peer.close());
  return peer;
}

/** What a receiver gets of a notice. */
async function deliver(peer: Receiver, input: object, told: Notice = notice, to = ""): Promise<Sent> {
  const parsed: ChannelInput = channelInputSchema.parse({ name: "one", ...input });
  const settings = settingsSchema.parse(parsed);
  const secrets = mergeSecrets(parsed, { settings, before: undefined });
  const sending = createSending({ ...createTestNotify(), clock: createFixedClock() });
  const outcome = await sending.send({ id: "n", channel: { settings, secrets }, to, notice: told });
  assert.deepEqual(outcome, { status: "sent" });
  const request = peer.requests.at(-1);
  assert.ok(request !== undefined);
  const isJson = String(request.headers["content-type"]) === "application/json";
  const { method, url, headers } = request;
  return { method, url, headers, body: isJson ? JSON.parse(request.body) : request.body };
}

describe("what receivers are sent", () => {
  it("ntfy: JSON at the root, priority by severity, the token as Bearer", async () => {
    const peer = await receiver();
    const channel = { type: "ntfy", serverUrl: `${peer.origin}/`, topic: "fleet", token: "tk_secret" };
    const sent = await deliver(peer, channel);
    assert.deepEqual(
      [sent.method, sent.url, sent.headers["authorization"]],
      ["POST", "/", "Bearer tk_secret"],
    );
    assert.deepEqual(sent.body, {
      topic: "fleet",
      title: notice.title,
      message: notice.text,
      priority: 5,
      click: notice.url,
    });
    const { token: _token, ...open } = channel;
    const over = await deliver(peer, open, { ...notice, kind: "resolved", text: "" });
    assert.deepEqual(over.body, {
      topic: "fleet",
      title: notice.title,
      message: notice.title,
      priority: 3,
      click: notice.url,
    });
    assert.equal("authorization" in over.headers, false);
    const long = await deliver(peer, open, { ...notice, text: "ü".repeat(4_000) });
    const { message } = Object(long.body) as { message: string };
    assert.ok(new TextEncoder().encode(message).length <= 4_000, "an attachment would be made of more");
    assert.match(message, /^ü+…$/u);
  });

  it("Gotify: /message below the server's path, the token in its own header, plain text", async () => {
    const peer = await receiver();
    const sent = await deliver(peer, { type: "gotify", serverUrl: `${peer.origin}/push/`, token: "AbC.123" });
    assert.deepEqual(
      [sent.method, sent.url, sent.headers["x-gotify-key"]],
      ["POST", "/push/message", "AbC.123"],
    );
    assert.deepEqual(sent.body, {
      title: notice.title,
      message: notice.text,
      priority: 8,
      extras: {
        "client::display": { contentType: "text/plain" },
        "client::notification": { click: { url: notice.url } },
      },
    });
  });

  it("Telegram: sendMessage without markup, at most 4,096 characters", async () => {
    const peer = await receiver();
    const channel = {
      type: "telegram",
      apiUrl: peer.origin,
      botToken: "123456:ABC-def_1",
      chatId: "-100123",
    };
    const sent = await deliver(peer, channel);
    assert.equal(sent.url, "/bot123456:ABC-def_1/sendMessage");
    assert.deepEqual(sent.body, {
      chat_id: "-100123",
      text: `${notice.title}\n\n${notice.text}\n\n${notice.url}`,
      link_preview_options: { is_disabled: true },
    });
    const long = await deliver(peer, channel, {
      ...notice,
      title: "t".repeat(200),
      text: "a".repeat(4_000),
    });
    assert.equal((Object(long.body) as { text: string }).text.length, 4_096);
  });

  it("Discord: escaped markup, no mentions, no previews, at most 2,000 characters, and it waits for the message", async () => {
    const peer = await receiver();
    const channel = { type: "discord", webhookUrl: `${peer.origin}/api/webhooks/1/secret?thread_id=7` };
    const sent = await deliver(peer, channel);
    assert.equal(sent.url, "/api/webhooks/1/secret?thread_id=7&wait=true");
    assert.deepEqual(sent.body, {
      content: `web\\_1 is <down> & \\*out\\*\n\nCPU 97 %\n<!channel> @everyone\n\n${notice.url}`,
      allowed_mentions: { parse: [] },
      flags: 4,
    });
    for (const text of ["*".repeat(3_000), `a${"*".repeat(3_000)}`, "\\".repeat(3_000)]) {
      const { content } = Object((await deliver(peer, channel, { ...notice, text })).body) as {
        content: string;
      };
      assert.ok(content.length <= 2_000);
      assert.match(content, /(?:^|[^\\])(?:\\\\)*…$|\\[*\\]…$/u);
    }
  });

  it("Slack: text with & < > escaped and no markup", async () => {
    const peer = await receiver();
    const sent = await deliver(peer, { type: "slack", webhookUrl: `${peer.origin}/services/T/B/x` });
    assert.equal(sent.url, "/services/T/B/x");
    assert.deepEqual(sent.body, {
      text: `web_1 is &lt;down&gt; &amp; *out*\n\nCPU 97 %\n&lt;!channel&gt; @everyone\n\n${notice.url}`,
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  it("Mattermost and Rocket.Chat: Markdown escaped, no one mentioned", async () => {
    const peer = await receiver();
    for (const type of ["mattermost", "rocketchat"]) {
      const sent = await deliver(peer, { type, webhookUrl: `${peer.origin}/hooks/x` });
      assert.equal(sent.url, "/hooks/x");
      const { text } = sent.body as { text: string };
      assert.match(text, /^web\\_1 is <down> & \\\*out\\\*\n\nCPU 97 %\n/u);
      assert.doesNotMatch(text, /@everyone/u);
    }
  });

  it("Signal: number, recipients and one text", async () => {
    const peer = await receiver();
    const group = `group.${"a".repeat(20)}=`;
    const recipients = ["+491701234568", group];
    const sent = await deliver(peer, {
      type: "signal",
      serverUrl: `${peer.origin}/`,
      number: "+491701234567",
      recipients,
    });
    assert.equal(sent.url, "/v2/send");
    const message = `${notice.title}\n\n${notice.text}\n\n${notice.url}`;
    assert.deepEqual(sent.body, { number: "+491701234567", recipients, message });
  });

  it("Home Assistant: a notify action, the token as Bearer", async () => {
    const peer = await receiver();
    const sent = await deliver(peer, {
      type: "homeassistant",
      serverUrl: peer.origin,
      action: "mobile_app_phone",
      token: "t0ken",
    });
    assert.equal(sent.url, "/api/services/notify/mobile_app_phone");
    assert.equal(sent.headers["authorization"], "Bearer t0ken");
    assert.deepEqual(sent.body, {
      title: notice.title,
      message: notice.text,
      data: { url: notice.url, clickAction: notice.url },
    });
  });

  it("Apprise API: type by severity, the tag, success when resolved", async () => {
    const peer = await receiver();
    const input = { type: "apprise", serverUrl: `${peer.origin}/apprise/`, configKey: "team-1" };
    const sent = await deliver(peer, { ...input, tag: "ops" });
    assert.equal(sent.url, "/apprise/notify/team-1");
    assert.deepEqual(sent.body, {
      title: notice.title,
      body: `${notice.text}\n\n${notice.url}`,
      type: "failure",
      format: "text",
      tag: "ops",
    });
    const resolved = await deliver(peer, input, { ...notice, kind: "resolved" });
    assert.deepEqual(
      [Reflect.get(Object(resolved.body), "type"), Reflect.has(Object(resolved.body), "tag")],
      ["success", false],
    );
  });

  it("LINE: a push message to one recipient", async () => {
    const input = { name: "one", type: "line", to: `C${"0".repeat(32)}`, accessToken: "t" };
    const parsed: ChannelInput = channelInputSchema.parse(input);
    const request = kindOf({ type: "line" }).request?.(settingsSchema.parse(parsed), {
      secrets: { accessToken: "t" },
      notice: { ...notice, text: "x".repeat(6_000) },
      id: "n",
      to: "",
      now: 0,
      sign: () => "",
    });
    assert.equal(request?.url, "https://api.line.me/v2/bot/message/push");
    const body: { to: string; messages: { type: string; text: string }[] } = JSON.parse(
      String(request?.body),
    );
    assert.deepEqual(
      [body.to, body.messages[0]?.type, body.messages[0]?.text.length],
      [input.to, "text", 5_000],
    );
    assert.equal(channelInputSchema.safeParse({ ...input, to: "somebody" }).success, false);
  });

  it("Zulip: a form, the bot by Basic, a topic for each check, Markdown escaped", async () => {
    const peer = await receiver();
    const input = {
      type: "zulip",
      serverUrl: peer.origin,
      botEmail: "bot@chat.example.org",
      apiKey: "k3y",
      channel: "ops",
    };
    const facts = { ...noFacts, check: "Shop ".repeat(20).trim(), group: "Web" };
    const sent = await deliver(peer, input, { ...notice, facts });
    assert.equal(sent.url, "/api/v1/messages");
    assert.equal(sent.headers["authorization"], `Basic ${btoa("bot@chat.example.org:k3y")}`);
    assert.equal(sent.headers["content-type"], "application/x-www-form-urlencoded");
    const form = new URLSearchParams(String(sent.body));
    assert.deepEqual([...form.keys()], ["type", "to", "topic", "content"]);
    assert.deepEqual([form.get("type"), form.get("to")], ["stream", "ops"]);
    assert.equal(form.get("topic")?.length, 60);
    assert.match(form.get("content") ?? "", /^web\\_1 is <down> & \\\*out\\\*\n\nCPU 97 %\n/u);
    const several = await deliver(peer, input, notice);
    assert.equal(new URLSearchParams(String(several.body)).get("topic"), "Trivet");
    const grouped = await deliver(peer, { ...input, topic: "{{group}}" }, { ...notice, facts });
    assert.equal(new URLSearchParams(String(grouped.body)).get("topic"), "Web");
  });

  it("Twilio: one form for each recipient, by number or messaging service", async () => {
    const peer = await receiver();
    const accountSid = `AC${"0".repeat(32)}`;
    const input = {
      type: "twilio",
      apiUrl: peer.origin,
      accountSid,
      authToken: "t0ken",
      from: "+15005550006",
      to: ["+491701234567", "+491701234568"],
    };
    const sent = await deliver(peer, input, { ...notice, title: "🔴 shop down" }, "+491701234568");
    assert.equal(sent.url, `/2010-04-01/Accounts/${accountSid}/Messages.json`);
    assert.equal(sent.headers["authorization"], `Basic ${btoa(`${accountSid}:t0ken`)}`);
    assert.deepEqual(Object.fromEntries(new URLSearchParams(String(sent.body))), {
      To: "+491701234568",
      From: "+15005550006",
      Body: `shop down\n${notice.url}`,
    });
    const service = await deliver(peer, { ...input, from: `MG${"a".repeat(32)}` }, notice, "+491701234567");
    assert.match(String(service.body), /MessagingServiceSid=MGa+&/u);
    const bad = { name: "one", ...input, from: "12345678901234" };
    assert.equal(channelInputSchema.safeParse(bad).success, false);
  });

  it("SMSEagle: the encoding that the text needs, and a failure of any recipient", async () => {
    const peer = await receiver();
    const to = "+491701234567";
    peer.answer((_request, response) =>
      response.end(JSON.stringify([{ status: "queued", message: "OK", number: to, id: 297 }])),
    );
    const input = { type: "smseagle", serverUrl: peer.origin, accessToken: "t0ken", to: [to] };
    const plain = await deliver(peer, input, { ...notice, title: "🔴 Büro offline" }, to);
    assert.equal(plain.url, "/api/v2/messages/sms");
    assert.equal(plain.headers["access-token"], "t0ken");
    assert.deepEqual(plain.body, {
      to: [to],
      text: `Büro offline\n${notice.url}`,
      encoding: "standard",
      priority: 9,
    });
    const unicode = await deliver(peer, input, { ...notice, title: "服务器离线" }, to);
    assert.equal(Reflect.get(Object(unicode.body), "encoding"), "unicode");
    const { findFailure } = kindOf({ type: "smseagle" });
    assert.match(findFailure?.('[{"status":"error","message":"No credit"}]') ?? "", /No credit/u);
    assert.match(findFailure?.("<html>") ?? "", /unexpected/u);
  });

  it("HTTP: method, headers, type and body of the template", async () => {
    const peer = await receiver();
    const sent = await deliver(peer, {
      type: "http",
      method: "PUT",
      url: `${peer.origin}/hook/{{uri severity}}?t={{uri title}}`,
      headers: { Authorization: "Bearer s", "X-Key": "k" },
      contentType: "text/plain",
      body: "{{severity}}: {{title}}",
    });
    assert.equal(sent.method, "PUT");
    assert.equal(sent.url, `/hook/critical?t=${encodeURIComponent(notice.title)}`);
    assert.equal(sent.body, `critical: ${notice.title}`);
    assert.deepEqual([sent.headers["authorization"], sent.headers["x-key"]], ["Bearer s", "k"]);
    const bare = await deliver(peer, { type: "http", url: `${peer.origin}/hook` });
    assert.deepEqual(bare.body, { ...notice });
    const get = await deliver(peer, { type: "http", method: "GET", url: `${peer.origin}/hook?{{uri kind}}` });
    assert.deepEqual([get.method, get.url, get.body], ["GET", "/hook?firing", ""]);
  });
});

describe("clip", () => {
  it("never leaves half a character", () => {
    assert.equal(clip("ab😀cd", 4), "ab…");
    assert.equal(clip("ab😀cd", 5), "ab😀…");
    assert.equal(clip("abcd", 4), "abcd");
  });
});
