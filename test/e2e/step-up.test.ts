/** Chromium on its way to an application that wants more than a password: a factor is set up on the way, and the application (openid-client) gets what it asked for. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type Server, createServer } from "node:http";
import { after, before, describe, it } from "node:test";
import * as client from "openid-client";
import { TOTP } from "otpauth";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser/launch.ts";
import { findFreePort } from "../support/free-ports.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { signIn as signInAtConsole } from "./admin-view.ts";
import { ADMIN_TOKEN } from "./site.ts";
import { type WatchedPage, withPage } from "./watched-page.ts";

const PASSWORD = "correct horse battery staple";

describe("a step-up in a browser", () => {
  let browser: Browser;
  let programs: Programs;
  let application: Server;
  let url = "";
  let redirectUri = "";
  let config: client.Configuration;

  async function admin(method: string, path: string, body: object): Promise<unknown> {
    const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" };
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    assert.ok(response.ok, await response.clone().text());
    return response.json();
  }

  before(async () => {
    const port = await findFreePort();
    url = `http://localhost:${port}`;
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms(["auth"])]);
    await programs.authUrl(
      programs.run({ LOG_LEVEL: "warn", ADMIN_TOKEN, AUTH_PORT: String(port), AUTH_PUBLIC_URL: url }),
    );
    application = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end("<!doctype html><title>Vault</title><p>In");
    });
    await once(application.listen(0, "127.0.0.1"), "listening");
    const address = application.address();
    redirectUri = `http://localhost:${typeof address === "object" ? address?.port : ""}/callback`;
    for (const username of ["ann", "bob", "cleo"])
      await admin("POST", "/api/admin/users", {
        username,
        email: `${username}@example.org`,
        password: PASSWORD,
        emailVerified: true,
      });
    const made = await admin("POST", "/api/admin/clients", {
      id: "vault",
      name: "Vault",
      redirectUris: [redirectUri],
    });
    const secret = String(Reflect.get(Object(made), "secret"));
    const options = { execute: [client.allowInsecureRequests] };
    config = await client.discovery(new URL(url), "vault", secret, undefined, options);
  });
  after(async () => {
    await browser?.close();
    application?.close();
    await programs?.dispose();
  });

  const page = (name: string, work: (watched: WatchedPage) => Promise<void>): Promise<void> =>
    withPage(browser, { name, baseURL: url }, work);

  /** Begins a sign-in as openid-client does; resolves with what redeems the code of the address that the page is led to. */
  async function begin(parameters: Record<string, string>) {
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const start = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "openid email",
      state,
      ...parameters,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const maxAge = parameters["max_age"];
    return {
      start: start.href,
      finish: async (at: Page) => {
        await at.waitForURL(`${redirectUri}?**`);
        const tokens = await client.authorizationCodeGrant(config, new URL(at.url()), {
          pkceCodeVerifier: verifier,
          expectedState: state,
          ...(maxAge === undefined ? {} : { maxAge: Number(maxAge) }),
        });
        return tokens.claims() ?? assert.fail("no ID token");
      },
    };
  }

  async function signIn(at: Page, username: string): Promise<void> {
    await at.locator("input[name=identifier]").fill(username);
    await at.locator("input[name=password]").fill(PASSWORD);
    await at.keyboard.press("Enter");
  }

  it("sets up an authenticator app, shows the recovery codes, and comes to the application", async () => {
    await page("step-up-app", async ({ page: at }) => {
      const { start, finish } = await begin({ acr_values: "aal2", max_age: "600" });
      await at.goto(start);
      await signIn(at, "ann");
      await at.waitForURL("**/account/two-factor?**");
      assert.match(await at.locator("main").innerText(), /Vault/u);
      await at.locator("form[action$='/begin'] button").click();
      const secret = (await at.locator("main .mono").innerText()).replaceAll(/\s/gu, "");
      await at.locator("input[name=code]").fill(new TOTP({ secret }).generate());
      await at.keyboard.press("Enter");
      await at.waitForURL("**/recovery-codes");
      await at.locator("form[action$='/kept'] button").click();
      const claims = await finish(at);
      assert.deepEqual([claims["acr"], claims["amr"]], ["aal2", ["pwd", "otp", "mfa"]]);
      // Asked again, the same browser goes straight through.
      const again = await begin({ acr_values: "aal2", max_age: "600" });
      await at.goto(again.start);
      assert.equal((await again.finish(at))["acr"], "aal2");
    });
  });

  it("adds a passkey with the browser's authenticator where the policy wants one, and comes to the application", async () => {
    await admin("PATCH", "/api/admin/clients/vault", { policy: { minimumAssurance: "phishing-resistant" } });
    await page("step-up-passkey", async ({ page: at }) => {
      const cdp = await at.context().newCDPSession(at);
      await cdp.send("WebAuthn.enable", { enableUI: false });
      await cdp.send("WebAuthn.addVirtualAuthenticator", {
        options: {
          protocol: "ctap2",
          ctap2Version: "ctap2_1",
          transport: "internal",
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      const { start, finish } = await begin({ acr_values: "phr" });
      await at.goto(start);
      await signIn(at, "bob");
      await at.waitForURL((place) => /\/account\/(?:two-factor|passkey-offer)/u.test(place.pathname));
      await at.locator("[data-passkey=create] button").click();
      const claims = await finish(at);
      assert.equal(claims["acr"], "phr");
      assert.ok(Array.isArray(claims["amr"]) && claims["amr"].includes("mfa"));
    });
    await admin("PATCH", "/api/admin/clients/vault", { policy: { minimumAssurance: null } });
  });

  it("leads each of two tabs to its own target", async () => {
    await page("step-up-tabs", async ({ page: first }) => {
      const [one, other] = [await begin({ acr_values: "aal2" }), await begin({})];
      const second = await first.context().newPage();
      await first.goto(one.start);
      await second.goto(other.start);
      await signIn(first, "cleo");
      await first.waitForURL("**/account/two-factor?**");
      await signIn(second, "cleo");
      assert.equal((await other.finish(second))["acr"], "aal1");
      await first.locator("form[action$='/begin'] button").click();
      const secret = (await first.locator("main .mono").innerText()).replaceAll(/\s/gu, "");
      await first.locator("input[name=code]").fill(new TOTP({ secret }).generate());
      await first.keyboard.press("Enter");
      await first.locator("form[action$='/kept'] button").click();
      assert.equal((await one.finish(first))["acr"], "aal2");
    });
  });

  it("is set in the console: an application's policy, the site's, a group's, and two factors for everyone", async () => {
    await page("policy-console", async ({ page: at }) => {
      await at.goto("/admin");
      await signInAtConsole(at);
      await at.goto("/admin/applications/vault");
      await at.getByLabel("Minimum assurance").selectOption("two-factor");
      await at.getByLabel("Access token lifetime (minutes)").fill("99");
      await at.getByRole("button", { name: "Save" }).click();
      await at.locator("[aria-invalid=true]").first().waitFor();
      assert.equal(
        await at.getByLabel("Minimum assurance").inputValue(),
        "two-factor",
        "what was chosen stays",
      );
      await at.getByLabel("Access token lifetime (minutes)").fill("5");
      await at.getByRole("button", { name: "Save" }).click();
      await at.getByText("Saved", { exact: true }).first().waitFor();
      const stored = await (
        await fetch(`${url}/api/admin/clients/vault`, { headers: { "x-admin-token": ADMIN_TOKEN } })
      ).json();
      assert.deepEqual(Reflect.get(stored, "policy"), {
        minimumAssurance: "two-factor",
        accessTokenMinutes: 5,
      });

      await admin("POST", "/api/admin/groups", { id: "staff", title: "Staff" });
      await at.goto("/admin/groups/staff");
      await at.getByRole("button", { name: "Edit group" }).click();
      await at.getByLabel("Minimum assurance of members").selectOption("phishing-resistant");
      await at.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await at.getByText("Required for members: Passkey").waitFor();

      await at.goto("/admin/settings?tab=access");
      await at.getByLabel("Require it for all users").check();
      await at.getByLabel("Grace period (days)").fill("7");
      await at.getByLabel("Sign in again after (days)").fill("20");
      await at.getByRole("button", { name: "Save" }).click();
      await at.getByText("Saved", { exact: true }).first().waitFor();
      const settings = await (
        await fetch(`${url}/api/admin/settings/registration`, { headers: { "x-admin-token": ADMIN_TOKEN } })
      ).json();
      const required: object = Reflect.get(settings, "requireTwoFactor");
      assert.deepEqual([Reflect.get(required, "on"), Reflect.get(required, "graceDays")], [true, 7]);
      assert.equal(Reflect.get(Reflect.get(settings, "applicationPolicy"), "sessionDays"), 20);
    });
  });
});
