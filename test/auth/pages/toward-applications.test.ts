/** On the way to an application: which one it is, whom it expects, two tabs at once, and applications that aren't set up correctly. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { PASSWORD, type TestApp, createTestApp } from "../app-fixture.ts";
import { type Browser, createBrowser, locationOf, signIn } from "./browser.ts";

const LOGO = "https://photos.example/logo.png";

let app: TestApp;
let browser: Browser;

beforeEach(async () => {
  app = await createTestApp();
  for (const id of ["photos", "wiki"]) {
    const made = await app.admin("POST", "/api/admin/clients", {
      id,
      name: `The ${id}`,
      logoUrl: id === "photos" ? LOGO : "",
      redirectUris: [`https://${id}.example/cb`],
      protectedOrigins: [`https://${id}.example`],
      postLogoutRedirectUris: [`https://${id}.example/bye`],
    });
    assert.equal(made.status, 201);
  }
  await app.signUp("ann");
  browser = createBrowser(app);
});

const toAuthorize = (id: string, more: Readonly<Record<string, string>> = {}): string =>
  `/oauth/authorize?${new URLSearchParams({
    client_id: id,
    redirect_uri: `https://${id}.example/cb`,
    response_type: "code",
    state: id,
    code_challenge: "c".repeat(43),
    code_challenge_method: "S256",
    scope: "openid",
    ...more,
  }).toString()}`;

/** Where a sign-in for this application begins, as the browser is led there. */
async function begin(id: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const address = locationOf(await browser.get(toAuthorize(id, more)));
  assert.ok(address.startsWith("/sign-in?"));
  return address;
}

const next = (address: string): string => new URL(address, "http://x").searchParams.get("rd") ?? "";
const valueOf = (html: string, name: string): string =>
  new RegExp(`name="${name}"[^>]*? value="([^"]*)"`, "u").exec(html)?.[1] ?? "";

describe("the pages of the sign-in", () => {
  it("name the application with its logo, and nothing else may be loaded from there", async () => {
    const answer = await browser.get(await begin("photos"));
    const html = await answer.text();
    assert.ok(html.includes("to continue to The photos"));
    assert.ok(html.includes(`<img src="${LOGO}" alt=""`));
    assert.match(
      answer.headers.get("content-security-policy") ?? "",
      /img-src 'self' https:\/\/photos\.example\/logo\.png data:;/u,
    );
    const plain = await browser.get(await begin("wiki"));
    assert.doesNotMatch(plain.headers.get("content-security-policy") ?? "", /https:/u);
    const rd = next(await begin("wiki"));
    for (const path of ["/sign-up", "/sign-in/code"])
      assert.ok(
        (await (await browser.get(`${path}?${new URLSearchParams({ rd }).toString()}`)).text()).includes(
          "to continue to The wiki",
        ),
        path,
      );
    assert.ok(!(await (await browser.get("/sign-in?rd=/account")).text()).includes("to continue to"));
  });

  it("name the application behind a proxy too", async () => {
    const rd = `/sign-in/application?${new URLSearchParams({ to: "https://photos.example", state: "x" }).toString()}`;
    const html = await (await browser.get(`/sign-in?${new URLSearchParams({ rd }).toString()}`)).text();
    assert.ok(html.includes("to continue to The photos"));
  });

  it("fill in whom the application expects: at the sign-in, at the registration, for a code and a new password", async () => {
    const address = await begin("wiki", { login_hint: "ann@example.org" });
    assert.equal(valueOf(await (await browser.get(address)).text(), "identifier"), "ann@example.org");
    for (const [path, field] of [
      ["/sign-up", "email"],
      ["/sign-in/code", "sendTo"],
      ["/forgot", "email"],
    ] as const) {
      const html = await (
        await browser.get(`${path}?${new URLSearchParams({ rd: next(address) }).toString()}`)
      ).text();
      assert.equal(valueOf(html, field), "ann@example.org", path);
    }
    const named = await begin("wiki", { login_hint: "ann" });
    assert.equal(valueOf(await (await browser.get(named)).text(), "identifier"), "ann");
    const signUp = await browser.get(`/sign-up?${new URLSearchParams({ rd: next(named) }).toString()}`);
    assert.equal(valueOf(await signUp.text(), "email"), "");
    for (const login_hint of ["a\u0000b", "\u202eann", "h".repeat(255)])
      assert.equal(
        valueOf(await (await browser.get(await begin("wiki", { login_hint }))).text(), "identifier"),
        "",
      );
    const html = await (await browser.get(await begin("wiki", { login_hint: '"><script>' }))).text();
    assert.ok(!html.includes("<script>"));
  });

  it("keep what was typed where it was refused", async () => {
    const address = await begin("wiki", { login_hint: "ann" });
    await browser.get(address);
    const refused = await browser.post("/sign-in", {
      identifier: "bob",
      password: "wrong",
      rd: next(address),
    });
    const html = await refused.text();
    assert.equal(valueOf(html, "identifier"), "bob");
    assert.ok(html.includes("to continue to The wiki"));
  });
});

describe("a person who is signed in", () => {
  beforeEach(async () => {
    await signIn(browser, "ann", PASSWORD);
  });

  const isCode = (answer: Response): boolean => /code=cod_/u.test(answer.headers.get("refresh") ?? "");

  it("goes on at once where the application expects this account, however it names it", async () => {
    for (const login_hint of ["ann", "ANN", "ann@example.org", "Ann@Example.org"])
      assert.ok(isCode(await browser.get(toAuthorize("wiki", { login_hint }))), login_hint);
  });

  it("comes once when the application expects another account, and continues with either", async () => {
    const other = { login_hint: "bob@example.org" };
    const html = await (await browser.get(toAuthorize("wiki", other))).text();
    assert.ok(html.includes("You’re signed in as ann, but The wiki asked for bob@example.org."));
    const onward =
      / class="button primary wide" href="([^"]+)"/u.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    assert.ok(isCode(await browser.get(onward)));
    const query = Object.fromEntries(new URLSearchParams(toAuthorize("wiki", other).split("?")[1]));
    const address = locationOf(await browser.post("/oauth/authorize/another", query));
    assert.equal(valueOf(await (await browser.get(address)).text(), "identifier"), "bob@example.org");
    // No second question after the sign-in.
    const back = locationOf(
      await browser.post("/sign-in", { identifier: "ann", password: PASSWORD, rd: next(address) }),
    );
    assert.ok(isCode(await browser.get(back)));
  });

  it("never comes without a page: a hint is not mandatory", async () => {
    assert.ok(isCode(await browser.get(toAuthorize("wiki", { login_hint: "bob", prompt: "none" }))));
  });
});

describe("two tabs of a browser", () => {
  const pathOf = (address: string): string =>
    new URL(address, "http://x").searchParams.get("client_id") ?? address;

  it("both go on to their own target from the sign-in, whichever comes first", async () => {
    const [one, other] = [await begin("photos"), await begin("wiki")];
    const form = { identifier: "ann", password: PASSWORD };
    assert.equal(pathOf(locationOf(await browser.post("/sign-in", { ...form, rd: next(one) }))), "photos");
    assert.equal(pathOf(locationOf(await browser.post("/sign-in", { ...form, rd: next(other) }))), "wiki");
    assert.equal(pathOf(locationOf(await browser.post("/sign-in/passkey", { rd: next(other) }))), "wiki");
    assert.equal(pathOf(locationOf(await browser.post("/sign-up", { rd: next(other) }))), "wiki");
    assert.equal(
      pathOf(
        locationOf(await browser.post("/sign-in/code/send", { sendTo: "ann@example.org", rd: next(other) })),
      ),
      "wiki",
    );
    // Never anywhere else.
    assert.equal(
      locationOf(await browser.post("/sign-in", { ...form, rd: "https://evil.example/" })),
      "/account",
    );
  });

  it("both go on from the second factor", async () => {
    const { accessToken: token } = await app.signUp("mia");
    const begun = await app.send("POST", "/api/auth/mfa/totp", { token });
    const { secret }: { secret: string } = await begun.json();
    await app.send("POST", "/api/auth/mfa/totp/confirm", { token, body: { code: app.totp(secret) } });
    app.clock.advance(60_000);
    const targets = [next(await begin("photos")), next(await begin("wiki"))];
    const forms: { code: string; rd: string }[] = [];
    for (const rd of targets) {
      const to = locationOf(await browser.post("/sign-in", { identifier: "mia", password: PASSWORD, rd }));
      assert.equal(to, "/sign-in/second-factor");
      const html = await (await browser.get(to)).text();
      assert.ok(html.includes(`to continue to The ${rd === targets[0] ? "photos" : "wiki"}`));
      forms.push({ code: app.totp(secret), rd: valueOf(html, "rd").replaceAll("&amp;", "&") });
    }
    assert.deepEqual(
      forms.map(({ rd }) => rd),
      targets,
    );
    for (const [at, id] of ["photos", "wiki"].entries())
      assert.equal(pathOf(locationOf(await browser.post("/sign-in/second-factor", forms[at] ?? {}))), id);
  });

  it("both go on from the proof of a new mailbox, and from a code that was mailed", async () => {
    const targets = [next(await begin("photos")), next(await begin("wiki"))];
    await browser.post("/sign-up", {
      username: "new",
      email: "new@example.org",
      password: PASSWORD,
      rd: targets[0] ?? "",
    });
    const html = await (await browser.get("/verify")).text();
    assert.equal(valueOf(html, "rd").replaceAll("&amp;", "&"), targets[0]);
    const form = { email: "new@example.org", code: await app.codeFor("new@example.org") };
    for (const [at, id] of ["photos", "wiki"].entries())
      assert.equal(pathOf(locationOf(await browser.post("/verify", { ...form, rd: targets[at] ?? "" }))), id);
  });

  it("keep their target where the session ended in the other one", async () => {
    await signIn(browser, "ann", PASSWORD);
    await browser.post("/sign-out", {});
    const to = locationOf(
      await browser.post("/account/confirm", { password: PASSWORD, rd: toAuthorize("wiki") }),
    );
    assert.ok(next(to).startsWith("/account/confirm?rd="), to);
    assert.ok(decodeURIComponent(next(to)).includes("client_id=wiki"));
    const entry = locationOf(
      await browser.post("/sign-in/application/another", { to: "https://wiki.example", state: "s" }),
    );
    assert.match(next(entry), /^\/sign-in\/application\?to=https%3A%2F%2Fwiki\.example&state=s$/u);
  });
});

describe("an application that isn't set up correctly", () => {
  const wrong: Readonly<Record<string, string>> = {
    "a wrong callback address": toAuthorize("wiki", { redirect_uri: "https://wiki.example/cb/" }),
    "an unknown client id": toAuthorize("wiki", { client_id: "wikki" }),
    "a wrong address after signing out": `/oauth/logout?${new URLSearchParams({ client_id: "wiki", post_logout_redirect_uri: "https://wiki.example/" }).toString()}`,
    "an unknown application at the sign-out": `/oauth/logout?${new URLSearchParams({ client_id: "wikki", post_logout_redirect_uri: "https://wiki.example/" }).toString()}`,
    "a hint that is no token": "/oauth/logout?id_token_hint=x&client_id=wiki",
    "an address after signing out without a name":
      "/oauth/logout?post_logout_redirect_uri=https%3A%2F%2Fwiki.example%2Fbye",
  };
  const linksOf = (html: string): string[] =>
    [...html.matchAll(/ (?:href|action)="([^"]*)"/gu)].map(([, to = ""]) => to);

  for (const [name, path] of Object.entries(wrong))
    it(`tells a visitor whom to tell, and an administrator the reason: ${name}`, async () => {
      const answer = await browser.get(path);
      assert.deepEqual(
        [answer.status, answer.headers.get("location"), answer.headers.get("refresh")],
        [400, null, null],
      );
      const html = await answer.text();
      const reference = /include this reference: ([\w-]+)/u.exec(html)?.[1] ?? assert.fail(html);
      assert.equal(reference, answer.headers.get("x-request-id"));
      assert.ok(!html.includes("Why this failed"));
      for (const link of linksOf(html)) assert.match(link, /^(?:\/(?!\/)|#)/u);
      await app.auth.refusals.flush();
      for (const id of ["wiki", "unknown"]) {
        const shown = await app.admin("GET", `/api/admin/clients/${id}/refusals`);
        const { items }: { items: { reference: string }[] } = await shown.json();
        for (const item of items) assert.equal(item.reference, reference);
      }
      const root = createBrowser(app);
      await app.signUp("root", { role: "admin" });
      await signIn(root, "root", PASSWORD);
      const told = await (await root.get(path)).text();
      assert.ok(told.includes("Why this failed") && !told.includes("include this reference"), told);
      assert.ok(linksOf(told).some((link) => link.startsWith("/admin/applications")));
      // A user without administration rights gets the same answer as a visitor.
      await signIn(browser, "ann", PASSWORD);
      assert.ok(!(await (await browser.get(path)).text()).includes("Why this failed"));
    });

  it("offers who is signed in to sign out all the same, and leads nowhere", async () => {
    await signIn(browser, "ann", PASSWORD);
    const html = await (await browser.get(wrong["a wrong address after signing out"] ?? "")).text();
    assert.match(html, /action="\/oauth\/logout\/confirm"/u);
    assert.doesNotMatch(html, /name="post_logout_redirect_uri"/u);
    assert.equal(locationOf(await browser.post("/oauth/logout/confirm", {})), "/signed-out");
    assert.ok(locationOf(await browser.get("/account")).startsWith("/sign-in"));
  });

  it("tells programs as before, in a problem document", async () => {
    for (const path of Object.values(wrong)) {
      const answer = await app.raw(path, { headers: { accept: "application/json" } });
      assert.deepEqual(
        [answer.status, answer.headers.get("content-type")],
        [400, "application/problem+json"],
      );
    }
  });

  it("says that a request which was sent ahead has expired, and where to begin again", async () => {
    await app.admin("PATCH", "/api/admin/clients/wiki", { launchUrl: "https://wiki.example/" });
    const path = `/oauth/authorize?${new URLSearchParams({ client_id: "wiki", request_uri: "urn:ietf:params:oauth:request_uri:par_x" }).toString()}`;
    const answer = await browser.get(path);
    const html = await answer.text();
    assert.equal(answer.status, 400);
    assert.ok(
      html.includes("This sign-in request has expired") && html.includes('href="https://wiki.example/"'),
    );
  });
});
