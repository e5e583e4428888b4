/** How applications are answered: each error of the standards by redirect or on our own page, and answers as forms. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { StoreError } from "../../../src/store/store.ts";
import { PASSWORD, type SignedIn, type TestApp, createTestApp } from "../app-fixture.ts";
import { type Browser, createBrowser, locationOf, signIn } from "../pages/browser.ts";
import { readOnward } from "./onward.ts";

const REDIRECT = "https://notes.example.org/callback?tenant=1";
const VERIFIER = "v".repeat(43);

let app: TestApp;
let ann: SignedIn;
let browser: Browser;
let secret: string;
let challenge: string;

type Changes = Readonly<Record<string, string | undefined>>;

/** The address of a good request with some of it changed; undefined leaves one out. */
function toPath(changes: Changes = {}): string {
  const fields = {
    response_type: "code",
    client_id: "notes",
    redirect_uri: REDIRECT,
    state: "s 1",
    code_challenge: challenge,
    code_challenge_method: "S256",
    scope: "openid",
    ...changes,
  };
  const sent = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return `/oauth/authorize?${new URLSearchParams(sent).toString()}`;
}

const told = (response: Response): URL => new URL(readOnward(response));

/** The error with which the browser is led back to the application, to where it asked for with all that belongs to it. */
function errorOf(response: Response): string | null {
  const { origin, pathname, searchParams } = told(response);
  assert.equal(origin + pathname, "https://notes.example.org/callback");
  assert.deepEqual(
    ["tenant", "iss", "state", "code"].map((name) => searchParams.get(name)),
    ["1", "http://localhost", "s 1", null],
  );
  return searchParams.get("error");
}

async function readIdToken(response: Response): Promise<string> {
  const code = told(response).searchParams.get("code") ?? "";
  const fields = {
    grant_type: "authorization_code",
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
  };
  const answer = await app.fetch("/oauth/token", {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      authorization: `Basic ${btoa(`notes:${secret}`)}`,
    },
    body: new URLSearchParams(fields).toString(),
  });
  const { id_token: token }: { id_token: string } = await answer.json();
  return token;
}

beforeEach(async () => {
  app = await createTestApp();
  const made = await app.admin("POST", "/api/admin/clients", {
    id: "notes",
    name: "Notes",
    redirectUris: [REDIRECT, "org.example.notes:/back"],
  });
  ({ secret } = await made.json());
  ann = await app.signUp("ann");
  browser = createBrowser(app);
  await signIn(browser, "ann", PASSWORD);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(VERIFIER));
  challenge = Buffer.from(digest).toString("base64url");
});

describe("an application that asks wrongly", () => {
  for (const [error, all] of Object.entries({
    invalid_request: [
      { response_type: undefined },
      { response_type: "" },
      { response_mode: "fragment" },
      { response_mode: "web_message" },
      { code_challenge: undefined },
      { code_challenge_method: "plain" },
      { prompt: "none login" },
      { prompt: "create" },
      { max_age: "-1" },
      { nonce: "n".repeat(1_001) },
      { id_token_hint: "x.y.z" },
    ],
    unsupported_response_type: [{ response_type: "token" }, { response_type: "code id_token" }],
    invalid_scope: [{ scope: "openid  email" }, { scope: "openid \u{e9}" }, { scope: 'open"id' }],
    request_not_supported: [{ request: "x.y.z" }],
    registration_not_supported: [{ registration: "{}" }],
  } satisfies Record<string, Changes[]>))
    it(`gets ${error} at its redirect URI, signed in or not`, async () => {
      for (const changes of all)
        for (const who of [browser, createBrowser(app)])
          assert.equal(errorOf(await who.get(toPath(changes))), error, JSON.stringify(changes));
    });

  it("learns before the sign-in that its request is too long to come back after it", async () => {
    const stranger = createBrowser(app);
    const fits = toPath({ nonce: "n".repeat(1_000), login_hint: "h".repeat(1_000) });
    const asked = new URL(locationOf(await stranger.get(fits)), "http://localhost");
    const rd = asked.searchParams.get("rd") ?? "";
    assert.ok(rd.length > 2_000);
    await stranger.get(asked.pathname + asked.search);
    assert.equal(
      locationOf(await stranger.post("/sign-in", { identifier: "ann", password: PASSWORD, rd })),
      rd,
    );
    const long = { login_hint: "h".repeat(2_400) };
    assert.equal(errorOf(await createBrowser(app).get(toPath(long))), "invalid_request");
    assert.equal(errorOf(await stranger.get(toPath({ ...long, prompt: "login" }))), "invalid_request");
    const other = await stranger.post(
      "/oauth/authorize/another",
      Object.fromEntries(new URL(toPath(long), "http://x").searchParams),
    );
    assert.equal(errorOf(other), "invalid_request");
    assert.equal(locationOf(await stranger.get("/account")), "/sign-in");
  });

  it("learns about repeated parameters, without the state, which may be forged", async () => {
    const twice = await browser.get(`${toPath()}&nonce=a&nonce=b`);
    assert.equal(errorOf(twice), "invalid_request");
    const { searchParams } = told(await browser.get(`${toPath()}&state=other`));
    assert.deepEqual([searchParams.get("error"), searchParams.get("state")], ["invalid_request", null]);
  });

  it("is led nowhere when the application or its address is not registered as it is sent", async () => {
    for (const changes of [
      { client_id: "note" },
      { client_id: undefined },
      { redirect_uri: undefined },
      { redirect_uri: REDIRECT.slice(0, -1) },
      { redirect_uri: `${REDIRECT}1` },
      { redirect_uri: REDIRECT.replace("https", "http") },
      { redirect_uri: REDIRECT.replace("/callback", "/Callback") },
      { redirect_uri: REDIRECT.replace("notes.", "notes%2E") },
      { redirect_uri: REDIRECT.replace(".org", ".org:443") },
    ] satisfies Changes[])
      for (const response_mode of [undefined, "form_post"]) {
        const page = await browser.get(toPath({ ...changes, response_mode }));
        assert.equal(page.status, 400, JSON.stringify(changes));
        assert.deepEqual([page.headers.get("location"), page.headers.get("refresh")], [null, null]);
        assert.ok(!(await page.text()).includes('action="https://'));
      }
    const twice = `${toPath()}&redirect_uri=${encodeURIComponent(REDIRECT)}`;
    assert.equal((await browser.get(twice)).status, 400);
  });

  it("may come with any port on the person's own machine, and with nothing else changed", async () => {
    const local = "http://127.0.0.1:3000/callback";
    await app.admin("PATCH", "/api/admin/clients/notes", { redirectUris: [local] });
    for (const [redirect_uri, status] of [
      ["http://127.0.0.1:49152/callback", 200],
      ["http://127.0.0.1/callback", 200],
      ["http://127.0.0.1:49152/callback/", 400],
      ["http://127.0.0.1:49152@evil.example/callback", 400],
      ["http://127.0.0.10:3000/callback", 400],
      ["http://localhost:3000/callback", 400],
      ["https://127.0.0.1:3000/callback", 400],
    ] as const) {
      const answer = await browser.get(toPath({ redirect_uri }));
      assert.equal(answer.status, status, redirect_uri);
      if (status === 200) assert.ok(told(answer).href.startsWith(`${redirect_uri}?code=`), redirect_uri);
    }
  });

  it("may send what means nothing here, and gets its code", async () => {
    const acr = "urn:mace:incommon:iap:silver";
    const more = { display: "popup", acr_values: acr, claims: "{}", login_hint: "ann" };
    for (const prompt of ["none", undefined]) {
      const answer = told(await browser.get(toPath({ ...more, ui_locales: "fr de", prompt })));
      assert.ok(answer.searchParams.get("code") !== null, "a code came");
    }
  });
});

describe("an application that asks for what cannot be", () => {
  it("gets access_denied or unauthorized_client without interaction, and people read the reason", async () => {
    await app.admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
    for (const [change, error] of [
      [{ allowedGroups: ["family"] }, "access_denied"],
      [{ enabled: false }, "unauthorized_client"],
    ] as const) {
      await app.admin("PATCH", "/api/admin/clients/notes", change);
      assert.equal(errorOf(await browser.get(toPath({ prompt: "none" }))), error);
      assert.equal((await browser.get(toPath())).status, 403);
    }
  });

  it("gets temporarily_unavailable while the store is read-only", async (test) => {
    test.mock.method(app.auth.applicationCodes, "issue", () =>
      Promise.reject(new StoreError("store_unavailable", "the disk is full")),
    );
    assert.equal(errorOf(await browser.get(toPath())), "temporarily_unavailable");
  });

  it("gets login_required for the sign-in of another user, and people are prompted for that one", async () => {
    const hint = await readIdToken(await browser.get(toPath()));
    const isMeant = told(await browser.get(toPath({ prompt: "none", id_token_hint: hint })));
    assert.ok(isMeant.searchParams.get("code") !== null, "a code came");
    await app.signUp("bob");
    await browser.post("/sign-out", {});
    await signIn(browser, "bob", PASSWORD);
    const silent = await browser.get(toPath({ prompt: "none", id_token_hint: hint }));
    assert.equal(errorOf(silent), "login_required");
    const page = await browser.get(toPath({ id_token_hint: hint }));
    assert.match(await page.text(), /signed in as bob, but Notes asked for a different account/u);
    assert.equal(page.headers.get("refresh"), null);
    await app.admin("POST", "/api/admin/clients", { id: "wiki", name: "Wiki", redirectUris: [REDIRECT] });
    const others = await browser.get(toPath({ client_id: "wiki", prompt: "none", id_token_hint: hint }));
    assert.equal(errorOf(others), "invalid_request");
    assert.ok(ann.user.id !== "");
  });
});

describe("ui_locales", () => {
  it("names the language of the sign-in, unless the person has chosen one", async () => {
    const open = async (chosen?: string): Promise<string> => {
      const stranger = createBrowser(app);
      await stranger.get("/sign-in");
      if (chosen !== undefined) await stranger.post("/language", { language: chosen });
      const way = locationOf(await stranger.get(toPath({ ui_locales: "fr-CA de en" })));
      return (await stranger.get(way)).text();
    };
    assert.match(await open(), /<html lang="de"/u);
    assert.match(await open("zh"), /<html lang="zh"/u);
  });
});

describe("response_mode=form_post", () => {
  const post = (changes: Changes = {}) => browser.get(toPath({ response_mode: "form_post", ...changes }));

  it("answers with a form that goes to the application alone, by itself or by its button", async () => {
    const page = await post({ state: `"><img src=x>` });
    assert.deepEqual(
      [page.status, page.headers.get("cache-control"), page.headers.get("refresh")],
      [200, "no-store", null],
    );
    const policy = page.headers.get("content-security-policy") ?? "";
    assert.match(policy, /; form-action https:\/\/notes\.example\.org\/callback; frame-ancestors 'none'/u);
    assert.ok(!policy.includes("unsafe-inline"));
    const html = await page.text();
    assert.equal([...html.matchAll(/<form /gu)].length, 1);
    assert.ok(html.includes(`method="post" action="${REDIRECT}"`) && !html.includes("<img src=x"));
    const names = [...html.matchAll(/type="hidden" name="(\w+)"/gu)].map(([, name]) => name);
    assert.deepEqual(names, ["code", "state", "iss"]);
    const script = /<script type="module" src="([^"]+)"><\/script>/u.exec(html)?.[1] ?? "";
    const sent = await app.raw(script);
    assert.match(sent.headers.get("content-type") ?? "", /^text\/javascript/u);
    assert.match(await sent.text(), /submit\(\)/u);
  });

  it("answers with errors in the same way, and comes after every other page", async () => {
    assert.match(await (await post({ scope: "a  b" })).text(), /name="error" value="invalid_scope"/u);
    await app.admin("PATCH", "/api/admin/clients/notes", { consent: "always" });
    assert.match(await (await post()).text(), /Notes wants to access your account/u);
    const fields = Object.fromEntries(new URL(toPath({ response_mode: "form_post" }), REDIRECT).searchParams);
    const denied = await browser.post("/oauth/authorize/answer", { ...fields, answer: "deny" });
    assert.match(await denied.text(), /name="error" value="access_denied"/u);
  });

  it("is not for programs that no form reaches, and is announced", async () => {
    const answer = await post({ redirect_uri: "org.example.notes:/back" });
    assert.match(readOnward(answer), /^org\.example\.notes:\/back\?error=invalid_request/u);
    const metadata = await (await app.fetch("/.well-known/openid-configuration")).json();
    assert.deepEqual(metadata.response_modes_supported, ["query", "form_post"]);
  });
});
