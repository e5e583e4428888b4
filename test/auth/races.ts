/** Invariants of concurrent identical requests: one suite for every store. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { checkIns } from "../../src/auth/check-in/records.ts";
import { upstreamLinks, users } from "../../src/auth/accounts/records.ts";
import { begin, createPair, createUpstream, linkIdentity, signInThere } from "./upstream/providers.ts";
import { runAdmins } from "./race-steps.ts";
import type { Store } from "../../src/store/store.ts";
import { type SignedIn, type TestApp, createTestApp, PASSWORD } from "./app-fixture.ts";
import { readOnward } from "./oidc/onward.ts";
import { createBrowser, signIn as signInBy } from "./pages/browser.ts";

const AT_ONCE = 16;

interface OauthAnswer {
  access_token?: string;
  refresh_token?: string;
  error?: string;
}

async function countStatuses(responses: readonly Promise<Response>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of await Promise.all(responses)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The same request from as many people, so that no limit of an address plays a part. */
function together(count: number, send: (from: string) => Promise<Response>): Promise<Response>[] {
  return Array.from({ length: count }, (_, n) => send(`198.51.100.${n + 1}`));
}

/** Runs the suite on the stores of one kind. */
export function describeRaces(
  kind: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`many at once on ${kind}`, () => {
    let app: TestApp;
    let close: () => Promise<void>;
    let number = 0;

    before(async () => {
      const opened = await open();
      ({ close } = opened);
      app = await createTestApp({ store: opened.store });
    });
    after(() => close());

    async function signUp(): Promise<SignedIn & { email: string }> {
      number += 1;
      const signedIn = await app.signUp(`person-${number}`);
      return { ...signedIn, email: signedIn.user.email };
    }

    const isLive = async (token: string): Promise<boolean> =>
      (await app.send("GET", "/api/auth/validate", { token })).status === 200;
    /** The same for a token of an application, which opens little else. */
    const isLiveThere = async (token: string): Promise<boolean> =>
      (await app.send("GET", "/oauth/userinfo", { token })).status === 200;

    it("a code opens one account once", async () => {
      const email = "new@example.org";
      const body = { username: "new", email, password: PASSWORD };
      assert.equal((await app.send("POST", "/api/auth/register", { body })).status, 202);
      const proof = { email, code: await app.codeFor(email) };
      const statuses = await countStatuses(
        together(AT_ONCE, (from) => app.send("POST", "/api/auth/email/verify", { body: proof, from })),
      );
      assert.equal(statuses["200"], 1);
      assert.equal((statuses["400"] ?? 0) + (statuses["429"] ?? 0), AT_ONCE - 1);
    });

    it("an answer of another provider counts once, and its identity opens one account", async () => {
      const pair = await createPair(await createUpstream(), {
        store: app.store,
        fields: { emailAuthoritative: true },
      });
      const { here, there } = pair.browse();
      const back = await signInThere(there, await begin(here));
      assert.deepEqual(await countStatuses(Array.from({ length: AT_ONCE }, () => here.get(back))), {
        303: 1,
        400: AT_ONCE - 1,
      });
      const names = Array.from({ length: AT_ONCE }, (_, n) => `comer-${n}`);
      const joined = await Promise.all(
        names.map((username) => here.post("/sign-in/identity", { username, email: "ann@example.org" })),
      );
      const opened = joined.filter(({ headers }) => headers.get("location") === "/account");
      assert.equal(opened.length, 1);
      const others = [await signUp(), await signUp()].map(({ accessToken }) =>
        linkIdentity(pair.center, accessToken),
      );
      const linked = (await Promise.allSettled(others)).filter(({ status }) => status === "fulfilled");
      assert.equal(linked.length, 1);
      const links = await app.store.read((tx) => tx.list(upstreamLinks, "id", { limit: 50 }));
      assert.equal(links.items.length, 2);
    });

    it("a reset link sets one password", async () => {
      const { email } = await signUp();
      assert.equal((await app.send("POST", "/api/auth/password/forgot", { body: { email } })).status, 202);
      const token = /rst_[\w-]{43}/u.exec((await app.mailsTo(email))[0] ?? "")?.[0];
      const passwords = Array.from({ length: AT_ONCE }, (_, n) => `a long password of mine ${n}`);
      const results = await Promise.all(
        passwords.map((password) =>
          app.send("POST", "/api/auth/password/reset", { body: { token, password } }),
        ),
      );
      const winners = passwords.filter((_, n) => results[n]?.status === 200);
      assert.equal(winners.length, 1);
      assert.ok(results.every(({ status }) => status === 200 || status === 401));
      const credentials = { identifier: email, password: winners[0] };
      assert.equal((await app.send("POST", "/api/auth/login", { body: credentials })).status, 200);
    });

    it("the last use of an invite lets one in", async () => {
      await app.set("registration", { mode: "invite" });
      const made = await app.admin("POST", "/api/admin/invites", { maxUses: 1 });
      assert.equal(made.status, 201);
      const { code: inviteCode }: { code: string } = await made.json();
      const register = (n: number): Promise<Response> =>
        app.send("POST", "/api/auth/register", {
          body: { username: `guest-${n}`, email: `guest-${n}@example.org`, password: PASSWORD, inviteCode },
          from: `203.0.113.${n + 1}`,
        });
      const statuses = await countStatuses(Array.from({ length: AT_ONCE }, (_, n) => register(n)));
      assert.deepEqual(statuses, { "202": 1, "403": AT_ONCE - 1 });
      await app.set("registration", { mode: "open" });
    });

    it("a name is given to one of those who want it", async () => {
      const register = (n: number): Promise<Response> =>
        app.send("POST", "/api/auth/register", {
          body: { username: "Wanted", email: `wants-${n}@example.org`, password: `${PASSWORD} ${n}` },
          from: `203.0.113.${n + 100}`,
        });
      const statuses = await countStatuses(Array.from({ length: AT_ONCE }, (_, n) => register(n)));
      assert.deepEqual(statuses, { "202": 1, "409": AT_ONCE - 1 });
    });

    it("a refresh token has one successor, which all who hold it get", async () => {
      const { refreshToken } = await signUp();
      const responses = await Promise.all(
        together(AT_ONCE, (from) => app.send("POST", "/api/auth/refresh", { body: { refreshToken }, from })),
      );
      const successors = new Set<string>();
      for (const response of responses) {
        assert.equal(response.status, 200);
        const tokens: { refreshToken: string; accessToken: string } = await response.json();
        successors.add(`${tokens.refreshToken} ${tokens.accessToken}`);
      }
      assert.equal(successors.size, 1);
    });

    /** An application, and its code for a person who is signed in. */
    async function openApplication() {
      number += 1;
      const id = `app-${number}`;
      const { email } = await signUp();
      const redirect = "https://notes.example.org/callback";
      const fields = { id, name: id, redirectUris: [redirect], requirePkce: false };
      const made = await app.admin("POST", "/api/admin/clients", fields);
      const { secret }: { secret: string } = await made.json();
      const browser = createBrowser(app);
      await signInBy(browser, email, PASSWORD);
      const query = new URLSearchParams({ client_id: id, redirect_uri: redirect, response_type: "code" });
      const onward = readOnward(await browser.get(`/oauth/authorize?${query.toString()}&scope=openid`));
      const code = new URL(onward).searchParams.get("code") ?? "";
      const ask = async (sent: Record<string, string>, from: string): Promise<OauthAnswer> => {
        const answer = await app.fetch("/oauth/token", {
          method: "POST",
          from,
          body: new URLSearchParams(sent).toString(),
          headers: {
            authorization: `Basic ${btoa(`${id}:${secret}`)}`,
            "content-type": "application/x-www-form-urlencoded",
          },
        });
        return answer.json();
      };
      return {
        redeem: (from: string) =>
          ask({ grant_type: "authorization_code", code, redirect_uri: redirect }, from),
        renew: (refresh_token: string, from: string) =>
          ask({ grant_type: "refresh_token", refresh_token }, from),
      };
    }

    it("an application's code gives tokens to one, and its refresh token has one successor", async () => {
      const { redeem, renew } = await openApplication();
      const from = Array.from({ length: AT_ONCE }, (_, n) => `198.51.100.${n + 1}`);
      const given = await Promise.all(from.map(redeem));
      const [first = assert.fail("Nobody got tokens"), ...more] = given.filter(
        ({ access_token: token }) => token !== undefined,
      );
      assert.deepEqual(more, []);
      assert.equal(given.filter(({ error }) => error === "invalid_grant").length, AT_ONCE - 1);
      assert.equal(await isLiveThere(first.access_token ?? ""), true);
      const spent = first.refresh_token ?? "";
      const renewed = await Promise.all(from.map((address) => renew(spent, address)));
      assert.deepEqual(
        new Set(renewed.map(({ error, access_token: token }) => error ?? token)).size,
        1,
        JSON.stringify(renewed),
      );
      const [next] = renewed;
      const later = await renew(next?.refresh_token ?? "", "198.51.100.1");
      assert.notEqual(later.access_token, undefined);
      // Used long ago: it must be stolen, so the whole session ends.
      assert.equal((await renew(spent, "198.51.100.2")).error, "invalid_grant");
      assert.equal(await isLiveThere(later.access_token ?? ""), false);
    });

    it("no session outlives its end, however many refreshes race it", async () => {
      const { user, accessToken, refreshToken } = await signUp();
      const seen = new Set<string>([accessToken]);
      const chain = async (): Promise<void> => {
        let token = refreshToken;
        for (let i = 0; i < 5; i += 1) {
          const response = await app.send("POST", "/api/auth/refresh", { body: { refreshToken: token } });
          if (response.status !== 200) return;
          const tokens: { refreshToken: string; accessToken: string } = await response.json();
          seen.add(tokens.accessToken);
          token = tokens.refreshToken;
        }
      };
      const refreshes = Array.from({ length: 20 }, chain);
      const revoked = app.send("POST", "/api/auth/revoke", { body: { token: refreshToken } });
      await Promise.all([revoked, ...refreshes]);
      for (const token of seen) assert.equal(await isLive(token), false);
      assert.deepEqual(await app.auth.sessions.list(user.id), []);
    });

    it("fifty check-ins give one reward", async () => {
      const { user, accessToken: token } = await signUp();
      const statuses = await countStatuses(
        together(50, (from) => app.send("POST", "/api/auth/checkin", { token, from })),
      );
      assert.deepEqual(statuses, { "200": 49, "201": 1 });
      const page = await app.store.read((tx) =>
        tx.list(checkIns, "byUserDay", { prefix: [user.id], limit: 10 }),
      );
      const stored = await app.store.read((tx) => tx.get(users, user.id));
      const [only] = page.items;
      assert.deepEqual([page.items.length, stored?.points], [1, (only?.reward ?? 0) + (only?.bonus ?? 0)]);
    });

    it("a recovery code and a time step sign in once", async () => {
      const { email, accessToken: token } = await signUp();
      const { secret }: { secret: string } = await (
        await app.send("POST", "/api/auth/mfa/totp", { token })
      ).json();
      const confirmed = await app.send("POST", "/api/auth/mfa/totp/confirm", {
        token,
        body: { code: app.totp(secret) },
      });
      const { recoveryCodes }: { recoveryCodes: string[] } = await confirmed.json();
      app.clock.advance(60_000);
      for (const [method, code] of [
        ["totp", app.totp(secret)],
        ["recovery", recoveryCodes[0]],
      ]) {
        const challenges: string[] = [];
        for (let n = 0; n < 8; n += 1) {
          const body = { identifier: email, password: PASSWORD };
          const answer = await app.send("POST", "/api/auth/login", { body, from: `198.51.100.${n + 1}` });
          const { challengeId }: { challengeId: string } = await answer.json();
          challenges.push(challengeId);
        }
        const statuses = await countStatuses(
          challenges.map((challengeId) =>
            app.send("POST", "/api/auth/login/mfa", { body: { challengeId, method, code } }),
          ),
        );
        assert.equal(statuses["200"], 1, String(method));
      }
    });

    it("whatever ends an account's sessions has ended them when it answers", async () => {
      const ends: Record<string, (person: SignedIn) => Promise<Response>> = {
        "the person signs out": ({ accessToken: token }) => app.send("POST", "/api/auth/logout", { token }),
        "the person changes the password": ({ accessToken: token }) =>
          app.send("POST", "/api/auth/password/change", {
            token,
            body: { currentPassword: PASSWORD, password: "an even longer sentence of mine" },
          }),
        "the person deletes the account": ({ accessToken: token }) =>
          app.send("DELETE", "/api/auth/me", { token }),
        ...runAdmins(app),
      };
      for (const [name, end] of Object.entries(ends)) {
        const person = await signUp();
        // While requests go on, some of which began before the end.
        const stop = { now: false };
        const asking = (async () => {
          while (!stop.now) {
            await isLive(person.accessToken);
            await new Promise((resolve) => setImmediate(resolve)); // a store in memory never waits for anything
          }
        })();
        const { status } = await end(person);
        assert.ok(status === 200 || status === 204, `${name}: ${status}`);
        assert.equal(await isLive(person.accessToken), false, name);
        stop.now = true;
        await asking;
        const { refreshToken } = person;
        const refreshed = await app.send("POST", "/api/auth/refresh", { body: { refreshToken } });
        assert.equal(refreshed.status, 401, name);
      }
    });
  });
}
