/** The auth center in processes of its own: killed under load, two on one database, and with a secret that is not its own. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createTestDatabase } from "./support/postgres.ts";
import { openApplication } from "./support/page-visitor.ts";
import { type Program, type Programs, createPrograms, terminate } from "./support/program.ts";

const TOKEN = "a-token-for-this-suite";
const PASSWORD = "correct horse battery staple";

interface Tokens {
  accessToken: string;
  refreshToken: string;
}

async function send(
  url: string,
  method: string,
  more: { token?: string; body?: unknown; admin?: boolean } = {},
) {
  const { token, body, admin } = more;
  return fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(admin === true ? { "x-admin-token": TOKEN } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function signUp(url: string, username: string): Promise<Tokens> {
  const body = { username, email: `${username}@example.org`, emailVerified: true, password: PASSWORD };
  assert.equal((await send(`${url}/api/admin/users`, "POST", { admin: true, body })).status, 201);
  const credentials = { identifier: username, password: PASSWORD };
  const signedIn = await send(`${url}/api/auth/login`, "POST", { body: credentials });
  assert.equal(signedIn.status, 200);
  return signedIn.json();
}

/** One person who renews tokens and writes a profile all the time; knows what was acknowledged. */
interface Writer {
  tokens: Tokens;
  bio: number;
  refreshes: number;
}

/** Goes on until a request fails because the program is gone. */
async function write(url: string, writer: Writer): Promise<void> {
  try {
    for (;;) {
      const body = { refreshToken: writer.tokens.refreshToken };
      const refreshed = await send(`${url}/api/auth/refresh`, "POST", { body });
      assert.equal(refreshed.status, 200);
      writer.tokens = await refreshed.json();
      writer.refreshes += 1;
      const bio = String(writer.bio + 1);
      const token = writer.tokens.accessToken;
      const changed = await send(`${url}/api/auth/profile`, "PATCH", { token, body: { bio } });
      assert.equal(changed.status, 200);
      await changed.arrayBuffer();
      writer.bio += 1;
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // what fetch throws for a broken connection
  }
}

describe("the auth center as a program", () => {
  let programs: Programs;

  beforeEach(async () => {
    programs = await createPrograms(["auth"]);
  });
  afterEach(() => programs.dispose());

  async function start(env: Record<string, string> = {}): Promise<{ program: Program; url: string }> {
    const program = programs.run({ ADMIN_TOKEN: TOKEN, LOG_LEVEL: "warn", ...env });
    return { program, url: await programs.authUrl(program) };
  }

  async function surviveKill(env: Record<string, string>): Promise<void> {
    const first = await start(env);
    const writers: Writer[] = [];
    for (const name of ["ann", "bob", "cid", "dan"])
      writers.push({ tokens: await signUp(first.url, name), bio: 0, refreshes: 0 });
    const running = writers.map((writer) => write(first.url, writer));
    while (writers.some((writer) => writer.refreshes < 20 || writer.bio < 20))
      await new Promise((resolve) => setTimeout(resolve, 5));
    const who = { adminToken: TOKEN, username: "ann", password: PASSWORD };
    const application = await openApplication(first.url, who);
    const issued = await Promise.all(Array.from({ length: 6 }, () => application.issue()));
    const held = await application.exchange(first.url, await application.issue());
    const spent = held?.refresh_token ?? "";
    const redeem = issued.map((code) =>
      Array.from({ length: 8 }, () => application.redeem(first.url, code).catch(() => undefined)),
    );
    const renewing = Array.from({ length: 16 }, () =>
      application.renew(first.url, spent).catch(() => undefined),
    );
    await Promise.race([...redeem.flat(), ...renewing]);
    first.program.child.kill("SIGKILL");
    await first.program.ended;
    await Promise.all(running);
    const { url } = await start(env);
    for (const [index, code] of issued.entries()) {
      const given = (await Promise.all(redeem[index] ?? [])).filter((token) => token !== undefined);
      const [token] = given;
      // What was acknowledged holds, and the code stays used.
      if (token !== undefined)
        assert.equal((await send(`${url}/oauth/userinfo`, "GET", { token })).status, 200);
      const later = await application.redeem(url, code);
      assert.ok([...given, later].filter((each) => each !== undefined).length <= 1, `code ${index}`);
    }
    // What was renewed stays so: the same refresh token gives the same successor, before the end and after it.
    const renewed = await Promise.all([...renewing, application.renew(url, spent)]);
    const successors = new Set(
      renewed.flatMap((tokens) => (tokens === undefined ? [] : [tokens.access_token])),
    );
    assert.equal(successors.size, 1);
    for (const writer of writers) {
      // The last one that was acknowledged, or spent by a request whose answer got lost: it gives its successor.
      const body = { refreshToken: writer.tokens.refreshToken };
      const refreshed = await send(`${url}/api/auth/refresh`, "POST", { body });
      assert.equal(refreshed.status, 200);
      const { accessToken: token }: Tokens = await refreshed.json();
      const profile: { bio: string } = await (await send(`${url}/api/auth/profile`, "GET", { token })).json();
      assert.ok(Number(profile.bio) >= writer.bio && Number(profile.bio) <= writer.bio + 1);
    }
  }

  it("killed with -9 under load loses no token and no change that it acknowledged", () => surviveKill({}));

  it("killed with -9 under load loses nothing with its records in PostgreSQL either", async () => {
    const database = await createTestDatabase();
    try {
      await surviveKill({ DATABASE_URL: database.url });
    } finally {
      await programs.dispose();
      await database.drop();
    }
  });

  it("ends a session for every process on the database at once, and gives both the same successor", async () => {
    const database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, AUTH_SECRET: "one secret for both of the processes" };
    try {
      const { url: one } = await start(env);
      const { url: two } = await start({ ...env, DATA_DIR: `${programs.folder}/other` });
      const { accessToken: token, refreshToken } = await signUp(one, "ann");
      assert.equal((await send(`${two}/api/auth/validate`, "GET", { token })).status, 200);
      const both = await Promise.all(
        [one, two].map(async (url): Promise<Tokens> => {
          const refreshed = await send(`${url}/api/auth/refresh`, "POST", { body: { refreshToken } });
          assert.equal(refreshed.status, 200);
          return refreshed.json();
        }),
      );
      assert.equal(both[0]?.refreshToken, both[1]?.refreshToken);
      const next = both[0]?.accessToken ?? "";
      assert.equal((await send(`${two}/api/auth/logout`, "POST", { token: next })).status, 204);
      for (const url of [one, two])
        assert.equal((await send(`${url}/api/auth/validate`, "GET", { token: next })).status, 401);
    } finally {
      await programs.dispose();
      await database.drop();
    }
  });

  it("refuses to start on accounts that were kept with another secret, and says what to do", async () => {
    const first = await start();
    terminate(first.program);
    assert.equal(await first.program.ended, 0);
    const second = programs.run({
      ADMIN_TOKEN: TOKEN,
      AUTH_SECRET: "a secret that this data was not made with",
    });
    assert.equal(await second.ended, 1);
    assert.match(second.output(), /auth-secret\.json from your copy or from a backup with keys/u);
    await start();
  });
});
