/** One account for the whole install, in Chromium: the monitor's console by the auth center, with a second factor, and out of both at once. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { TOTP } from "otpauth";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { launchBrowser } from "../support/browser/launch.ts";
import { findFreePort } from "../support/free-ports.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { signUp } from "../support/sign-up.ts";
import { ADMIN_TOKEN } from "./site.ts";
import { withPage } from "./watched-page.ts";

const PASSWORD = "correct horse battery staple";
const meSchema = z.object({ id: z.string() });
const begunSchema = z.object({ secret: z.string() });
const confirmedSchema = z.object({ recoveryCodes: z.array(z.string()).min(1) });

describe("one account for the install's own consoles", () => {
  let browser: Browser;
  let programs: Programs;
  let origin = "";
  let recoveryCodes: string[] = [];

  async function send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<unknown> {
    const init = {
      method,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    };
    const response = await fetch(`${origin}/auth${path}`, init);
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path} answered ${response.status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  before(async () => {
    const port = await findFreePort();
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms()]);
    origin = `http://127.0.0.1:${port}`;
    // Nothing else is set: no public address, no secret.
    const off = { MONITOR_PORT: "off", AUTH_PORT: "off", SHOP_PORT: "off" };
    const program = programs.run({ ...off, ADMIN_TOKEN, LOG_LEVEL: "warn", GATEWAY_PORT: String(port) });
    await program.find(new RegExp(`gateway +${origin}`, "u"));
    const token = await signUp({
      authUrl: `${origin}/auth`,
      adminToken: ADMIN_TOKEN,
      username: "ann",
      password: PASSWORD,
    });
    const bearer = { authorization: `Bearer ${token}` };
    const { id } = meSchema.parse(await send("GET", "/api/auth/me", bearer));
    await send("PATCH", `/api/admin/users/${id}`, { "x-admin-token": ADMIN_TOKEN }, { role: "admin" });
    const { accessToken } = z
      .object({ accessToken: z.string() })
      .parse(await send("POST", "/api/auth/login", {}, { identifier: "ann", password: PASSWORD }));
    const person = { authorization: `Bearer ${accessToken}` };
    const { secret } = begunSchema.parse(await send("POST", "/api/auth/mfa/totp", person));
    const code = new TOTP({ secret }).generate();
    const confirmed = confirmedSchema.parse(
      await send("POST", "/api/auth/mfa/totp/confirm", person, { code }),
    );
    ({ recoveryCodes } = confirmed);
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  const account = (page: Page) => page.getByRole("link", { name: "Sign in with your account" });

  async function signIn(page: Page): Promise<void> {
    await page.goto("/auth/sign-in");
    await page.getByLabel("Username or email address").fill("ann");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(/second-factor/u);
    await page.getByRole("link", { name: "recovery code" }).click();
    await page.locator("input[name=code]").fill(recoveryCodes.shift() ?? "");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/auth\/account/u);
  }

  for (const [base, noun] of [
    ["", "Servers"],
    ["/shop", "Orders"],
  ] as const)
    it(`asks for a fresh proof in a tab of its own, and sends what was typed at "${base}/admin" after it`, async (test) => {
      await withPage(browser, { name: test.name, baseURL: origin }, async ({ page, allow }) => {
        allow(/403/u);
        await signIn(page);
        await page.goto(`${base}/admin/api-keys`);
        await account(page).click();
        await page.waitForURL(/\/admin\/api-keys$/u);
        let isOld = true;
        // The sign-in cannot be made older from here: until the proof the service answers as if it were.
        await page.route("**/api/admin/api-keys", async (route) => {
          if (!isOld || route.request().method() === "GET") return route.continue();
          const problem = { code: "reauth_required", title: "A recent sign-in is required" };
          const body = JSON.stringify({ ...problem, path: "/sign-in?fresh=1" });
          return route.fulfill({ status: 403, contentType: "application/problem+json", body });
        });
        await page.getByRole("button", { name: "Create API key" }).first().click();
        const dialog = page.getByRole("dialog", { name: "Create API key" });
        await dialog.getByLabel("Name").fill("Homepage");
        await dialog.getByLabel(noun, { exact: true }).selectOption("Read");
        await dialog.getByRole("button", { name: "Create API key" }).click();
        const asked: string[] = [];
        page.context().on("request", (request) => asked.push(request.url()));
        const proof = page.getByRole("dialog", { name: "Confirm it’s you" });
        const [tab] = await Promise.all([
          page.waitForEvent("popup"),
          proof.getByRole("link", { name: "Confirm in a new tab" }).click(),
        ]);
        // On a slow machine the sign-in is more than a minute old.
        await tab.waitForURL(/\/admin(?:\/|$)|\/account\/confirm/u);
        assert.match(asked.join("\n"), /\/auth\/oauth\/authorize\?[^\n]*max_age=60/u);
        await tab.close();
        isOld = false;
        await page.bringToFront();
        const done = proof.getByRole("button", { name: "I’ve confirmed it" });
        await Promise.race([done.click().catch(() => undefined), proof.waitFor({ state: "detached" })]);
        await page
          .getByRole("dialog")
          .getByText(/key_/u)
          .or(page.locator('input[value^="key_"]'))
          .first()
          .waitFor();
      });
    });

  it("opens the monitor without typing again, and closes it with the sign-out at the center", async (test) => {
    await withPage(browser, { name: test.name, baseURL: origin }, async ({ page, allow }) => {
      await signIn(page);
      await page.goto("/admin/servers");
      await account(page).click();
      await page.waitForURL(/\/admin\/servers$/u);
      // Of the page itself: with its cookie and its origin.
      const added: unknown = await page.evaluate(
        `fetch("/api/admin/servers", { method: "POST", headers: { "content-type": "application/json" }, body: '{"name":"delta"}' }).then(({ status }) => status)`,
      );
      assert.equal(added, 201);
      await page.reload();
      await page.getByRole("main").getByRole("link", { name: "delta" }).waitFor();
      const audit = await page.context().request.get("/api/admin/audit");
      assert.match(await audit.text(), /"actor":"account ann","action":"server\.create"/u);

      const other = await page.context().newPage();
      await other.goto("/auth/account");
      await other.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
      await other.waitForURL(/\/auth\/signed-out$/u);
      allow(/401/u);
      await page.getByRole("dialog").getByLabel("Administrator token").waitFor();
      await page.goto("/admin/servers");
      await account(page).waitFor();
      await account(page).click();
      await page.waitForURL(/\/auth\/sign-in/u);
    });
  });
});
