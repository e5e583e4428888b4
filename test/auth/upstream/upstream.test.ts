/** Signing in by another provider: from one center of ours to another and back, with the rules of linking. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { registrations, users, upstreamLinks } from "../../../src/auth/accounts/records.ts";
import { PASSWORD, type TestApp, code } from "../app-fixture.ts";
import { type Browser, createBrowser, locationOf, signIn } from "../pages/browser.ts";
import {
  type Pair,
  UPSTREAM,
  begin,
  comeBy,
  createPair,
  createUpstream,
  linkIdentity,
  signInThere,
} from "./providers.ts";

let pair: Pair;
let center: TestApp;
let made: Awaited<ReturnType<typeof createUpstream>>;

const isSignedIn = async (here: Browser): Promise<boolean> => (await here.get("/account")).status === 200;
const linksOf = async (userId: string) =>
  (await center.store.read((tx) => tx.list(upstreamLinks, "byUser", { prefix: [userId], limit: 10 }))).items;
const findUser = (username: string) => center.store.read((tx) => tx.by(users, "byUsername", [username]));
const change = async (fields: object): Promise<void> => {
  assert.equal((await center.admin("PATCH", "/api/admin/upstreams/other", fields)).status, 200);
};

/** Creates the account that a newcomer chooses; resolves with the response to the form. */
const join = (here: Browser, fields: Record<string, string> = {}): Promise<Response> =>
  here.post("/sign-in/identity", { username: "ann", email: "ann@example.org", displayName: "", ...fields });

before(async () => {
  made = await createUpstream();
});
beforeEach(async () => {
  pair = await createPair(made, { fields: { emailAuthoritative: true } });
  ({ center } = pair);
});

describe("a newcomer", () => {
  it("chooses a username, gets an account without a password, and comes back by the provider alone", async () => {
    const { here, there } = pair.browse();
    assert.match(
      await (await here.get("/sign-in")).text(),
      /href="\/sign-in\/with\/other[^"]*"[^>]*>Continue with Other</u,
    );
    const asked = await begin(here, "/sign-in/with/other?rd=%2Faccount%2Fprofile");
    assert.equal(asked.origin, UPSTREAM);
    assert.equal(asked.searchParams.get("code_challenge_method"), "S256");
    assert.equal(locationOf(await here.get(await signInThere(there, asked))), "/sign-in/identity");
    const page = await (await here.get("/sign-in/identity")).text();
    assert.match(page, /signed in to Other as Ann Li, ann@example.org/u);
    assert.match(page, /name="username"[^>]*value="ann"/u);
    assert.equal(locationOf(await join(here)), "/account/profile");
    const user = (await findUser("ann")) ?? assert.fail("No account was made");
    assert.deepEqual([user.passwordHash, user.emailVerifiedAt !== undefined], [undefined, true]);
    const [link] = await linksOf(user.id);
    const there2 = await made.app.store.read((tx) => tx.by(users, "byUsername", ["ann"]));
    assert.deepEqual([link?.issuer, link?.subject], [UPSTREAM, there2?.id]);
    assert.match((await center.mailsTo("ann@example.org"))[0] ?? "", /with Other/u);
    const again = createBrowser(center);
    assert.equal(locationOf(await comeBy({ here: again, there })), "/account");
    assert.equal(await isSignedIn(again), true);
    assert.match(await (await here.get("/account/security")).text(), /You haven’t set a password/u);
  });

  it("proves the mailbox by a code where the provider's word does not count", async () => {
    await change({ emailAuthoritative: false });
    const { here, there } = pair.browse();
    await comeBy({ here, there });
    assert.equal(locationOf(await join(here)), "/sign-in/identity/code");
    assert.equal(await findUser("ann"), undefined);
    const wrong = await here.post("/sign-in/identity/code", { code: "00000000" });
    assert.equal(wrong.status, 400);
    const right = await center.codeFor("ann@example.org");
    const stranger = createBrowser(center);
    assert.equal(locationOf(await stranger.get("/sign-in/identity/code")), "/sign-in?done=expired");
    assert.equal(locationOf(await here.post("/sign-in/identity/code", { code: right })), "/account");
    assert.equal((await findUser("ann"))?.emailVerifiedAt !== undefined, true);
  });

  it("does not reveal an account with an address that the provider has not verified", async () => {
    await change({ emailAuthoritative: false });
    const { user } = await center.signUp("anna", { email: "ann@example.org" });
    const { here, there } = pair.browse();
    await comeBy({ here, there });
    assert.doesNotMatch(await (await here.get("/sign-in/identity")).text(), /already has an account/u);
    assert.equal(locationOf(await join(here)), "/sign-in/identity/code");
    assert.match((await center.mailsTo("ann@example.org"))[0] ?? "", /tried to sign up/u);
    assert.deepEqual(await linksOf(user.id), []);
  });

  it("is bound by the registration: closed, by invite, with approval, and by what the provider may bring", async () => {
    const { here, there } = pair.browse();
    await center.set("registration", { mode: "closed" });
    await comeBy({ here, there });
    assert.doesNotMatch(await (await here.get("/sign-in/identity")).text(), /name="username"/u);
    assert.equal((await join(here)).status, 403);
    await center.set("registration", { mode: "open" });
    await change({ registration: "off" });
    assert.equal((await join(here)).status, 403);
    await change({ registration: "site" });
    await center.set("registration", { mode: "invite" });
    assert.equal((await join(here)).status, 403);
    await center.set("registration", { mode: "approval" });
    assert.equal(locationOf(await join(here)), "/sign-in?done=pending");
    const refused = await comeBy({ here: createBrowser(center), there });
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /has to approve this account first/u);
  });

  it("gets nothing that waits for the mailbox, and what waits gets nothing of them", async () => {
    const body = { username: "waiting", email: "ann@example.org", password: PASSWORD };
    assert.equal((await center.send("POST", "/api/auth/register", { body })).status, 202);
    const code = await center.codeFor("ann@example.org");
    const { here, there } = pair.browse();
    await comeBy({ here, there });
    assert.equal(locationOf(await join(here)), "/account");
    const user = (await findUser("ann")) ?? assert.fail("No account was made");
    assert.equal(user.passwordHash, undefined);
    assert.equal(await center.store.read((tx) => tx.count(registrations)), 0);
    const proof = { email: "ann@example.org", code };
    assert.equal((await center.send("POST", "/api/auth/email/verify", { body: proof })).status, 400);
    assert.equal(await findUser("waiting"), undefined);
  });
});

describe("multiple tabs at a provider", () => {
  it("each arrive where they wanted to go, in whichever order they come back", async () => {
    const { here, there } = pair.browse();
    await comeBy({ here, there });
    await join(here);
    const tabs = createBrowser(center);
    const first = await begin(tabs, "/sign-in/with/other?rd=%2Faccount%2Fprofile");
    const second = await begin(tabs, "/sign-in/with/other?rd=%2Faccount%2Fsessions");
    const back = [await signInThere(there, first), await signInThere(there, second)] as const;
    assert.equal(locationOf(await tabs.get(back[0])), "/account/profile");
    assert.equal(locationOf(await tabs.get(back[1])), "/account/sessions");
    assert.equal((await tabs.get(back[0])).status, 400, "each answer counts once");
  });

  it("are four at most, the latest, and fit into the headers of a request", async () => {
    const { here, there } = pair.browse();
    const flows = (): [string, string][] =>
      [...here.cookies].filter(([name]) => name.includes("trivet_upstream"));
    const first = await begin(here);
    for (let i = 0; i < 4; i += 1) {
      center.clock.advance(1_000);
      await begin(here);
    }
    assert.equal(flows().length, 4);
    assert.equal((await here.get(await signInThere(there, first))).status, 400);
    for (let i = 0; i < 4; i += 1) {
      center.clock.advance(1_000);
      await begin(here, `/sign-in/with/other?rd=%2F${"a".repeat(2_000)}`);
    }
    const chars = flows().reduce((sum, [, value]) => sum + value.length, 0);
    assert.ok(chars <= 6_000, `${chars} characters`);
  });
});

describe("an address that belongs to an account", () => {
  it("never links; once the account is proved, its owner says so", async () => {
    const { user } = await center.signUp("anna", { email: "ann@example.org" });
    const { here, there } = pair.browse();
    await comeBy({ here, there });
    const page = await (await here.get("/sign-in/identity")).text();
    assert.match(page, /Your email address already has an account/u);
    assert.doesNotMatch(page, /name="username"/u);
    assert.equal((await join(here)).status, 409);
    assert.deepEqual(await linksOf(user.id), []);
    await signIn(here, "anna", PASSWORD);
    assert.deepEqual(await linksOf(user.id), []);
    assert.match(await (await here.get("/account/connect")).text(), /sign in to your account “anna” with/u);
    assert.equal(
      locationOf(await here.post("/account/connect", {})),
      "/account/security?done=upstreamLinked",
    );
    assert.equal((await linksOf(user.id)).length, 1);
    assert.equal(locationOf(await comeBy({ here: createBrowser(center), there })), "/account");
  });

  it("asks for a new proof where the sign-in is old", async () => {
    await center.signUp("anna", { email: "ann@example.org" });
    const { here, there } = pair.browse();
    await comeBy({ here, there });
    await signIn(here, "anna", PASSWORD);
    center.clock.advance(11 * 60_000);
    assert.equal(
      locationOf(await here.post("/account/connect", {})),
      "/account/confirm?rd=%2Faccount%2Fconnect",
    );
  });
});

describe("the security page", () => {
  let here: Browser;
  let there: Browser;

  beforeEach(async () => {
    ({ here, there } = pair.browse());
    await center.signUp("zoe");
    await signIn(here, "zoe", PASSWORD);
  });

  /** Presses "Connect Other"; resolves with what the callback answers. */
  async function connect(): Promise<Response> {
    const leaving = await here.post("/account/security/link", { id: "other" });
    const url = new URL(/url=(.+)$/u.exec(leaving.headers.get("refresh") ?? "")?.[1] ?? "");
    return here.get(await signInThere(there, url), { "sec-fetch-site": "cross-site" });
  }

  it("links, shows and unlinks, each told by mail and in the activity", async () => {
    assert.equal(locationOf(await connect()), "/account/security?done=upstreamLinked");
    const page = await (await here.get("/account/security")).text();
    assert.match(page, /ann@example.org · connected on/u);
    const [, id = ""] = /name="id" value="(upl_[0-9a-z]+)"/u.exec(page) ?? [];
    assert.equal(
      locationOf(await here.post("/account/security/unlink", { id })),
      "/account/security?done=upstreamUnlinked",
    );
    const mails = (await center.mailsTo("zoe@example.org")).join("\n");
    assert.match(
      mails,
      /sign in to your account with Other[\s\S]*|no longer sign in to your account with Other/u,
    );
    const events = await (await here.get("/account/activity")).text();
    for (const word of ["Provider connected", "Provider disconnected"])
      assert.match(events, new RegExp(word, "u"));
  });

  it("asks for a new proof first", async () => {
    center.clock.advance(11 * 60_000);
    const asked = await here.post("/account/security/link", { id: "other" });
    assert.equal(locationOf(asked), "/account/confirm?rd=%2Faccount%2Fsecurity");
  });

  it("keeps the last way in", async () => {
    const came = pair.browse();
    await comeBy({ here: came.here, there });
    await join(came.here);
    const page = await (await came.here.get("/account/security")).text();
    const [, id = ""] = /name="id" value="(upl_[0-9a-z]+)"/u.exec(page) ?? [];
    const refused = await came.here.post("/account/security/unlink", { id });
    assert.equal(refused.status, 409);
    assert.match(await refused.text(), /only way to sign in/u);
  });

  it("refuses an identity that opens another account, and one for another session", async () => {
    const came = pair.browse();
    await comeBy({ here: came.here, there });
    await join(came.here);
    assert.equal((await connect()).status, 409);
    const leaving = await here.post("/account/security/link", { id: "other" });
    const url = new URL(/url=(.+)$/u.exec(leaving.headers.get("refresh") ?? "")?.[1] ?? "");
    await here.post("/sign-out", {});
    assert.equal((await here.get(await signInThere(there, url))).status, 400);
  });
});

describe("the account's own rules", () => {
  async function linked(): Promise<{ id: string; there: Browser }> {
    const { here, there } = pair.browse();
    await comeBy({ here, there });
    await join(here);
    const user = (await findUser("ann")) ?? assert.fail("No account was made");
    return { id: user.id, there };
  }

  it("requires the second factor, unless the provider counts as one", async () => {
    const { user, accessToken: token } = await center.signUp("zoe");
    const { secret } = await (await center.send("POST", "/api/auth/mfa/totp", { token })).json();
    await center.send("POST", "/api/auth/mfa/totp/confirm", { token, body: { code: center.totp(secret) } });
    const { here, there } = pair.browse();
    await comeBy({ here, there });
    center.clock.advance(60_000);
    await signIn(here, "zoe", PASSWORD);
    assert.equal(
      locationOf(await here.post("/sign-in/second-factor", { code: center.totp(secret) })),
      "/account",
    );
    assert.equal(
      locationOf(await here.post("/account/connect", {})),
      "/account/security?done=upstreamLinked",
    );
    assert.equal((await linksOf(user.id)).length, 1);
    const other = createBrowser(center);
    assert.equal(locationOf(await comeBy({ here: other, there })), "/sign-in/second-factor");
    assert.equal(await isSignedIn(other), false);
    await change({ countsAsSecondFactor: true });
    const third = createBrowser(center);
    assert.equal(locationOf(await comeBy({ here: third, there })), "/account");
    const proofs = async (): Promise<string[]> =>
      (await center.auth.sessions.list(user.id)).map(({ amr, aal }) => `${amr.join(" ")} ${aal}`);
    assert.ok((await proofs()).includes("fed mfa 2"));
    // Once it is unlinked, it has no effect.
    const [link] = await linksOf(user.id);
    const removed = await center.admin("DELETE", `/api/admin/users/${user.id}/links/${link?.id}`);
    assert.equal(removed.status, 204);
    const left = await proofs();
    assert.ok(left.includes(" 1") && !left.join().includes("fed"), left.join());
    assert.equal(await isSignedIn(third), true);
  });

  it("refuses a suspended and a deleted account in the usual words", async () => {
    const { id, there } = await linked();
    await center.admin("POST", `/api/admin/users/${id}/suspend`, { reason: "Spam" });
    const suspended = await comeBy({ here: createBrowser(center), there });
    assert.equal(suspended.status, 403);
    assert.match(await suspended.text(), /suspended[\s\S]*Spam/u);
    await center.admin("POST", `/api/admin/users/${id}/unsuspend`);
    await center.admin("DELETE", `/api/admin/users/${id}`);
    const deleted = await comeBy({ here: createBrowser(center), there });
    assert.equal(deleted.status, 401);
    assert.match(await deleted.text(), /This account is unavailable/u);
  });

  it("shows the links to administrators, and removes them with the account", async () => {
    const { id } = await linked();
    const details = await (await center.admin("GET", `/api/admin/users/${id}`)).json();
    const [link] = details.linkedProviders;
    assert.deepEqual([link.title, link.issuer, link.email], ["Other", UPSTREAM, "ann@example.org"]);
    assert.equal((await center.admin("DELETE", `/api/admin/users/${id}/links/${link.id}`)).status, 204);
    assert.deepEqual(await linksOf(id), []);
    assert.deepEqual(await code(await center.admin("DELETE", `/api/admin/users/${id}/links/${link.id}`)), [
      404,
      "not_found",
    ]);
    const again = await center.signIn((await findUser("ann")) ?? assert.fail("No account"));
    await linkIdentity(center, again.accessToken);
    await center.admin("DELETE", `/api/admin/users/${id}?purge=true`);
    assert.deepEqual(await linksOf(id), []);
  });

  it("gives the account to the person who verifies its unverified mailbox, without the earlier links", async () => {
    const { user } = await center.signUp("eve", { email: "bea@example.org", emailVerifiedAt: undefined });
    const session = await center.signIn(user);
    await linkIdentity(center, session.accessToken);
    const body = { email: "bea@example.org", purpose: "login" };
    await center.send("POST", "/api/auth/email/send-code", { body });
    const proof = { email: "bea@example.org", code: await center.codeFor("bea@example.org") };
    assert.equal((await center.send("POST", "/api/auth/login/code", { body: proof })).status, 200);
    assert.deepEqual(await linksOf(user.id), []);
  });
});
