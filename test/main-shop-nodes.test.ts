/** Two processes of the shop on one PostgreSQL, joined by a real NATS server: each thing once, known to both. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { png } from "./auth/pictures.ts";
import { eventually } from "./support/eventually.ts";
import { EventReader } from "./shop/chat/chat-fixture.ts";
import { ADMIN_TOKEN, createKillLoad } from "./shop/kill-load.ts";
import { type NatsServer, skipWithoutNats, startNatsServer } from "./support/nats-server.ts";
import { type TestDatabase, createTestDatabase } from "./support/postgres.ts";
import { type Program, type Programs, createPrograms } from "./support/program.ts";
import { signUp } from "./support/sign-up.ts";
import { type SmtpPeer, startSmtpPeer } from "./support/smtp-peer.ts";

const SECRET = "a secret of the payment service";
const admin = { "x-admin-token": ADMIN_TOKEN };

interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask<T>(method: string, url: string, { body, headers = {} }: Sent = {}): Promise<Answer<T>> {
  const json: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...json },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: T = await response.json();
  return { status: response.status, body: answer };
}

/** A request that has to succeed. */
async function call<T>(method: string, url: string, sent: Sent = {}): Promise<T> {
  const { status, body } = await ask<T>(method, url, sent);
  assert.ok(status < 300, `${method} ${url}: ${status} ${JSON.stringify(body)}`);
  return body;
}

interface Bought {
  readonly order: { readonly id: string; readonly total: number };
  readonly accessToken: string;
}

/** Creates a product of 5.00 EUR. */
async function sell(url: string, fields: object): Promise<string> {
  const body = { title: "A thing", price: 500, status: "published", ...fields };
  return (await call<{ id: string }>("POST", `${url}/api/admin/products`, { headers: admin, body })).id;
}

/** Asks again while the shop is too busy: many change one record, and so may the machine be. */
async function untilTaken<T>(send: () => Promise<Answer<T>>): Promise<Answer<T>> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

let buyers = 0;

function buy(url: string, productId: string, email = "ann@example.org"): Promise<Answer<Bought>> {
  buyers += 1;
  const headers = { "x-forwarded-for": `10.9.0.${buyers}` };
  const body = {
    items: [{ productId, quantity: 1 }],
    contact: { email },
    consents: { digitalContent: true },
  };
  return untilTaken(() => ask<Bought>("POST", `${url}/api/checkout`, { headers, body }));
}

function notify(url: string, { id, total }: Bought["order"]): Promise<Answer<{ result: string }>> {
  const data = { id: `ref-${id}`, orderId: id, amount: total, currency: "EUR", status: "succeeded" };
  return untilTaken(() =>
    ask("POST", `${url}/api/webhooks/generic-pay`, {
      headers: { "x-webhook-secret": SECRET },
      body: { type: "payment.arrived", data },
    }),
  );
}

const server = await startNatsServer();

describe("two processes of the shop", { skip: skipWithoutNats() }, () => {
  let programs: Programs;
  let database: TestDatabase;
  let smtp: SmtpPeer;
  let authUrl: string;
  let nats: NatsServer;
  let a: { program: Program; url: string };
  let b: { program: Program; url: string };
  /** Closes what was opened, also when `before` did not come to its end. */
  const undo: (() => Promise<unknown>)[] = [];

  /** A shop with a data folder of its own. */
  async function start(name: string): Promise<{ program: Program; url: string }> {
    const env = {
      ADMIN_TOKEN,
      DATABASE_URL: database.url,
      NATS_URL: nats.url,
      SHOP_SECRET: "a secret that both processes have, long enough",
      AUTH_URL: authUrl,
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}?from=shop@example.org`,
      TRUSTED_PROXIES: "127.0.0.1",
      DATA_DIR: join(programs.folder, name),
    };
    const program = programs.run(env, ["shop"]);
    return { program, url: await programs.shopUrl(program) };
  }

  const health = (url: string): Promise<Answer<{ status: string }>> => ask("GET", `${url}/api/health`);
  const mailsTo = (address: string): string[] =>
    smtp.mails.filter(({ to }) => to.includes(address)).map(({ raw }) => raw);

  before(async () => {
    assert.ok(server);
    nats = server;
    undo.unshift(() => nats.stop());
    database = await createTestDatabase();
    undo.unshift(() => database.drop());
    smtp = await startSmtpPeer();
    undo.unshift(() => smtp.close());
    programs = await createPrograms();
    undo.unshift(() => programs.dispose());
    authUrl = await programs.authUrl(programs.run({ ADMIN_TOKEN }, ["auth"]));
    [a, b] = await Promise.all([start("a"), start("b")]);
  });
  after(async () => {
    for (const close of undo) await close();
  });

  // The first one: it counts all orders that there are.
  it("lose nothing when one of them is killed under load, and the other goes on", async () => {
    const load = createKillLoad({ buyers: 2, most: 400 });
    await load.prepare(a.url);
    let isDead = false;
    let isOver = false;
    const both = Promise.all([load.go(a.url, () => isDead), load.go(b.url, () => isOver)]);
    await eventually(() => load.counts().notices >= 8);
    a.program.child.kill("SIGKILL");
    isDead = true;
    await a.program.ended;
    const { notices } = load.counts();
    await eventually(() => load.counts().notices > notices + 4);
    isOver = true;
    await both;
    await load.verify(b.url);
    a = await start("a");
  });

  it("sell what there is and no more", async () => {
    const productId = await sell(a.url, { deliveryType: "manual", onHand: 10 });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => buy(n % 2 === 0 ? a.url : b.url, productId)),
    );
    const statuses = answers.map(({ status }) => status).sort((x, y) => x - y);
    assert.deepEqual(statuses, [...Array(10).fill(201), ...Array(30).fill(409)]);
  });

  it("take a notice that comes to both at once one time: one key, one mail", async () => {
    const productId = await sell(a.url, { deliveryType: "auto_secret" });
    const path = `${a.url}/api/admin/products/${productId}/secrets`;
    await call("POST", path, { headers: admin, body: ["ONCE-0001", "ONCE-0002"] });
    const { body: bought } = await buy(b.url, productId, "once@example.org");
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => notify(n % 2 === 0 ? a.url : b.url, bought.order)),
    );
    assert.deepEqual(answers.map(({ status, body }) => `${status} ${body.result}`).sort(), [
      "200 applied",
      ...Array(9).fill("200 duplicate"),
    ]);
    const page = `${b.url}/api/orders/${bought.order.id}`;
    const { lines } = await call<{ lines: { delivered?: string[] }[] }>("GET", page, {
      headers: { "x-order-token": bought.accessToken },
    });
    assert.equal(lines.flatMap(({ delivered = [] }) => delivered).length, 1);
    const outbox = `${a.url}/api/admin/smtp/outbox?limit=100`;
    // Of this buyer alone: what the killed one was about to send waits for two minutes.
    const isWaiting = async (): Promise<boolean> =>
      (await call<{ items: { to: string; state: string }[] }>("GET", outbox, { headers: admin })).items.some(
        ({ to, state }) => to === "once@example.org" && state === "waiting",
      );
    await eventually(async () => assert.equal(await isWaiting(), false));
    assert.equal(mailsTo("once@example.org").filter((raw) => raw.includes("ONCE-")).length, 1);
  });

  it("tell those who wait at one of them what happens at the other", async () => {
    const ann = { username: "ann", password: "correct horse battery" };
    const token = await signUp({ authUrl, adminToken: ADMIN_TOKEN, ...ann });
    const headers = { authorization: `Bearer ${token}` };
    const first = { headers, body: { body: "Is it there?", clientId: "first" } };
    const { conversationId = "" } = await call<{ conversationId?: string }>(
      "POST",
      `${a.url}/api/chat/messages`,
      first,
    );
    const conversations = await call<{ items: { id: string }[] }>(
      "GET",
      `${b.url}/api/admin/chat/conversations`,
      { headers: admin },
    );
    const id = conversationId === "" ? (conversations.items[0]?.id ?? "") : conversationId;
    const end = new AbortController();
    const stream = new EventReader(await fetch(`${a.url}/api/chat/stream`, { headers, signal: end.signal }));
    await stream.state();
    const reply = (body: string): Promise<unknown> =>
      call("POST", `${b.url}/api/admin/chat/conversations/${id}/messages`, {
        headers: admin,
        body: { body },
      });
    await reply("Yes, it is");
    assert.equal((await stream.message()).body, "Yes, it is");

    const productId = await sell(b.url, { deliveryType: "manual", onHand: 5 });
    const { body: bought } = await buy(a.url, productId, "waits@example.org");
    const path = `${a.url}/api/orders/${bought.order.id}/payment-status?wait=25`;
    const waiting = call<{ paymentStatus: string }>("GET", path, {
      headers: { "x-order-token": bought.accessToken },
    });
    assert.equal((await notify(b.url, bought.order)).status, 200);
    assert.equal((await waiting).paymentStatus, "paid");

    // The rest of the stream: without NATS, by looks at the database.
    await nats.kill();
    for (const { url } of [a, b])
      await eventually(async () => {
        const { status, body } = await health(url);
        assert.deepEqual([status, body.status], [200, "degraded"]);
      });
    await reply("Still there");
    assert.equal((await stream.message()).body, "Still there");
    await call("PATCH", `${a.url}/api/admin/site`, { headers: admin, body: { name: "Without a bus" } });
    await eventually(async () => assert.equal(await siteName(b.url), "Without a bus"));
    await nats.start();
    for (const { url } of [a, b])
      await eventually(async () => assert.equal((await health(url)).body.status, "ok"));
    await reply("And again");
    assert.equal((await stream.message()).body, "And again");
    end.abort();
  });

  const siteName = async (url: string): Promise<string> =>
    (await call<{ name: string }>("GET", `${url}/api/site/info`)).name;

  it("show what is set and sent in at one of them at the other", async () => {
    await call("PATCH", `${a.url}/api/admin/site`, { headers: admin, body: { name: "Both" } });
    await eventually(async () => assert.equal(await siteName(b.url), "Both"));
    const productId = await sell(a.url, { deliveryType: "manual" });
    const bytes = png(64, 48);
    const sent = await fetch(`${a.url}/api/admin/products/${productId}/images`, {
      method: "POST",
      headers: { ...admin, "content-type": "image/png" },
      body: bytes,
    });
    assert.equal(sent.status, 201);
    const { items }: { items: { hash: string; url: string }[] } = await sent.json();
    const [picture = { hash: "", url: "" }] = items;
    const shown = await fetch(new URL(picture.url, b.url));
    assert.deepEqual(
      [shown.status, shown.headers.get("etag"), new Uint8Array(await shown.arrayBuffer())],
      [200, `"${picture.hash}"`, bytes],
    );
    const known = { "if-none-match": `"${picture.hash}"` };
    assert.equal((await fetch(new URL(picture.url, b.url), { headers: known })).status, 304);
  });
});
