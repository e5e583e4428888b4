/** The auth center's pages in Chromium: from registering to signing out another device, with scripts and without. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../support/browser/launch.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { type SmtpPeer, startSmtpPeer } from "../support/smtp-peer.ts";
import { eventually } from "../support/eventually.ts";
import { type WatchedPage, withPage } from "./watched-page.ts";

const PASSWORD = "correct horse battery staple";
/** What has the focus: its name, and whether a person sees that. */
interface Focus {
  readonly name: string;
  readonly isSeen: boolean;
}

/** As text, because the types of a page's own globals belong to the page. */
const readFocus = `(() => {
  const it = document.activeElement;
  const { top, bottom, left, right } = it.getBoundingClientRect();
  const { outlineStyle, outlineWidth } = getComputedStyle(it);
  const isRinged = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
  const isInSight = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  const name = it === document.body ? "" : (it.labels?.[0] ?? it).textContent.trim();
  return { name, isSeen: it === document.body || (isRinged && isInSight) };
})()`;

describe("the account center in a browser", () => {
  let browser: Browser;
  let programs: Programs;
  let smtp: SmtpPeer;
  let url = "";

  before(async () => {
    [browser, programs, smtp] = await Promise.all([
      launchBrowser(),
      createPrograms(["auth"]),
      startSmtpPeer(),
    ]);
    const program = programs.run({
      LOG_LEVEL: "warn",
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}?from=accounts@example.org`,
    });
    url = await programs.authUrl(program);
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
    await smtp?.close();
  });

  /** The code of the mail to an address, once it has come. */
  async function codeFor(address: string): Promise<string> {
    return eventually(() => {
      const mail = smtp.mails.findLast(({ to }) => to.includes(address));
      return /\d{4} \d{4}/u.exec(mail?.raw ?? "")?.[0] ?? assert.fail(`No mail to ${address}`);
    });
  }

  async function signIn({ page }: WatchedPage, username: string, password: string): Promise<void> {
    await page.goto("/");
    await page.getByLabel("Username or email address").fill(username);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/account");
  }

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? "with" : "without";
    it(`registers, proves the mailbox, changes the password and signs another device out, ${how} scripts`, async ({
      name,
    }) => {
      const username = `ann-${how}`;
      const email = `${username}@example.org`;
      const changed = "another sentence of mine";
      await withPage(browser, { name, baseURL: url, javaScriptEnabled }, async (watched) => {
        const { page } = watched;
        await page.goto("/sign-up");
        await page.getByLabel("Username").fill(username);
        await page.getByLabel("Email address").fill(email);
        await page.getByLabel("Password").fill(PASSWORD);
        await page.getByRole("button", { name: "Create account" }).click();
        await page.getByLabel("Verification code from the email").fill(await codeFor(email));
        await page.getByRole("button", { name: "Verify" }).click();
        await page.waitForURL("**/account");
        await withPage(browser, { name, baseURL: url, javaScriptEnabled }, async (phone) => {
          await signIn(phone, username, PASSWORD);
          await page.goto("/account/sessions");
          await page.getByRole("main").getByRole("button", { name: "Sign out", exact: true }).click();
          await page.getByRole("status").filter({ hasText: "signed out" }).waitFor();
          await phone.page.goto("/account");
          await phone.page.waitForURL("**/sign-in");
        });
        await page.goto("/account/security");
        await page.getByLabel("Current password").fill(PASSWORD);
        await page.getByLabel("New password").fill(changed);
        await page.getByRole("button", { name: "Change password" }).click();
        await page.getByRole("status").filter({ hasText: "Password changed" }).waitFor();
        await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
        await page.waitForURL("**/signed-out");
        await page.goBack();
        await page.goto("/account/security");
        await page.waitForURL("**/sign-in?rd=*");
        await signIn(watched, username, changed);
      });
    });
  }

  it("is used with the keyboard alone, and shows where one is", async ({ name }) => {
    const username = "kim";
    await withPage(browser, { name, baseURL: url }, async (watched) => {
      const { page } = watched;
      watched.allow(/status of 4\d\d/u);
      const { keyboard } = page;
      /** Goes on until what has that name has the focus; gives the names on the way. */
      const go = async (to: string, key = "Tab"): Promise<string[]> => {
        const way: string[] = [];
        for (let step = 0; step < 40 && way.at(-1) !== to; step += 1) {
          await keyboard.press(key);
          const focus = await page.evaluate<Focus>(readFocus);
          assert.ok(focus.isSeen, `${page.url()}: one cannot see that "${focus.name}" has the focus`);
          way.push(focus.name);
        }
        assert.equal(way.at(-1), to, way.join(", "));
        return way;
      };
      const fill = async (fields: Readonly<Record<string, string>>): Promise<void> => {
        for (const [label, text] of Object.entries(fields)) {
          await go(label);
          await keyboard.type(text);
        }
      };
      const follow = async (to: string, address: string, key = "Enter"): Promise<void> => {
        await go(to);
        await Promise.all([page.waitForURL(address), keyboard.press(key)]);
      };

      await page.goto("/sign-in");
      assert.deepEqual(await go("Username or email address"), [
        "Skip to content",
        "Trivet",
        "Username or email address",
      ]);
      await go("Skip to content", "Shift+Tab");
      await keyboard.press("Enter");
      assert.deepEqual(await go("Create an account"), [
        "Username or email address",
        "Forgot password?",
        "Password",
        "Sign in",
        "Sign in with an email code",
        "Create an account",
      ]);
      await Promise.all([page.waitForURL("**/sign-up"), keyboard.press("Enter")]);
      await fill({ Username: username, "Email address": `${username}@example.org`, Password: PASSWORD });
      await follow("Create account", "**/verify");
      await fill({ "Verification code from the email": await codeFor(`${username}@example.org`) });
      await Promise.all([page.waitForURL("**/account"), keyboard.press("Enter")]);
      await follow("Sign out", "**/signed-out", "Space");
      await follow("Sign in again", "**/sign-in");
      await fill({ "Username or email address": username, Password: PASSWORD });
      await Promise.all([page.waitForURL("**/account"), keyboard.press("Enter")]);

      await withPage(browser, { name, baseURL: url }, async (phone) => {
        await signIn(phone, username, PASSWORD);
        await follow("Devices", "**/account/sessions");
        await follow("Sign out all other devices", "**/account/sessions?done=*", "Space");
        await phone.page.goto("/account");
        await phone.page.waitForURL("**/sign-in");
      });

      const places = [
        "Overview",
        "Profile",
        "Emails",
        "Security",
        "Devices",
        "Applications",
        "Activity",
        "Check-in",
        "Data",
      ];
      assert.deepEqual(await go("Data"), ["Skip to content", "Trivet", ...places]);
      await go("Security", "Shift+Tab");
      await Promise.all([page.waitForURL("**/account/security"), keyboard.press("Enter")]);
      await go("Change password");
      await keyboard.press("Enter");
      // What is wrong has the focus, and leads to its fields.
      await page.getByRole("alert").waitFor();
      assert.equal(await page.evaluate("document.activeElement.getAttribute('role')"), "alert");
      const first = page.getByRole("alert").getByRole("link").first();
      const target = await first.getAttribute("href");
      await keyboard.press("Tab");
      await keyboard.press("Enter");
      assert.equal(await page.evaluate("'#' + document.activeElement.id"), target);
      await go("Sign out", "Shift+Tab");
      await Promise.all([page.waitForURL("**/signed-out"), keyboard.press("Enter")]);
    });
  });

  it("comes back as a page, with what was typed and the place to go on to, after a wrong password", async () => {
    const options = { name: "back", baseURL: url };
    await withPage(browser, options, async ({ page, allow }) => {
      allow(/status of 401/u);
      await page.goto("/sign-in?rd=/people");
      await page.getByLabel("Username or email address").fill("nobody");
      await page.getByLabel("Password").fill("wrong");
      await page.keyboard.press("Enter");
      await page.locator(".faults").waitFor();
      await page.getByRole("link", { name: "Forgot" }).click();
      await page.waitForURL(/\/forgot/u);
      const shown = await page.goBack();
      assert.equal(shown?.request().method(), "GET");
      assert.equal(page.url(), `${url}/sign-in?rd=%2Fpeople`);
      assert.equal(await page.getByLabel("Username or email address").inputValue(), "nobody");
      assert.equal(await page.getByLabel("Password").inputValue(), "");
    });
  });
});
