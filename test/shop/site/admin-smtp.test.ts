/** How mails leave, for administrators: against a real mail server on a loopback port. */
import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import type { MailMessage, MailOutcome } from "../../../src/kit/mail/mail.ts";
import { readSmtp } from "../../../src/shop/site/settings.ts";
import { type SmtpPeer, type SmtpPeerOptions, startSmtpPeer } from "../../support/smtp-peer.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";

const PATH = "/api/admin/smtp";
const MINUTE = 60_000;
const fields = {
  enabled: true,
  host: "127.0.0.1",
  port: 25,
  security: "none",
  fromAddress: "shop@example.org",
} as const;

let peers: SmtpPeer[] = [];
afterEach(async () => {
  for (const peer of peers) await peer.close();
  peers = [];
});

async function startPeer(options: SmtpPeerOptions = {}): Promise<SmtpPeer> {
  const peer = await startSmtpPeer(options);
  peers.push(peer);
  return peer;
}

interface SmtpView {
  enabled: boolean;
  enabledAt?: string;
  passwordSet: boolean;
  version: number;
}

interface Entry {
  id: string;
  kind: string;
  state: string;
  lastError?: string;
}

interface Step {
  step: string;
  result: string;
  said: string;
}

function put(app: TestShop, body: object): Promise<Response> {
  return app.admin("PUT", PATH, body);
}

async function outbox(app: TestShop, query = ""): Promise<Entry[]> {
  const page = await read<{ items: Entry[] }>(await app.admin("GET", `${PATH}/outbox${query}`));
  return page.items;
}

async function enqueue(app: TestShop, kind: string): Promise<void> {
  const mail = { kind, to: "ada@example.org", subject: kind, text: "Hello" };
  await app.store.transact((tx) => app.shop.deps.outbox.enqueue(tx, mail));
}

function createSender(...outcomes: MailOutcome[]): {
  sent: MailMessage[];
  send(message: MailMessage): Promise<MailOutcome>;
  close(): void;
} {
  const sent: MailMessage[] = [];
  return {
    sent,
    send: async (message) => {
      sent.push(message);
      return outcomes[Math.min(sent.length, outcomes.length) - 1] ?? { status: "sent" };
    },
    close: () => undefined,
  };
}

describe("GET, PUT /api/admin/smtp", () => {
  it("takes the password in, keeps it, removes it, and never shows it", async () => {
    const app = await createTestShop();
    const answers = [await put(app, { ...fields, username: "shop", password: "correct horse" })];
    answers.push(await put(app, { ...fields, username: "shop" }), await app.admin("GET", PATH));
    for (const answer of answers) {
      assert.doesNotMatch(await answer.clone().text(), /horse|"password"/u);
      assert.equal((await read<SmtpView>(answer)).passwordSet, true);
    }
    const { password = "" } = await app.store.read(readSmtp);
    assert.doesNotMatch(password, /horse/u);
    assert.equal(app.shop.deps.box.open(password, "smtp"), "correct horse");
    assert.equal((await read<SmtpView>(await put(app, { ...fields, password: "" }))).passwordSet, false);
  });

  it("remembers when it was switched on", async () => {
    const app = await createTestShop();
    assert.equal((await read<SmtpView>(await put(app, { ...fields, enabled: false }))).enabledAt, undefined);
    const first = (await read<SmtpView>(await put(app, fields))).enabledAt;
    assert.equal(first, "2026-01-31T12:00:00.000+00:00");
    app.clock.advance(MINUTE);
    assert.equal((await read<SmtpView>(await put(app, fields))).enabledAt, first);
    await put(app, { ...fields, enabled: false });
    assert.notEqual((await read<SmtpView>(await put(app, fields))).enabledAt, first);
  });

  it("is guarded by versions", async () => {
    const app = await createTestShop();
    await put(app, { ...fields, version: 0 });
    assert.deepEqual(await code(await put(app, { ...fields, version: 0 })), [409, "version_conflict"]);
    const stale = await app.admin("PUT", PATH, fields, { "if-match": '"0"' });
    assert.deepEqual(await code(stale), [412, "version_conflict"]);
  });

  const breaks = ["\r\n", "\n", "\r", "\u2028", "\u2029", "\u0085", "\0"];
  it("refuses line breaks in every field", async () => {
    const app = await createTestShop();
    const names = ["host", "username", "fromAddress", "fromName", "replyTo", "adminAddress", "security"];
    for (const name of names) {
      for (const separator of breaks) {
        const value = `a@example.org${separator}Bcc: b@example.org`;
        const answer = await put(app, { ...fields, [name]: value });
        assert.deepEqual(await code(answer), [422, "invalid"], `${name} ${JSON.stringify(separator)}`);
      }
    }
    for (const separator of breaks) {
      const answer = await app.admin("POST", `${PATH}/test`, { to: `a@example.org${separator}Bcc: b@e.org` });
      assert.equal(answer.status, 422, JSON.stringify(separator));
    }
  });

  it("refuses what is not complete, unknown or too large, and who has no token", async () => {
    const app = await createTestShop();
    for (const body of [
      { ...fields, host: "" },
      { ...fields, fromAddress: "" },
      { ...fields, host: "mail.example.org/path" },
      { ...fields, fromAddress: "Ada <a@example.org>" },
      { ...fields, fromAddress: "a@example.org,b@example.org" },
      { ...fields, port: 0 },
      { ...fields, enabledAt: 1 },
      { ...fields, notify: { other: true } },
    ])
      assert.deepEqual(await code(await put(app, body)), [422, "invalid"], JSON.stringify(body));
    assert.equal((await put(app, { ...fields, fromName: "x".repeat(300_000) })).status, 413);
    for (const [method, path] of [
      ["GET", PATH],
      ["PUT", PATH],
      ["POST", `${PATH}/test`],
      ["GET", `${PATH}/outbox`],
      ["POST", `${PATH}/outbox/mail_1/retry`],
    ] as const) {
      const answer = await app.send(method, path, method === "GET" ? {} : { body: {} });
      assert.deepEqual(await code(answer), [401, "unauthenticated"]);
    }
  });
});

describe("POST /api/admin/smtp/test", () => {
  it("tells each step in the server's words", async () => {
    const app = await createTestShop();
    const credentials = { user: "shop", password: "correct horse" };
    const peer = await startPeer({ credentials });
    await put(app, {
      ...fields,
      port: peer.port,
      username: "shop",
      password: "correct horse",
      fromName: 'Corner "shop" <x@example.org>',
      replyTo: "answers@example.org",
    });
    const answer = await app.admin("POST", `${PATH}/test`, { to: "ada@example.org" });
    const { steps } = await read<{ steps: Step[] }>(answer);
    assert.deepEqual(
      steps.map(({ step, result }) => `${step} ${result}`),
      ["resolve ok", "connect ok", "tls skipped", "auth ok", "send ok"],
    );
    assert.match(steps.map(({ said }) => said).join("\n"), /220 .*ESMTP[^]*235 [^]*250 /u);
    assert.equal(peer.mails.length, 1);
    assert.match(peer.mails[0]?.raw ?? "", /^Reply-To: answers@example\.org\r$/mu);
    assert.deepEqual(peer.mails[0]?.to, ["ada@example.org"]);
  });

  it("leaves alone what a PATCH or a PUT does not name", async () => {
    const app = await createTestShop();
    await put(app, { ...fields, adminAddress: "owner@example.org", notify: { restock: false } });
    for (const method of ["PATCH", "PUT"]) {
      const answer = await app.admin(method, PATH, { fromName: method, notify: { chat_reply: false } });
      const view = await read<{ fromName: string; adminAddress: string; notify: object }>(answer);
      assert.deepEqual([view.fromName, view.adminAddress], [method, "owner@example.org"]);
      assert.deepEqual({ ...view.notify, restock: false, chat_reply: false }, view.notify);
    }
    assert.deepEqual(await code(await app.admin("PATCH", PATH, { enabledAt: 1 })), [422, "invalid"]);
  });

  it("names the step that failed, without user and password", async () => {
    const app = await createTestShop();
    const peer = await startPeer({ credentials: { user: "other", password: "other" } });
    await put(app, { ...fields, port: peer.port, username: "mailer", password: "correct horse" });
    const test = (): Promise<Response> => app.admin("POST", `${PATH}/test`, { to: "ada@example.org" });
    const refused = await test();
    assert.equal(refused.status, 502);
    const text = await refused.text();
    assert.doesNotMatch(text, /horse|mailer/u);
    const problem: { code: string; step: string; steps: Step[] } = JSON.parse(text);
    assert.deepEqual([problem.code, problem.step], ["smtp_failed", "auth"]);
    assert.match(problem.steps[3]?.said ?? "", /^535 5\.7\.8/u);

    await put(app, { ...fields, port: peer.port, username: "", security: "starttls" });
    assert.equal((await read<{ step: string }>(await test(), 502)).step, "tls");
    const picky = await startPeer({ behaviour: "5xx-at-rcpt" });
    await put(app, { ...fields, port: picky.port, username: "", password: "" });
    assert.equal((await read<{ step: string }>(await test(), 502)).step, "send");
    await picky.close();
    peers = peers.filter((other) => other !== picky);
    assert.equal((await read<{ step: string }>(await test(), 502)).step, "connect");
  });

  it("wants a server first", async () => {
    const app = await createTestShop();
    const answer = await app.admin("POST", `${PATH}/test`, { to: "ada@example.org" });
    assert.deepEqual(await code(answer), [409, "conflict"]);
  });
});

describe("the outbox of the shop", () => {
  it("is listed by state and kind, page by page", async () => {
    const app = await createTestShop();
    for (const kind of ["order_placed", "order_paid", "order_placed"]) await enqueue(app, kind);
    assert.deepEqual((await outbox(app, "?kind=order_placed")).length, 2);
    assert.deepEqual((await outbox(app, "?kind=order_placed&state=waiting")).length, 2);
    assert.deepEqual(await outbox(app, "?state=failed"), []);
    const first = await read<{ items: Entry[]; nextCursor: string }>(
      await app.admin("GET", `${PATH}/outbox?limit=2`),
    );
    assert.equal(first.items.length, 2);
    assert.equal((await outbox(app, `?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)).length, 1);
    assert.equal((await app.admin("GET", `${PATH}/outbox?state=decoy`)).status, 422);
    assert.equal((await app.admin("GET", `${PATH}/outbox?cursor=x`)).status, 400);
  });

  it("drops queued mails of a kind that is switched off, at once and before sending", async () => {
    const sender = createSender();
    const app = await createTestShop({ sender });
    await enqueue(app, "restock");
    await enqueue(app, "order_paid");
    await put(app, { ...fields, notify: { restock: false } });
    assert.deepEqual(
      (await outbox(app)).map(({ kind }) => kind),
      ["order_paid"],
    );
    await enqueue(app, "restock");
    await app.shop.deps.outbox.deliver();
    assert.deepEqual(
      sender.sent.map(({ subject }) => subject),
      ["order_paid"],
    );
    assert.deepEqual(
      (await outbox(app)).map(({ kind }) => kind),
      ["order_paid"],
    );
  });

  it("sends nothing older than 10 minutes when SMTP is switched on, but by a retry", async () => {
    const sender = createSender();
    const app = await createTestShop({ sender });
    await enqueue(app, "order_paid");
    app.clock.advance(MINUTE);
    await enqueue(app, "order_placed");
    app.clock.advance(10 * MINUTE);
    await put(app, fields);
    await app.shop.deps.outbox.deliver();
    assert.deepEqual(
      sender.sent.map(({ subject }) => subject),
      ["order_placed"],
    );
    const [held] = await outbox(app, "?state=failed");
    assert.match(held?.lastError ?? "", /retry sends it/u);
    const retried = await app.admin("POST", `${PATH}/outbox/${held?.id ?? ""}/retry`);
    assert.equal(retried.status, 204);
    await app.shop.deps.outbox.deliver();
    assert.equal(sender.sent.length, 2);
    assert.deepEqual(await outbox(app, "?state=failed"), []);
  });

  it("gives up after 5 attempts, and starts over at a retry", async () => {
    const busy = { status: "temporary", reason: "The server is busy" } as const;
    const sender = createSender(busy);
    const app = await createTestShop({ sender });
    await enqueue(app, "order_paid");
    for (let i = 0; i < 10; i += 1) {
      await app.shop.deps.outbox.deliver();
      app.clock.advance(60 * MINUTE);
    }
    assert.equal(sender.sent.length, 5);
    const [failed] = await outbox(app, "?state=failed");
    assert.equal(failed?.lastError, busy.reason);
    await app.admin("POST", `${PATH}/outbox/${failed?.id ?? ""}/retry`);
    for (let i = 0; i < 10; i += 1) {
      await app.shop.deps.outbox.deliver();
      app.clock.advance(60 * MINUTE);
    }
    assert.equal(sender.sent.length, 10);
  });

  it("has nothing to retry where there is no mail", async () => {
    const app = await createTestShop();
    const answer = await app.admin("POST", `${PATH}/outbox/mail_none/retry`);
    assert.deepEqual(await code(answer), [404, "not_found"]);
  });
});
