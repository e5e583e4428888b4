/** Push services and messengers: the exact form of what each is sent, and refusals inside of good answers. */
import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { createSending } from "../../../src/monitor/channels/sending.ts";
import { channelInputSchema, settingsSchema } from "../../../src/monitor/channels/schema.ts";
import { type OpenChannel, mergeSecrets } from "../../../src/monitor/channels/secrets.ts";
import type { Notice } from "../../../src/monitor/channels/kinds/notice.ts";
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
  title: "🔴 web_1 offline since 03:14 (2 min)",
  text: "Home · *Germany*\nRule: Gone",
  url: "https://status.example/servers/web_1",
};
const over: Notice = { ...notice, kind: "resolved" };
const whole = `${notice.title}\n\n${notice.text}\n\n${notice.url}`;
/** 2026-01-31T12:00:00Z, the time of the fixed clock. */
const NOW = Date.parse("2026-01-31T12:00:00Z");
const KEY_30 = "a".repeat(30);

async function openPeer(): Promise<Receiver> {
  const peer = await startReceiver();
  cleanUp.push(() => peer.close());
  return peer;
}

function toChannel(input: object): OpenChannel {
  const parsed = channelInputSchema.parse({ name: "one", ...input });
  const settings = settingsSchema.parse(parsed);
  return { settings, secrets: mergeSecrets(parsed, { settings, before: undefined }) };
}

const createTestSending = () => createSending({ ...createTestNotify(), clock: createFixedClock() });

/** What the receiver gets: method, path with query, body, headers. */
async function deliver(peer: Receiver, input: object, sent: Notice = notice) {
  const outcome = await createTestSending().send({
    id: "inc_1:down:chn_1",
    channel: toChannel(input),
    to: "",
    notice: sent,
  });
  assert.deepEqual(outcome, { status: "sent" });
  const request = peer.requests.at(-1);
  assert.ok(request !== undefined);
  const { method, url, headers } = request;
  return { method, url, headers, body: JSON.parse(request.body) as Record<string, unknown> };
}

describe("what messengers and push services are sent", () => {
  it("Matrix: m.text into the room, the notice's id as transaction, the token as Bearer", async () => {
    const peer = await openPeer();
    const sent = await deliver(peer, {
      type: "matrix",
      homeserverUrl: `${peer.origin}/`,
      roomId: "!abc:example.org",
      accessToken: "syt_secret",
    });
    assert.deepEqual(
      [sent.method, sent.url, sent.headers["authorization"]],
      [
        "PUT",
        "/_matrix/client/v3/rooms/!abc%3Aexample.org/send/m.room.message/inc_1%3Adown%3Achn_1",
        "Bearer syt_secret",
      ],
    );
    assert.deepEqual(sent.body, { msgtype: "m.text", body: whole });
  });

  it("Pushover: priority by urgency, emergencies with retry and expire", async () => {
    const peer = await openPeer();
    const channel = { type: "pushover", apiUrl: peer.origin, token: KEY_30, user: "b".repeat(30) };
    const sent = await deliver(peer, channel);
    assert.deepEqual([sent.method, sent.url], ["POST", "/1/messages.json"]);
    assert.deepEqual(sent.body, {
      token: KEY_30,
      user: "b".repeat(30),
      title: notice.title,
      message: notice.text,
      url: notice.url,
      priority: 1,
    });
    assert.equal((await deliver(peer, channel, over)).body["priority"], -1);
    const emergency = { ...channel, critical: "emergency" };
    const { priority, retry, expire } = (await deliver(peer, emergency)).body;
    assert.deepEqual([priority, retry, expire], [2, 60, 3_600]);
    assert.equal((await deliver(peer, emergency, over)).body["priority"], -1);
    const long = await deliver(peer, channel, { ...notice, text: "x".repeat(4_000) });
    assert.equal(String(long.body["message"]).length, 1_024);
  });

  it("Teams: an Adaptive Card with its colour and one button", async () => {
    const peer = await openPeer();
    const channel = { type: "teams", webhookUrl: `${peer.origin}/workflows/1?sig=x` };
    const sent = await deliver(peer, channel);
    assert.equal(sent.url, "/workflows/1?sig=x");
    assert.deepEqual(sent.body, {
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              {
                type: "TextBlock",
                wrap: true,
                text: "🔴 web\\_1 offline since 03:14 (2 min)",
                weight: "Bolder",
                size: "Medium",
                color: "Attention",
              },
              { type: "TextBlock", wrap: true, text: "Home · \\*Germany\\*\n\nRule: Gone" },
            ],
            actions: [{ type: "Action.OpenUrl", title: "Open", url: notice.url }],
          },
        },
      ],
    });
    assert.match(JSON.stringify((await deliver(peer, channel, over)).body), /"color":"Good"/u);
  });

  it("Bark: /push with the device's key and a level by urgency", async () => {
    const peer = await openPeer();
    const channel = { type: "bark", serverUrl: peer.origin, deviceKey: "ynJ5Ft4atkMkWeo2PAvFhF" };
    const sent = await deliver(peer, channel);
    assert.deepEqual([sent.method, sent.url], ["POST", "/push"]);
    assert.deepEqual(sent.body, {
      device_key: "ynJ5Ft4atkMkWeo2PAvFhF",
      title: notice.title,
      body: notice.text,
      level: "critical",
      group: "Trivet",
      url: notice.url,
    });
    assert.equal((await deliver(peer, channel, over)).body["level"], "active");
  });

  it("Feishu: text, signed with time and secret as the key when there is one", async () => {
    const peer = await openPeer();
    const channel = { type: "feishu", webhookUrl: `${peer.origin}/open-apis/bot/v2/hook/1` };
    const sent = await deliver(peer, channel);
    assert.equal(sent.url, "/open-apis/bot/v2/hook/1");
    assert.deepEqual(sent.body, { msg_type: "text", content: { text: whole } });
    const signed = await deliver(peer, { ...channel, signSecret: "demo" });
    // printf '' | openssl dgst -sha256 -hmac $'1769860800\ndemo' -binary | base64
    assert.deepEqual(
      [signed.body["timestamp"], signed.body["sign"]],
      [String(NOW / 1_000), "qPo38T2B+1tonju4QoSwTJM4WZ5dbvZ9CtELQMmIfY4="],
    );
  });

  it("DingTalk: text, signed in the query when there is a secret", async () => {
    const peer = await openPeer();
    const channel = { type: "dingtalk", webhookUrl: `${peer.origin}/robot/send?access_token=t` };
    const sent = await deliver(peer, channel);
    assert.equal(sent.url, "/robot/send?access_token=t");
    assert.deepEqual(sent.body, { msgtype: "text", text: { content: whole } });
    const signed = await deliver(peer, { ...channel, signSecret: "SECdemo" });
    const query = new URL(signed.url, peer.origin).searchParams;
    // printf '1769860800000\nSECdemo' | openssl dgst -sha256 -hmac SECdemo -binary | base64
    assert.deepEqual(
      [query.get("access_token"), query.get("timestamp"), query.get("sign")],
      ["t", String(NOW), "8Oq8uC67x0cLn88CcadkZoSH+SgpQDjHra94eGPOoug="],
    );
  });

  it("WeCom: text of at most 2,048 bytes", async () => {
    const peer = await openPeer();
    const channel = { type: "wecom", webhookUrl: `${peer.origin}/cgi-bin/webhook/send?key=k` };
    const sent = await deliver(peer, channel);
    assert.equal(sent.url, "/cgi-bin/webhook/send?key=k");
    assert.deepEqual(sent.body, { msgtype: "text", text: { content: whole } });
    const long = await deliver(peer, channel, { ...notice, text: "字".repeat(3_000) });
    const { content } = Object(long.body["text"]) as { content: string };
    assert.ok(new TextEncoder().encode(content).length <= 2_048);
  });

  it("ServerChan: the path of the key's kind, a short title, Markdown with the whole", async () => {
    const peer = await openPeer();
    const sct = await deliver(peer, { type: "serverchan", apiUrl: peer.origin, sendKey: "SCT12345abc" });
    assert.deepEqual([sct.method, sct.url], ["POST", "/SCT12345abc.send"]);
    assert.deepEqual(sct.body, {
      title: "🔴 web_1 offline since 03:14 (2…",
      desp: `${notice.title}\n\nHome · *Germany*\n\nRule: Gone\n\n${notice.url}`,
    });
    const sc3 = await deliver(peer, { type: "serverchan", apiUrl: peer.origin, sendKey: "sctp123tabcdef" });
    assert.equal(sc3.url, "/send/sctp123tabcdef.send");
  });
});

describe("a refusal inside of a good answer", () => {
  const refusals: [name: string, toInput: (origin: string) => object, answer: object, said: RegExp][] = [
    [
      "Feishu",
      (origin) => ({ type: "feishu", webhookUrl: `${origin}/hook` }),
      { code: 19021, msg: "sign match fail or timestamp is not within one hour" },
      /^The receiver rejected the notification: code 19021: sign match fail/u,
    ],
    [
      "DingTalk",
      (origin) => ({ type: "dingtalk", webhookUrl: `${origin}/robot?access_token=secret-token` }),
      { errcode: 310000, errmsg: "sign not match" },
      /^The receiver rejected the notification: errcode 310000: sign not match$/u,
    ],
    [
      "WeCom",
      (origin) => ({ type: "wecom", webhookUrl: `${origin}/send?key=k` }),
      { errcode: 93000, errmsg: "invalid webhook url" },
      /errcode 93000: invalid webhook url/u,
    ],
    [
      "Pushover",
      (origin) => ({ type: "pushover", apiUrl: origin, token: KEY_30, user: KEY_30 }),
      { status: 0, errors: ["user identifier is invalid"] },
      /status 0: user identifier is invalid/u,
    ],
    [
      "Bark",
      (origin) => ({ type: "bark", serverUrl: origin, deviceKey: "k".repeat(22) }),
      { code: 400, message: "failed to get device token" },
      /code 400: failed to get device token/u,
    ],
    [
      "ServerChan",
      (origin) => ({ type: "serverchan", apiUrl: origin, sendKey: "SCT12345abc" }),
      { code: 40001, message: "bad pushtoken" },
      /code 40001: bad pushtoken/u,
    ],
  ];
  for (const [name, toInput, answer, said] of refusals) {
    it(`${name} says so, and the notice waits for another try`, async () => {
      const peer = await openPeer();
      peer.answer((_request, response) => void response.end(JSON.stringify(answer)));
      const channel = toChannel(toInput(peer.origin));
      const sending = createTestSending();
      const outcome = await sending.send({ id: "n", channel, to: "", notice });
      assert.equal(outcome.status, "temporary");
      assert.match("reason" in outcome ? outcome.reason : "", said);
      const tried = await sending.test(channel, notice);
      assert.deepEqual([tried.ok, tried.status], [false, 200]);
      assert.match(tried.error ?? "", said);
    });
  }
});
