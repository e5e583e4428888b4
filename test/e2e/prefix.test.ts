/** Passkeys, second factor, fresh proof, and every page of accounts and consoles in Chromium, below paths of one port. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { TOTP } from "otpauth";
import type { Browser, CDPSession, Page } from "playwright-core";
import { accountStops, consoleStops, tour } from "../support/accounts/tour.ts";
import { type AccountsWorld, createAccountsWorld, PASSWORD } from "../support/accounts/world.ts";
import { launchBrowser } from "../support/browser/launch.ts";
import { findFreePort } from "../support/free-ports.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { signIn } from "./admin-view.ts";
import { ADMIN_TOKEN } from "./site.ts";
import { withPage } from "./watched-page.ts";

/** A device that confirms every request; gives what creates and uses passkeys. */
async function addDevice(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable", { enableUI: false });
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
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
  return { cdp, authenticatorId };
}

/** Notes what a page asks for outside of these paths, or below one twice. */
function watchPaths(page: Page, origin: string, bases: readonly string[]): string[] {
  const strays: string[] = [];
  page.on("request", (request) => {
    const { origin: asked, pathname } = new URL(request.url());
    const isWithin = bases.some(
      (base) => pathname.startsWith(`${base}/`) && !pathname.startsWith(`${base}${base}/`),
    );
    if (asked === origin && !isWithin) strays.push(`${request.method()} ${pathname}`);
  });
  return strays;
}

describe("services below paths of one port", () => {
  let browser: Browser;
  let programs: Programs;
  let world: AccountsWorld;
  let origin = "";
  let auth = "";

  before(async () => {
    const port = await findFreePort();
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms()]);
    origin = `http://localhost:${port}`;
    auth = `${origin}/auth`;
    const program = programs.run({
      ADMIN_TOKEN,
      LOG_LEVEL: "warn",
      GATEWAY_PORT: String(port),
      PUBLIC_URL: `${origin}/status`,
      AUTH_PUBLIC_URL: auth,
      SHOP_PUBLIC_URL: `${origin}/shop`,
      MONITOR_PORT: "off",
      AUTH_PORT: "off",
      SHOP_PORT: "off",
    });
    await program.find(/gateway +http/u);
    world = await createAccountsWorld(auth, ADMIN_TOKEN);
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  it("create a passkey, sign in with it, use it as second factor and as fresh proof", async (test) => {
    const account = { username: "dora", email: "dora@example.org", password: PASSWORD, emailVerified: true };
    await world.admin("POST", "/api/admin/users", account);
    await withPage(browser, { name: test.name, baseURL: origin }, async ({ page }) => {
      const strays = watchPaths(page, origin, ["/auth"]);
      const { cdp, authenticatorId } = await addDevice(page);
      const at = (path: string): Promise<void> => page.waitForURL((url) => url.pathname === `/auth${path}`);
      const signOut = async (): Promise<void> => {
        await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
        await at("/signed-out");
      };
      const enterPassword = async (): Promise<void> => {
        await page.locator("input[data-passkey-device=localhost][value=yes]").waitFor({ state: "attached" });
        await page.locator("input[name=identifier]").fill("dora");
        await page.locator("input[name=password]").fill(PASSWORD);
        await page.locator("main form.card button.primary").click();
      };
      await page.goto(`${auth}/sign-in`);
      await enterPassword();
      await at("/account/passkey-offer");
      await page.locator("#field-passkey button").click();
      await at("/account");
      await signOut();
      // The passkey comes from the list at the field of the name, without a press.
      await page.goto(`${auth}/sign-in`);
      await at("/account");
      await page.goto(`${auth}/account/security`);
      await page.locator("form[action$='/second-factor/begin'] button").click();
      const secret = (await page.locator(".mono").first().innerText()).replaceAll(" ", "");
      await page.locator("input[name=code]").fill(new TOTP({ secret }).generate());
      await page.locator("main form button.primary").first().click();
      await at("/account/security/recovery-codes");
      await page.goto(`${auth}/account/confirm?rd=/account/data`);
      await page.locator("#field-passkey button").click();
      await at("/account/data");
      await signOut();
      await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled: false });
      await page.goto(`${auth}/sign-in`);
      await enterPassword();
      await at("/sign-in/second-factor");
      await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled: true });
      await page.locator("#field-passkey button").click();
      await at("/account");
      assert.deepEqual(strays, []);
    });
  });

  it("ask for nothing outside of their paths, on any page of accounts and consoles", async () => {
    let seen = 0;
    const watched = new WeakMap<Page, string[]>();
    const stops = [...accountStops, ...consoleStops];
    await tour(browser, { world, stops, language: "en" }, async (page, { name }) => {
      const paths: string[] = await page.evaluate(
        `[...document.querySelectorAll("[href],[src],[action]")].map((e) => new URL(e.getAttribute("href") ?? e.getAttribute("src") ?? e.getAttribute("action"), location.href)).filter((u) => u.origin === location.origin).map((u) => u.pathname)`,
      );
      assert.deepEqual(
        paths.filter((path) => !/^\/auth(?:\/|$)|^\/(?:status|shop)\/admin$/u.test(path)),
        [],
        name,
      );
      if (!watched.has(page)) watched.set(page, watchPaths(page, origin, ["/auth"]));
      assert.deepEqual(watched.get(page), [], name);
      seen += 1;
    });
    assert.ok(seen > 60, String(seen));
  });

  for (const [service, base] of [
    ["monitor", "/status"],
    ["shop", "/shop"],
  ] as const)
    it(`open each section of the ${service}'s console below its path`, async (test) => {
      await withPage(browser, { name: test.name, baseURL: origin }, async ({ page, allow }) => {
        allow(/status of 4\d\d/u);
        // Previews of emails are framed without scripts; the test's own are blocked there too.
        allow(/document's frame is sandboxed/u);
        const strays = watchPaths(page, origin, [base]);
        await signIn(page, `${base}/admin`);
        await page.locator(`nav a[href^='${base}/admin/']`).first().waitFor();
        const hrefs: string[] = await page.evaluate(
          `[...document.querySelectorAll("nav a[href^='${base}/admin/']")].map((link) => link.getAttribute("href"))`,
        );
        assert.ok(hrefs.length > 5, hrefs.join(" "));
        for (const href of new Set(hrefs)) {
          await page.goto(href);
          await page.getByRole("heading", { level: 1 }).first().waitFor();
        }
        assert.deepEqual(strays, []);
      });
    });
});
