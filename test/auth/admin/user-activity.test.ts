/** Sessions, events and reset links of accounts over /api/admin/users/{id}. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import { type SignedIn, type TestApp, code, createTestApp, PASSWORD } from "../app-fixture.ts";
import { isSignedIn, lastAudit, read } from "../http/admin-requests.ts";

const HOUR_MS = 3_600_000;
const NEW_PASSWORD = "another battery of horses";
let app: TestApp;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
});

interface Session {
  id: string;
  label: string;
}

async function listSessions(id = ann.user.id): Promise<Session[]> {
  const page: { items: Session[] } = await read(
    await app.admin("GET", `/api/admin/users/${id}/sessions`),
    200,
  );
  return page.items;
}

describe("the sessions of an account", () => {
  it("are listed without their secrets, and ended one by one", async () => {
    const other = await app.signIn(ann.user);
    const [newest, oldest] = await listSessions();
    assert.ok(newest !== undefined && oldest !== undefined);
    assert.deepEqual(
      Object.keys(newest).filter((name) => /hash|family|epoch|nonce|current/iu.test(name)),
      [],
    );
    const ended = await app.admin("DELETE", `/api/admin/users/${ann.user.id}/sessions/${newest.id}`);
    assert.equal(ended.status, 204);
    const live = [await isSignedIn(app, other.accessToken), await isSignedIn(app, ann.accessToken)];
    assert.notEqual(live[0], live[1]);
    assert.deepEqual(
      (await listSessions()).map(({ id }) => id),
      [oldest.id],
    );
    const { action, target, changes } = await lastAudit(app);
    assert.deepEqual(
      [action, target, changes[0]],
      ["user.end-session", ann.user.id, `session: ${newest.id}`],
    );
  });

  it("end only below their own account", async () => {
    const bob = await app.signUp("bob");
    const [session] = await listSessions();
    const path = `/api/admin/users/${bob.user.id}/sessions/${session?.id}`;
    assert.deepEqual(await code(await app.admin("DELETE", path)), [404, "not_found"]);
    assert.equal(await isSignedIn(app, ann.accessToken), true);
    const nobody = `/api/admin/users/usr_${"0".repeat(26)}`;
    for (const list of ["sessions", "events"])
      assert.deepEqual(await code(await app.admin("GET", `${nobody}/${list}`)), [404, "not_found"]);
  });
});

describe("the events of an account", () => {
  it("are read page by page, the newest first", async () => {
    await app.send("POST", "/api/auth/login", { body: { identifier: "ann", password: "wrong" } });
    app.clock.advance(1);
    await app.admin("POST", `/api/admin/users/${ann.user.id}/suspend`, { reason: "Spam" });
    const path = `/api/admin/users/${ann.user.id}/events?limit=1`;
    const first: { items: { kind: string }[]; nextCursor: string } = await read(
      await app.admin("GET", path),
      200,
    );
    assert.deepEqual(
      first.items.map(({ kind }) => kind),
      ["suspended"],
    );
    const rest: typeof first = await read(await app.admin("GET", `${path}&cursor=${first.nextCursor}`), 200);
    assert.deepEqual(
      rest.items.map(({ kind }) => kind),
      ["sign-in-failed"],
    );
  });
});

describe("a link to set a new password", () => {
  const send = (body: object, id = ann.user.id): Promise<Response> =>
    app.admin("POST", `/api/admin/users/${id}/reset-link`, body);

  it("goes to the main address, and the answer keeps it to itself", async () => {
    const answer: object = await read(await send({}), 200);
    assert.deepEqual(answer, {
      sentTo: "ann@example.org",
      expiresAt: toIsoTime(app.clock.now() + 24 * HOUR_MS),
    });
    const token = /rst_\S+/u.exec((await app.mailsTo("ann@example.org"))[0] ?? "")?.[0];
    const body = { token, password: NEW_PASSWORD };
    assert.equal((await app.send("POST", "/api/auth/password/reset", { body })).status, 200);
    assert.deepEqual((await lastAudit(app)).changes, ["sent to: ann@example.org"]);
  });

  it("is shown on request, and the audit records it", async () => {
    const response = await send({ show: true });
    assert.equal(response.headers.get("cache-control"), "no-store");
    const { token }: { token: string } = await read(response, 200);
    assert.deepEqual((await lastAudit(app)).changes, [
      "sent to: ann@example.org",
      "shown to the administrator",
    ]);
    app.clock.advance(24 * HOUR_MS - 1);
    const body = { token, password: NEW_PASSWORD };
    assert.equal((await app.send("POST", "/api/auth/password/reset", { body })).status, 200);
    const login = { identifier: "ann", password: PASSWORD };
    assert.equal((await app.send("POST", "/api/auth/login", { body: login })).status, 401);
  });

  it("is not shown while a mail server delivers it, nor made for who cannot use it", async () => {
    await app.admin("POST", `/api/admin/users/${ann.user.id}/suspend`, {});
    assert.deepEqual(await code(await send({})), [409, "conflict"]);
    app = await createTestApp({ sender: { send: async () => ({ status: "sent" }), close: () => undefined } });
    const { user } = await app.signUp("bob");
    assert.deepEqual(await code(await send({ show: true }, user.id)), [409, "conflict"]);
    assert.deepEqual(await app.mailsTo("bob@example.org"), []);
  });
});
