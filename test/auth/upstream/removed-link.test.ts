/** A linked provider that is removed: no session counts the factors of a provider that no longer opens the account. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { upstreamLinks, users } from "../../../src/auth/accounts/records.ts";
import { sessions } from "../../../src/auth/sessions/records.ts";
import { PASSWORD, type SignedIn, type TestApp, testCaller } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { linkFor, post } from "../http/people.ts";
import { type Pair, UPSTREAM, comeBy, createPair, createUpstream } from "./providers.ts";

let made: Awaited<ReturnType<typeof createUpstream>>;
let pair: Pair;
let center: TestApp;

before(async () => {
  made = await createUpstream();
});
beforeEach(async () => {
  pair = await createPair(made, { fields: { emailAuthoritative: true, countsAsSecondFactor: true } });
  ({ center } = pair);
});

/** Links the account with the person at the provider, who signs in by it; resolves with the id of the link. */
async function linkAndCome({ accessToken, user }: SignedIn) {
  const { id: subject } =
    (await made.app.store.read((tx) => tx.by(users, "byUsername", ["ann"]))) ?? assert.fail("Nobody there");
  const owner = (await center.auth.sessions.find(accessToken)) ?? assert.fail("No session");
  const identity = { upstreamId: "other", issuer: UPSTREAM, subject, isEmailProved: false };
  await center.auth.links.link(owner, { identity, caller: testCaller });
  const { here, there } = pair.browse();
  await comeBy({ here, there });
  const { items } = await center.store.read((tx) =>
    tx.list(upstreamLinks, "byUser", { prefix: [user.id], limit: 2 }),
  );
  return items[0]?.id ?? assert.fail("No link");
}

/** What the sessions of the account count as, those with a password first. */
async function proofsOf({ user }: SignedIn): Promise<unknown[]> {
  const { items } = await center.store.read((tx) =>
    tx.list(sessions, "byUser", { prefix: [user.id], limit: 10 }),
  );
  return items.map(({ amr, aal }) => [amr, aal]).toSorted((a, b) => String(b[0]).localeCompare(String(a[0])));
}

describe("a linked provider that is removed", () => {
  it("by the owner leaves what was signed in by it without a factor, and the password's session as it is", async () => {
    const zoe = await center.signUp("zoe");
    const linkId = await linkAndCome(zoe);
    assert.deepEqual(await proofsOf(zoe), [
      [["pwd"], 1],
      [["fed", "mfa"], 2],
    ]);
    const owner = (await center.auth.sessions.find(zoe.accessToken)) ?? assert.fail("No session");
    await center.auth.links.unlink(owner, { id: linkId, caller: testCaller });
    assert.deepEqual(await proofsOf(zoe), [
      [["pwd"], 1],
      [[], 1],
    ]);
  });

  it("by an administrator does the same", async () => {
    const zoe = await center.signUp("zoe");
    const linkId = await linkAndCome(zoe);
    const removed = await center.admin("DELETE", `/api/admin/users/${zoe.user.id}/links/${linkId}`);
    assert.equal(removed.status, 204);
    assert.deepEqual(await proofsOf(zoe), [
      [["pwd"], 1],
      [[], 1],
    ]);
  });

  it("with all that is not the owner's, when the mailbox is verified, leaves no session to lower", async () => {
    const thief = await center.signUp("zoe", { emailVerifiedAt: undefined });
    await linkAndCome(thief);
    await post(center, "password/forgot", { email: "zoe@example.org" });
    const token = await linkFor(center, "zoe@example.org");
    await read(await post(center, "password/reset", { token, password: PASSWORD }), 200);
    assert.equal(await center.auth.sessions.find(thief.accessToken), undefined);
    const { here, there } = pair.browse();
    await comeBy({ here, there });
    assert.notEqual((await here.get("/account")).status, 200, "the provider no longer opens it");
    assert.deepEqual(await center.store.read((tx) => tx.count(upstreamLinks)), 0);
  });
});
