/** The console's users, approvals and invites in Chromium: what an administrator does without curl. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser/launch.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { assertNoBarriers } from "./axe.ts";
import { withPage } from "./watched-page.ts";

const ADMIN_TOKEN = "adm_for-the-people-tests";
const PASSWORD = "correct horse battery staple";
const EMAIL = "bob@example.org";

describe("people in the console", () => {
  let browser: Browser;
  let programs: Programs;
  let url = "";

  before(async () => {
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms(["auth"])]);
    url = await programs.authUrl(programs.run({ LOG_LEVEL: "warn", ADMIN_TOKEN }));
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  async function send(method: string, path: string, body?: object): Promise<string> {
    const headers = { "content-type": "application/json", "x-admin-token": ADMIN_TOKEN };
    const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    return text;
  }

  async function signIn(page: Page): Promise<void> {
    await page.goto("/admin");
    await page.getByRole("textbox", { name: "Administrator token" }).fill(ADMIN_TOKEN);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("navigation", { name: "Administration" }).waitFor();
  }

  /** No barrier in both themes, on a desk and on a phone; shots of all lie where SHOTS says. */
  async function look(page: Page, what: string): Promise<void> {
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [390, 1_440]) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: 900 });
        const root = page.locator("html");
        const [inner, outer] = await root.evaluate((node) => [node.scrollWidth, node.clientWidth]);
        assert.ok((inner ?? 0) <= (outer ?? 0), `${what} is ${inner} wide at ${width}`);
        const folder = process.env["SHOTS"];
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/${what}-${width}-${colorScheme}.png`, fullPage: true });
        await assertNoBarriers(page, {
          test: { diagnostic: () => undefined },
          what: `${what} ${colorScheme}`,
        });
      }
    await page.setViewportSize({ width: 1_280, height: 900 });
  }

  it("are invited, approved, found, helped, suspended, deleted and brought back", async ({ name }) => {
    await send("PATCH", "/api/admin/settings/registration", { mode: "approval" });
    const account = { username: "bob", email: EMAIL, password: PASSWORD, message: "I am Ann's brother" };
    await send("POST", "/api/auth/register", account);
    const code = /\d{4} \d{4}/u.exec(await send("GET", "/api/admin/outbox"))?.[0];
    await send("POST", "/api/auth/email/verify", { email: EMAIL, code });
    await withPage(browser, { name, baseURL: url, locale: "en" }, async ({ page, allow }) => {
      const main = page.getByRole("main");
      const dialog = page.getByRole("dialog");
      const press = (label: string): Promise<void> =>
        main.getByRole("button", { name: label, exact: true }).click();
      const choose = async (label: string): Promise<void> => {
        await press("More actions");
        await page.getByRole("menuitem", { name: label, exact: true }).click();
      };
      const confirm = (label: string): Promise<void> =>
        dialog.getByRole("button", { name: label, exact: true }).click();
      await signIn(page);

      await page.getByRole("link", { name: "Approvals" }).click();
      await main.getByText("I am Ann's brother").waitFor();
      await look(page, "approvals");
      await press("Approve");
      await main.getByText("No pending approvals").waitFor();

      await page.getByRole("link", { name: "Invites" }).click();
      await press("Create invites");
      await dialog.getByLabel("Email addresses").fill("carl@example.org");
      await dialog.getByLabel("Email addresses").press("Enter");
      await look(page, "invite");
      await confirm("Send");
      await dialog.getByText("/sign-up?invite=inv-").waitFor();
      await confirm("Done");
      await main.getByRole("button", { name: "carl@example.org" }).waitFor();
      await look(page, "invites");
      assert.match(await send("GET", "/api/admin/outbox"), /carl@example\.org/u);
      await press("carl@example.org");
      await dialog.getByText("Not used yet.").waitFor();
      await look(page, "invite-open");
      await confirm("Resend with a new link");
      await dialog.getByText("/sign-up?invite=inv-").waitFor();
      await confirm("Done");
      await press("carl@example.org");
      await confirm("Revoke");
      await main.getByText("No invites found.").waitFor();

      await page.getByRole("link", { name: "Users" }).click();
      await main.getByRole("searchbox").fill("bob");
      await page.waitForURL("**/admin/users?q=bob");
      await look(page, "users");
      await send("POST", "/api/auth/login", { identifier: "bob", password: PASSWORD });
      await main.getByRole("link", { name: "bob", exact: true }).click();
      await main.getByText(/^Signed in(?! nowhere)/u).waitFor();
      await look(page, "user");
      await press("End session");
      await main.getByText("No active sessions.").waitFor();

      await press("Send password reset");
      await dialog.getByText("No mail server configured").waitFor();
      await confirm("Send");
      await dialog.getByText(/rst_/u).waitFor();
      await confirm("Done");

      await press("Suspend");
      await dialog.getByLabel("Reason").fill("Sent spam");
      await confirm("Suspend");
      await main.getByText("Sent spam").waitFor();
      await withPage(browser, { name, baseURL: url, locale: "en" }, async (person) => {
        person.allow(/403/u);
        await person.page.goto("/sign-in");
        await person.page.getByLabel("Username or email address").fill("bob");
        await person.page.getByLabel("Password").fill(PASSWORD);
        await person.page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
        await person.page.getByText("Reason: “Sent spam”").waitFor();
      });
      await press("Lift suspension");
      await main.getByText("active", { exact: true }).waitFor();

      await choose("Impersonate user");
      await dialog.getByLabel("Reason").fill("Asked for help");
      await look(page, "impersonate");
      await confirm("Open account");
      await page.getByText("You’re impersonating bob").waitFor();
      await page.getByRole("button", { name: "Stop impersonating" }).click();
      await page.waitForURL("**/signed-out");
      await page.goto("/admin/users?q=bob");
      await main.getByRole("link", { name: "bob", exact: true }).click();

      await choose("Delete");
      assert.equal(await dialog.getByRole("button", { name: "Delete", exact: true }).isDisabled(), true);
      await dialog.getByRole("textbox").fill("bob");
      await confirm("Delete");
      await press("Restore account");
      await main.getByText("active", { exact: true }).waitFor();
      allow(/^$/u);
    });
  });
});
