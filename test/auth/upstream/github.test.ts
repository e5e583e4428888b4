/** Signing in by GitHub, which is played by a fake that was written from its documentation. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { upstreamLinks } from "../../../src/auth/accounts/records.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { type Browser, createBrowser, locationOf } from "../pages/browser.ts";
import { begin, createOutboundTo } from "./providers.ts";

describe("GitHub, as its documentation describes it", () => {
  const emails = [
    { email: "old@example.org", primary: false, verified: true, visibility: null },
    { email: "octo@example.org", primary: true, verified: true, visibility: "private" },
  ];
  let sent: ReturnType<typeof createOutboundTo>["sent"];

  /** A fake, not GitHub: written from docs.github.com. */
  async function createCenter(known: object[], token: object = {}): Promise<TestApp> {
    const outbound = createOutboundTo(
      new Map<string, (request: Request) => Promise<Response> | Response>([
        [
          "https://github.com",
          () => Response.json({ access_token: "gho_1", token_type: "bearer", scope: "user:email", ...token }),
        ],
        [
          "https://api.github.com",
          ({ url, headers }) => {
            if (headers.get("authorization") !== "Bearer gho_1") return new Response("", { status: 401 });
            const { pathname } = new URL(url);
            if (pathname === "/user/emails") return Response.json(known);
            return Response.json({ id: 583_231, login: "octo-cat", name: null, email: "shown@example.org" });
          },
        ],
      ]),
    );
    ({ sent } = outbound);
    const app = await createTestApp({ publicUrl: "https://accounts.example.org", outbound });
    await app.admin("POST", "/api/admin/upstreams", {
      id: "github",
      kind: "github",
      title: "GitHub",
      clientId: "gh",
      secret: "s",
      emailAuthoritative: true,
    });
    return app;
  }

  async function come(
    app: TestApp,
    more: Record<string, string> = {},
  ): Promise<{ browser: Browser; answer: Response }> {
    const browser = createBrowser(app);
    const asked = await begin(browser, "/sign-in/with/github");
    assert.equal(asked.origin + asked.pathname, "https://github.com/login/oauth/authorize");
    assert.equal(asked.searchParams.get("scope"), "read:user user:email");
    const state = asked.searchParams.get("state") ?? "";
    const query = new URLSearchParams({ code: "c", state, ...more }).toString();
    return { browser, answer: await browser.get(`/sign-in/with/github/callback?${query}`) };
  }

  it("knows people by their number, and takes the primary address that was verified", async () => {
    const app = await createCenter(emails);
    const { browser, answer } = await come(app, { iss: "https://github.com/login/oauth" });
    assert.equal(locationOf(answer), "/sign-in/identity");
    const token = sent.find(({ url }) => url.endsWith("/access_token"));
    assert.match(token?.body ?? "", /client_secret=s/u);
    assert.match(token?.body ?? "", /code_verifier=/u);
    const page = await (await browser.get("/sign-in/identity")).text();
    assert.match(page, /octo-cat, octo@example.org/u);
    const fields = { username: "octo", email: "octo@example.org" };
    assert.equal(locationOf(await browser.post("/sign-in/identity", fields)), "/account");
    const [link] = (await app.store.read((tx) => tx.list(upstreamLinks, "id", { limit: 1 }))).items;
    assert.deepEqual([link?.issuer, link?.subject], ["https://github.com", "583231"]);
    assert.equal(locationOf((await come(app)).answer), "/account");
  });

  it("takes no address that is not primary and verified", async () => {
    const app = await createCenter([{ ...emails[1], verified: false }, emails[0] ?? {}]);
    const { browser } = await come(app);
    const page = await (await browser.get("/sign-in/identity")).text();
    assert.doesNotMatch(page, /@example\.org/u);
    const joined = await browser.post("/sign-in/identity", { username: "octo", email: "old@example.org" });
    assert.equal(locationOf(joined), "/sign-in/identity/code");
  });

  it("refuses a code with status 200, and names no other issuer", async () => {
    const refused = await createCenter(emails, { access_token: undefined, error: "bad_verification_code" });
    assert.equal((await come(refused)).answer.status, 400);
    const app = await createCenter(emails);
    assert.equal((await come(app, { iss: "https://evil.example" })).answer.status, 400);
    assert.equal(sent.length, 0);
  });
});
