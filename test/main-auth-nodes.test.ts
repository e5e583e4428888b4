/** Two auth centers on one database, as behind a load balancer: what one decides holds at the other, with the bus and without. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type NatsServer, skipWithoutNats, startNatsServer } from "./support/nats-server.ts";
import { type TestDatabase, createTestDatabase } from "./support/postgres.ts";
import { type Program, type Programs, createPrograms, terminate } from "./support/program.ts";
import { createVisitor, openApplication } from "./support/page-visitor.ts";
import { type SmtpPeer, startSmtpPeer } from "./support/smtp-peer.ts";
import { eventually } from "./support/eventually.ts";

const TOKEN = "a-token-for-this-suite";
const PASSWORD = "correct horse battery staple";

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

interface Call {
  readonly body?: unknown;
  readonly bearer?: string;
  readonly admin?: boolean;
  /** The address that a request comes from, as the load balancer tells it. */
  readonly from?: string;
}

type Node = (method: string, path: string, call?: Call) => Promise<Answer>;

function createNode(url: string): Node {
  return async (method, path, { body, bearer, admin = false, from = "192.0.2.1" } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        "x-forwarded-for": from,
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(admin ? { "x-admin-token": TOKEN } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed: unknown = text === "" ? {} : JSON.parse(text);
    // `as`: every answer of the service is an object.
    return { status: response.status, body: parsed as Record<string, unknown> };
  };
}

async function signIn(node: Node, identifier: string, call: { password?: string; from?: string } = {}) {
  const { password = PASSWORD, ...rest } = call;
  return node("POST", "/api/auth/login", { body: { identifier, password }, ...rest });
}

async function signUp(node: Node, username: string): Promise<void> {
  const body = { username, email: `${username}@example.org`, password: PASSWORD, emailVerified: true };
  assert.equal((await node("POST", "/api/admin/users", { admin: true, body })).status, 201);
}

/** Wrong sign-ins, each for another name: only the address has them in common. */
async function failTimes(node: Node, times: number, from: string): Promise<void> {
  for (let i = 0; i < times; i += 1)
    assert.equal((await signIn(node, `nobody-${i}-${from}`, { password: "wrong", from })).status, 401);
}

/** Whether a sign-in with the right password succeeds from there; counts no failure. */
async function isLetIn(node: Node, from: string): Promise<boolean> {
  const { status, body } = await signIn(node, "ann", { from });
  if (status === 200) return true;
  assert.equal(status, 429);
  assert.equal(body["code"], "too_many_attempts");
  return false;
}

/** Status of the answer and of the service; on a busy machine a check may take its whole second, which is a 503. */
async function health(node: Node): Promise<string> {
  const { status, body } = await node("GET", "/api/health");
  return `${status} ${String(body["status"])}`;
}

describe("two auth centers on one database", () => {
  let database: TestDatabase;
  let nats: NatsServer | undefined;
  let smtp: SmtpPeer;
  let programs: Programs;
  let env: Record<string, string>;
  let one: Node;
  let two: Node;
  const running: Program[] = [];
  const urls: string[] = [];
  /** Closes what was opened, also when `before` did not come to its end. */
  const undo: (() => Promise<unknown>)[] = [];

  before(async () => {
    database = await createTestDatabase();
    undo.unshift(() => database.drop());
    nats = await startNatsServer();
    undo.unshift(async () => nats?.stop());
    smtp = await startSmtpPeer();
    undo.unshift(() => smtp.close());
    programs = await createPrograms(["auth"]);
    undo.unshift(() => programs.dispose());
    env = {
      DATABASE_URL: database.url,
      ADMIN_TOKEN: TOKEN,
      AUTH_SECRET: "one secret for all nodes of this auth center",
      TRUSTED_PROXIES: "127.0.0.1",
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}?from=accounts@example.org`,
      // The mail server of the settings is on loopback.
      SMTP_PRIVATE: "1",
      LOG_LEVEL: "warn",
      ...(nats === undefined ? {} : { NATS_URL: nats.url }),
    };
    // Beside each other: they make the tables at the same moment.
    for (const name of ["one", "two"])
      running.push(programs.run({ ...env, DATA_DIR: join(programs.folder, name) }));
    for (const program of running) urls.push(await programs.authUrl(program));
    const [first, second] = urls.map(createNode);
    assert.ok(first !== undefined && second !== undefined);
    [one, two] = [first, second];
    await signUp(one, "ann");
  });
  after(async () => {
    for (const close of undo) await close();
  });

  it("rotates refresh tokens over both, and a spent one ends the session at both", async () => {
    const { body: first } = await signIn(one, "ann");
    const { body: second } = await two("POST", "/api/auth/refresh", {
      body: { refreshToken: first["refreshToken"] },
    });
    const { status, body: third } = await one("POST", "/api/auth/refresh", {
      body: { refreshToken: second["refreshToken"] },
    });
    assert.equal(status, 200);
    const bearer = String(third["accessToken"]);
    assert.equal((await two("GET", "/api/auth/validate", { bearer })).status, 200);
    const stolen = await two("POST", "/api/auth/refresh", { body: { refreshToken: first["refreshToken"] } });
    assert.equal(stolen.body["code"], "refresh_reused");
    for (const node of [one, two])
      assert.equal((await node("GET", "/api/auth/validate", { bearer })).status, 401);
  });

  it("gives tokens for an application's code once, and one successor, of 16 at the same time at both", async () => {
    const [url = "", other = ""] = urls;
    const who = { adminToken: TOKEN, username: "ann", password: PASSWORD };
    const application = await openApplication(url, who);
    for (let round = 0; round < 3; round += 1) {
      const code = await application.issue();
      const at = Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? url : other));
      const given = await Promise.all(at.map((node) => application.exchange(node, code)));
      const [first, ...more] = given.filter((tokens) => tokens !== undefined);
      assert.ok(first !== undefined && more.length === 0, `${more.length + 1} of 16 got tokens`);
      // Who comes with the same refresh token at the same time gets the same successor.
      const renewed = await Promise.all(at.map((node) => application.renew(node, first.refresh_token)));
      const [bearer, ...others] = new Set(renewed.map((tokens) => tokens?.access_token));
      assert.ok(bearer !== undefined && others.length === 0, `${others.length + 1} successors`);
      for (const node of [one, two])
        assert.equal((await node("GET", "/oauth/userinfo", { bearer })).status, 200);
    }
  });

  it("signs out at both at once", async () => {
    const { body } = await signIn(one, "ann");
    const bearer = String(body["accessToken"]);
    assert.equal((await two("GET", "/api/auth/validate", { bearer })).status, 200);
    assert.equal((await one("POST", "/api/auth/logout", { bearer })).status, 204);
    assert.equal((await two("GET", "/api/auth/validate", { bearer })).status, 401);
  });

  it("sends each email once, whichever node got the request", async () => {
    const names = Array.from({ length: 12 }, (_, i) => `reader-${i}`);
    for (const name of names) await signUp(one, name);
    const already = smtp.mails.length;
    await Promise.all(
      names.map((name, i) =>
        (i % 2 === 0 ? one : two)("POST", "/api/auth/email/send-code", {
          body: { email: `${name}@example.org`, purpose: "login" },
          from: `192.0.2.${i}`,
        }),
      ),
    );
    const sent = (): string[] => smtp.mails.slice(already).flatMap(({ to }) => to);
    await eventually(() => names.every((name) => sent().includes(`${name}@example.org`)));
    // A later mail leaves in a later round: what else was due has left before.
    await two("POST", "/api/auth/email/send-code", { body: { email: "ann@example.org", purpose: "login" } });
    await eventually(() => sent().includes("ann@example.org"));
    assert.deepEqual(sent().toSorted(), [...names, "ann"].map((name) => `${name}@example.org`).toSorted());
  });

  it("sees settings of the other at once, its mail server too, and keeps one chain of the audit", async () => {
    const before = await one("GET", "/api/admin/settings/registration", { admin: true });
    const { version, ...fields } = before.body;
    const closed = { ...fields, mode: "closed", version };
    assert.equal(
      (await one("PUT", "/api/admin/settings/registration", { admin: true, body: closed })).status,
      200,
    );
    const body = { username: "eve", email: "eve@example.org", password: PASSWORD };
    assert.equal((await two("POST", "/api/auth/register", { body })).body["code"], "registration_closed");

    const other = await startSmtpPeer();
    try {
      const mail = { enabled: true, host: "127.0.0.1", port: other.port, security: "none" };
      const put = { admin: true, body: { ...mail, from: "accounts@example.org", version: 0 } };
      assert.equal((await one("PUT", "/api/admin/settings/mail", put)).status, 200);
      await eventually(async () => {
        const test = { admin: true, body: { to: "root@example.org" } };
        assert.equal((await two("POST", "/api/admin/settings/mail/test", test)).status, 200);
        return other.mails.length > 0;
      });
    } finally {
      await other.close();
    }
    const names = Array.from({ length: 8 }, (_, i) => `writer-${i}`);
    await Promise.all(names.map((name, i) => signUp(i % 2 === 0 ? one : two, name)));
    const verdict = await two("GET", "/api/admin/audit/verify", { admin: true });
    assert.equal(verdict.body["valid"], true, JSON.stringify(verdict.body));
  });

  it(
    "says at both that mail waits once one could not hand it over",
    { skip: skipWithoutNats() },
    async () => {
      const isDelayed = async (url: string): Promise<boolean> => {
        const { open } = createVisitor();
        await open(`${url}/forgot`);
        const { body } = await open(`${url}/forgot`, { email: "nobody@example.org" });
        return body.includes("Emails can’t be sent right now");
      };
      const sendCode = (name: string): Promise<Answer> =>
        one("POST", "/api/auth/email/send-code", {
          body: { email: `${name}@example.org`, purpose: "login" },
        });
      const [url = "", other = ""] = urls;
      // The server of the settings is gone since the test before.
      await sendCode("writer-0");
      await eventually(async () => (await isDelayed(url)) && isDelayed(other));
      await one("PATCH", "/api/admin/settings/mail", { admin: true, body: { enabled: false } });
      await sendCode("writer-1");
      await eventually(async () => !(await isDelayed(url)) && !(await isDelayed(other)));
    },
  );

  it("refuses a third node with a secret of its own, and one without the common token", async () => {
    const { AUTH_SECRET: _secret, ...withoutSecret } = env;
    const own = programs.run({ ...withoutSecret, DATA_DIR: join(programs.folder, "three") });
    const { ADMIN_TOKEN: _token, ...withoutToken } = env;
    const tokenless = programs.run({
      ...withoutToken,
      NATS_URL: nats?.url ?? "nats://127.0.0.1:1",
      DATA_DIR: join(programs.folder, "four"),
    });
    assert.equal(await own.ended, 1);
    assert.match(own.output(), /set AUTH_SECRET to the previous value on every node/u);
    assert.equal(await tokenless.ended, 1);
    assert.match(tokenless.output(), /ADMIN_TOKEN is not set/u);
  });

  const counting =
    "counts wrong passwords of an address over both; without NATS each counts alone, and it heals";
  it(counting, { skip: skipWithoutNats() }, async () => {
    assert.ok(nats !== undefined);
    for (const node of [one, two]) await eventually(async () => (await health(node)) === "200 ok");
    await failTimes(one, 5, "203.0.113.5");
    await failTimes(two, 5, "203.0.113.5");
    for (const node of [one, two]) await eventually(async () => !(await isLetIn(node, "203.0.113.5")));

    await nats.kill();
    for (const node of [one, two]) await eventually(async () => (await health(node)) === "200 degraded");
    await failTimes(one, 10, "203.0.113.6");
    assert.equal(await isLetIn(one, "203.0.113.6"), false);
    assert.equal(await isLetIn(two, "203.0.113.6"), true);
    // Earlier counts are kept.
    assert.equal(await isLetIn(two, "203.0.113.5"), false);

    await nats.start();
    for (const node of [one, two]) await eventually(async () => (await health(node)) === "200 ok");
    await eventually(async () => !(await isLetIn(two, "203.0.113.6")));
  });

  it("stops in good order", async () => {
    for (const program of running) {
      terminate(program);
      assert.equal(await program.ended, 0, program.output());
    }
  });
});
