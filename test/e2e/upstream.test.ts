/** Signing in by another provider in a browser: two centers, of which one is the other's provider, and the console that sets it up. */
import assert from "node:assert/strict";
import { type TestContext, after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser/launch.ts";
import { findFreePorts } from "../support/free-ports.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { assertNoBarriers } from "./axe.ts";
import { ADMIN_TOKEN } from "./site.ts";
import { withPage } from "./watched-page.ts";

const PASSWORD = "correct horse battery staple";
const looks = [
  { name: "phone-light", viewport: { width: 390, height: 844 }, colorScheme: "light" },
  { name: "desk-dark", viewport: { width: 1_440, height: 900 }, colorScheme: "dark" },
] as const;

describe("sign-in by another provider", () => {
  let browser: Browser;
  let programs: readonly Programs[] = [];
  let center = "";
  let provider = "";

  async function admin(url: string, path: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
    return response.json();
  }

  before(async () => {
    const [here, there] = await Promise.all([createPrograms(["auth"]), createPrograms(["auth"])]);
    programs = [here, there];
    const [port = 0, otherPort = 0] = await findFreePorts(2);
    // Cookies do not part ports: each has a host name of its own.
    center = `http://localhost:${port}`;
    provider = `http://127.0.0.1:${otherPort}`;
    const env = { LOG_LEVEL: "warn", ADMIN_TOKEN, UPSTREAM_PRIVATE: "1" };
    const started = [
      here.run({ ...env, AUTH_PORT: String(port), AUTH_PUBLIC_URL: center }),
      there.run({ ...env, AUTH_PORT: String(otherPort), AUTH_PUBLIC_URL: provider }),
    ];
    browser = await launchBrowser();
    for (const program of started) await program.find(/auth {5}http/u);
    for (const username of ["ann", "bea"])
      await admin(provider, "/api/admin/users", {
        username,
        email: `${username}@example.org`,
        password: PASSWORD,
        displayName: "Ann Li",
        emailVerified: true,
      });
    await admin(center, "/api/admin/users", {
      username: "zoe",
      email: "bea@example.org",
      password: PASSWORD,
      emailVerified: true,
    });
  });
  after(async () => {
    await browser?.close();
    for (const one of programs) await one.dispose();
  });

  /** A look at the page for people, and for axe. */
  async function look(test: TestContext, page: Page, name: string): Promise<void> {
    await page.screenshot({ path: `/tmp/upstream-${name}.png`, fullPage: true });
    await assertNoBarriers(page, { test, what: name });
  }

  async function signInThere(page: Page, username: string): Promise<void> {
    await page.getByLabel("Username or email address").fill(username);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  }

  it("is set up in the console, and tried", async (test) => {
    const redirectUri = `${center}/sign-in/with/other/callback`;
    const client = { id: "center", name: "Center", redirectUris: [redirectUri] };
    const { secret } = await admin(provider, "/api/admin/clients", client);
    await withPage(browser, { ...looks[1], name: "console", baseURL: center }, async ({ page }) => {
      await page.goto("/admin/providers");
      await page.getByRole("textbox", { name: "Administrator token" }).fill(ADMIN_TOKEN);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByText("No providers yet").waitFor();
      await look(test, page, "console-none");
      await page.getByRole("button", { name: "Add provider" }).click();
      const dialog = page.getByRole("dialog");
      await look(test, page, "console-add");
      await dialog.getByRole("button", { name: "OpenID Connect" }).click();
      await dialog.getByLabel("Name", { exact: true }).fill("Other");
      await dialog.getByLabel("Issuer").fill(provider);
      await dialog.getByLabel("Client ID").fill("center");
      await dialog.getByLabel("Client secret", { exact: true }).fill(String(secret));
      await dialog.getByRole("button", { name: "Add provider" }).click();
      await page.getByText(redirectUri).waitFor();
      await page.getByRole("button", { name: "Test connection" }).click();
      await page.getByText("Connection successful.").waitFor();
      await look(test, page, "console-provider");
      await page.getByLabel("Trust the provider’s verified email addresses").check();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved", { exact: true }).first().waitFor();
      await page.setViewportSize(looks[0].viewport);
      await look(test, page, "console-provider-phone");
    });
  });

  for (const [n, { name, ...options }] of looks.entries())
    it(`leads there and back without a script, ${name}`, async () => {
      const settings = { name, baseURL: center, javaScriptEnabled: false, ...options };
      await withPage(browser, settings, async ({ page, allow }) => {
        allow(/status of 400/u);
        await page.goto("/sign-in");
        await page.screenshot({ path: `/tmp/upstream-sign-in-${name}.png`, fullPage: true });
        await page.getByRole("link", { name: "Continue with Other" }).click();
        const who = n === 0 ? "ann" : "bea";
        await signInThere(page, who);
        await page.waitForURL(`${center}/sign-in/identity`);
        await page.screenshot({ path: `/tmp/upstream-identity-${name}.png`, fullPage: true });
        if (n === 0) {
          await page.getByRole("button", { name: "Create account" }).click();
          await page.waitForURL(`${center}/account`);
          await page.goto("/account/security");
        } else {
          await page.getByRole("link", { name: "Sign in and connect" }).click();
          await signInThere(page, "zoe");
          await page.waitForURL(`${center}/account/connect`);
          await page.screenshot({ path: `/tmp/upstream-connect-${name}.png`, fullPage: true });
          await page.getByRole("button", { name: "Connect Other" }).click();
          await page.getByText("Provider connected").waitFor();
        }
        await page.getByText(`${who}@example.org · connected on`).waitFor();
        await page.screenshot({ path: `/tmp/upstream-security-${name}.png`, fullPage: true });
        if (n === 0) return;
        // The form's answer is a page that leads on: a policy keeps forms from other sites.
        await page.getByRole("button", { name: "Disconnect Other" }).click();
        await page.getByText("Provider disconnected").waitFor();
        await page.getByRole("button", { name: "Connect Other" }).click();
        await page.getByText("Provider connected").waitFor();
        await page.goto("/sign-in/with/other/callback?error=access_denied");
        await page.screenshot({ path: `/tmp/upstream-expired-${name}.png`, fullPage: true });
      });
    });
});
