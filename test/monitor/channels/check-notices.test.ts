/** Notices about checks as every channel's receiver gets them: down, up, certificates, reminders, masses, hostile texts. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { channelInputSchema, settingsSchema } from "../../../src/monitor/channels/schema.ts";
import { mergeSecrets } from "../../../src/monitor/channels/secrets.ts";
import { createSending } from "../../../src/monitor/channels/sending.ts";
import { createNoticeMail } from "../../../src/monitor/service-channels.ts";
import { type Receiver, startReceiver } from "../../kit/outbound-receiver.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { startSmtpPeer } from "../../support/smtp-peer.ts";
import { type AlertsBench, type Told, createAlertsBench } from "../alerts/alerts-bench.ts";
import { found } from "../alerts/fake-checks.ts";
import { createBench } from "./notice-bench.ts";
import { createTestNotify } from "./notify-fixture.ts";

const DAY_MS = 86_400_000;
const KEY_30 = "a".repeat(30);
/** Hostile text from a target. */
const HOSTILE =
  "<!channel> @everyone *[x](http://evil.example)* <b>&\u202e\u0007\r\nBcc: all@evil.example\u2028{{json title}}";
const LONG = `${"Kasse ".repeat(16)}№1`;

/** Every kind that sends over HTTP, with the position of its receiver. */
const channels: readonly (readonly [name: string, (origin: string) => object])[] = [
  ["ntfy", (origin) => ({ type: "ntfy", serverUrl: origin, topic: "fleet" })],
  ["gotify", (origin) => ({ type: "gotify", serverUrl: origin, token: "AbC.123" })],
  [
    "telegram",
    (origin) => ({ type: "telegram", apiUrl: origin, botToken: "123456:ABC-def_1", chatId: "-100123" }),
  ],
  ["discord", (origin) => ({ type: "discord", webhookUrl: `${origin}/api/webhooks/1/secret` })],
  ["slack", (origin) => ({ type: "slack", webhookUrl: `${origin}/services/T/B/x` })],
  [
    "matrix",
    (origin) => ({
      type: "matrix",
      homeserverUrl: origin,
      accessToken: "syt_1",
      roomId: "!room:example.org",
    }),
  ],
  ["pushover", (origin) => ({ type: "pushover", apiUrl: origin, token: KEY_30, user: KEY_30 })],
  ["teams", (origin) => ({ type: "teams", webhookUrl: `${origin}/workflows/1?sig=x` })],
  ["bark", (origin) => ({ type: "bark", serverUrl: origin, deviceKey: "ynJ5Ft4atkMkWeo2PAvFhF" })],
  ["feishu", (origin) => ({ type: "feishu", webhookUrl: `${origin}/open-apis/bot/v2/hook/1` })],
  ["dingtalk", (origin) => ({ type: "dingtalk", webhookUrl: `${origin}/robot/send?access_token=t` })],
  ["wecom", (origin) => ({ type: "wecom", webhookUrl: `${origin}/cgi-bin/webhook/send?key=k` })],
  ["serverchan", (origin) => ({ type: "serverchan", apiUrl: origin, sendKey: "SCT12345abc" })],
  ["http", (origin) => ({ type: "http", url: `${origin}/hook` })],
];

/** What alerts of checks say when all of it happens, one of each. */
async function collect(bench: AlertsBench): Promise<ReadonlyMap<string, Told>> {
  const told = new Map<string, Told>();
  const take = async (name: string): Promise<void> => {
    const [first, ...more] = (await bench.takeTold()).filter(({ channelId }) => channelId === "a");
    assert.deepEqual(more, [], name);
    told.set(name, first ?? assert.fail(`Nothing was told: ${name}`));
  };
  await bench.rule({ kind: "check", severity: "critical", remindEveryHours: 1 });
  const certificates = await bench.rule({ kind: "certificate" });
  bench.checks.add("chk_1", { name: LONG });
  bench.checks.stand("chk_1", "down", { places: [found({ fault: "content", detail: HOSTILE })] });
  await bench.pass(1);
  await take("down");
  await bench.pass(3_600);
  await take("reminder");
  bench.checks.up("chk_1");
  await bench.pass(1);
  await take("up");
  const certificate = {
    subject: `CN=${HOSTILE}`,
    issuer: HOSTILE,
    names: [HOSTILE],
    validFrom: 0,
    isTrusted: true,
    validTo: bench.clock.now() + 3 * DAY_MS,
  };
  bench.checks.stand("chk_1", "up", { places: [found()], certificate });
  await bench.pass(61);
  await take("certificate");
  await bench.replaceRule(certificates.id, { kind: "certificate", enabled: false });
  bench.checks.remove("chk_1");
  await bench.pass(1);
  await bench.takeTold();
  const ids = Array.from({ length: 1_000 }, (_, index) => `chk_m${index}`);
  for (const id of ids) bench.checks.add(id, { name: `${LONG.slice(0, 80)} ${id}` });
  bench.checks.down(...ids);
  await bench.pass(40);
  await take("mass down");
  bench.checks.up(...ids);
  await bench.pass(40);
  await take("mass up");
  return told;
}

/** All texts of a request's body. */
function toTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(toTexts) : [];
}

describe("notices about checks", () => {
  let told: ReadonlyMap<string, Told>;
  let peer: Receiver;
  before(async () => {
    told = await collect(await createAlertsBench());
    peer = await startReceiver();
  });
  after(() => peer.close());

  it("say what happened in one line, and hold nothing that a target could do harm with", () => {
    assert.deepEqual(
      [...told.values()].map(({ kind, title }) => [kind, title.replace(LONG, "NAME")]),
      [
        ["firing", "🔴 NAME down: unexpected content since 12:00 (1 s)"],
        ["reminder", "🔴 Reminder: NAME down: unexpected content since 12:00 (1 h)"],
        ["resolved", "🟢 NAME up again after 1 h"],
        ["reminder", "🟠 NAME: certificate expires in 2 days (2026-02-03)"],
        ["firing", "🔴 1000 checks down"],
        ["resolved", "🟢 1000 checks up again"],
      ],
    );
    for (const { title, text, url } of told.values()) {
      assert.ok(title.length <= 200 && text.length <= 4_000);
      assert.doesNotMatch(title, /[\p{Cc}\u202e\u2028]/u);
      assert.doesNotMatch(text, /[^\P{Cc}\n]|[\u202e\u2028]/u);
      assert.doesNotMatch(text, /^Bcc:/mu);
      assert.match(url ?? "", /^https:\/\/status\.example\//u);
    }
  });

  for (const [name, toInput] of channels)
    it(`are taken by ${name}, each with its title and within its bounds`, async () => {
      // What those expect that answer a refusal with status 200, too.
      const answer = { code: name === "bark" ? 200 : 0, errcode: 0, StatusCode: 0 };
      peer.answer((_request, response) => void response.end(JSON.stringify(answer)));
      const parsed = channelInputSchema.parse({ name: "one", ...toInput(peer.origin) });
      const settings = settingsSchema.parse(parsed);
      const channel = { settings, secrets: mergeSecrets(parsed, { settings, before: undefined }) };
      const sending = createSending({ ...createTestNotify(), clock: createFixedClock() });
      for (const [what, notice] of told) {
        const outcome = await sending.send({ id: what.replace(" ", "-"), channel, to: "", notice });
        assert.deepEqual(outcome, { status: "sent" }, what);
        const { body = "", headers } = peer.requests.at(-1) ?? {};
        assert.match(String(headers?.["content-type"]), /json/u);
        const whole = toTexts(JSON.parse(body)).join("\n");
        // Where a channel's markup is quoted, a title is not found as it is.
        const bare = (text: string): string => text.replace(/[\\\s]/gu, "");
        assert.ok(bare(whole).includes(bare(notice.title).slice(0, 20)), `${what}: ${whole.slice(0, 300)}`);
        assert.doesNotMatch(whole, /[\u0000-\u0008\u202e\u2028]/u, what);
        assert.ok(body.length < 20_000, what);
      }
      if (name === "discord")
        assert.deepEqual(JSON.parse(peer.requests.at(-1)?.body ?? "").allowed_mentions, { parse: [] });
    });

  it("are mails with one subject and no header of a target's making", async () => {
    const smtp = await startSmtpPeer({ behaviour: "normal" });
    const from = "Monitor <monitor@status.example>";
    const server = { host: "127.0.0.1", port: smtp.port, security: "none", from } as const;
    const opened = createNoticeMail(() => Promise.resolve({ key: "1", server, rules: undefined }));
    try {
      const bench = createBench({ notify: createTestNotify({ mail: opened.mail }) });
      const id = await bench.addChannel({ type: "email", to: ["ada@example.org"] });
      for (const [key, notice] of told)
        await bench.tell({ ...notice, key: key.replace(" ", "-"), channelIds: [id] });
      assert.deepEqual(await bench.notices.deliver(), { sent: told.size, failed: 0, waiting: 0 });
      assert.equal(smtp.mails.length, told.size);
      for (const { raw, to } of smtp.mails) {
        assert.deepEqual(to, ["ada@example.org"]);
        const head = raw.slice(0, raw.indexOf("\r\n\r\n"));
        assert.equal(head.match(/^Subject:/gmu)?.length, 1);
        assert.doesNotMatch(head, /^Bcc:/imu);
      }
    } finally {
      opened.close();
      await smtp.close();
    }
  });
});
