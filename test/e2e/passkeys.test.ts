/** Passkeys in Chromium with its virtual authenticator: made, asked for in the list and by the button, as second step, and what is refused. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { TOTP } from "otpauth";
import type { Browser, CDPSession, Page } from "playwright-core";
import { launchBrowser } from "../support/browser/launch.ts";
import { eventually } from "../support/eventually.ts";
import { findFreePort } from "../support/free-ports.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { type SmtpPeer, startSmtpPeer } from "../support/smtp-peer.ts";
import { ADMIN_TOKEN } from "./site.ts";
import { type WatchedPage, withPage } from "./watched-page.ts";

const PASSWORD = "correct horse battery staple";

/** Notes what the page asks the browser for, and what it gives up. As text, because a page's globals are its own. */
const noteRequests = `(() => {
  const note = (word) => sessionStorage.setItem("asked", ((sessionStorage.getItem("asked") ?? "") + " " + word).trim());
  const { get } = navigator.credentials;
  navigator.credentials.get = function (options) {
    note(options.mediation ?? "modal");
    options.signal?.addEventListener("abort", () => note("aborted"));
    return get.call(this, options);
  };
  for (const name of ["signalUnknownCredential", "signalAllAcceptedCredentials", "signalCurrentUserDetails"]) {
    const told = PublicKeyCredential[name];
    if (told !== undefined)
      PublicKeyCredential[name] = function (options) { note(name); return told.call(this, options); };
  }
})()`;

interface Device {
  readonly cdp: CDPSession;
  readonly id: string;
}

describe("passkeys in a browser", () => {
  let browser: Browser;
  let programs: Programs;
  let smtp: SmtpPeer;
  let url = "";

  before(async () => {
    const port = await findFreePort();
    url = `http://localhost:${port}`;
    [browser, programs, smtp] = await Promise.all([
      launchBrowser(),
      createPrograms(["auth"]),
      startSmtpPeer(),
    ]);
    const program = programs.run({
      LOG_LEVEL: "warn",
      ADMIN_TOKEN,
      AUTH_PORT: String(port),
      AUTH_PUBLIC_URL: url,
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}?from=accounts@example.org`,
    });
    await programs.authUrl(program);
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
    await smtp?.close();
  });

  async function admin(method: string, path: string, body?: object): Promise<Response> {
    return fetch(url + path, {
      method,
      headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async function makeAccount(username: string, more: object = {}): Promise<string> {
    const account = { username, email: `${username}@example.org`, password: PASSWORD, emailVerified: true };
    const made = await admin("POST", "/api/admin/users", { ...account, ...more });
    assert.equal(made.status, 201, await made.clone().text());
    const { id }: { id: string } = await made.json();
    return id;
  }

  /** Gives a page an authenticator with a fingerprint reader, which does not respond until the test says so. */
  async function addDevice(page: Page): Promise<Device> {
    await page.context().addInitScript({ content: noteRequests });
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("WebAuthn.enable", { enableUI: false });
    const { authenticatorId: id } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        ctap2Version: "ctap2_1",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: false,
      },
    });
    return { cdp, id };
  }

  /** How many passkeys it has. */
  async function count({ cdp, id }: Device): Promise<number> {
    return (await cdp.send("WebAuthn.getCredentials", { authenticatorId: id })).credentials.length;
  }

  /** The code of the mail to an address, once it has come. */
  async function codeFor(address: string): Promise<string> {
    return eventually(() => {
      const mail = smtp.mails.findLast(({ to, raw }) => to.includes(address) && /\d{4} \d{4}/u.test(raw));
      return /\d{4} \d{4}/u.exec(mail?.raw ?? "")?.[0] ?? assert.fail(`No mail to ${address}`);
    });
  }

  /** Whether the device is touched when it prompts. */
  async function touch({ cdp, id }: Device, enabled = true): Promise<void> {
    await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId: id, enabled });
  }

  const main = (page: Page) => page.getByRole("main");
  const press = (page: Page, name: string): Promise<void> =>
    main(page).getByRole("button", { name, exact: true }).click();
  const isSignedIn = (page: Page): Promise<void> => page.waitForURL(/\/account(?:\?done=\w+)?$/u);
  const asked = (page: Page): Promise<string> => page.evaluate('sessionStorage.getItem("asked") ?? ""');

  async function enterPassword(page: Page, username: string): Promise<void> {
    await page.goto("/sign-in");
    await page.locator("input[data-passkey-device=localhost][value=yes]").waitFor({ state: "attached" });
    await page.getByLabel("Username or email address").fill(username);
    await page.getByLabel("Password").fill(PASSWORD);
    await press(page, "Sign in");
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/signed-out");
  }

  /** Signs in with the password, takes the passkey that is offered, and signs out. */
  async function makePasskey(page: Page, device: Device, username: string): Promise<void> {
    await enterPassword(page, username);
    await page.waitForURL("**/account/passkey-offer?**");
    await touch(device);
    await press(page, "Add a passkey");
    await isSignedIn(page);
    await touch(device, false);
    await signOut(page);
    await page.evaluate("sessionStorage.clear()");
  }

  const inPage = (
    name: string,
    work: (watched: WatchedPage, device: Device) => Promise<void>,
  ): Promise<void> =>
    withPage(browser, { name, baseURL: url }, async (watched) =>
      work(watched, await addDevice(watched.page)),
    );

  it("offers one after a password, and signs in with it from the list of the name's field", async ({
    name,
  }) => {
    await makeAccount("ann");
    await inPage(name, async ({ page }, device) => {
      await makePasskey(page, device, "ann");
      await touch(device);
      await page.goto("/sign-in");
      await isSignedIn(page);
      assert.match(await asked(page), /^conditional$/u);
      await page.goto("/account/security/passkeys");
      assert.match(await main(page).innerText(), /Last used on/u);
      await eventually(async () => assert.match(await asked(page), /signalAllAcceptedCredentials/u));
    });
  });

  it("gives the list up before it asks by the button, and takes it up when nothing came of that", async ({
    name,
  }) => {
    await makeAccount("bob");
    await inPage(name, async ({ page }, device) => {
      await makePasskey(page, device, "bob");
      await page.goto("/sign-in");
      await eventually(async () => assert.equal(await asked(page), "conditional"));
      await touch(device);
      await press(page, "Sign in with a passkey");
      await isSignedIn(page);
      assert.equal(await asked(page), "conditional aborted modal");
    });
  });

  it("refuses a bogus signature, and a person who was not checked", async ({ name }) => {
    await makeAccount("carl");
    await inPage(name, async ({ page, allow }, device) => {
      allow(/status of 401/u);
      await makePasskey(page, device, "carl");
      const { cdp, id: authenticatorId } = device;
      const trySigningIn = async (): Promise<string> => {
        await page.goto("/sign-in");
        await touch(device);
        await press(page, "Sign in with a passkey").catch(() => undefined);
        const alert = main(page).getByRole("alert");
        await alert.waitFor();
        await touch(device, false);
        return alert.innerText();
      };
      await cdp.send("WebAuthn.setResponseOverrideBits", { authenticatorId, isBogusSignature: true });
      assert.match(await trySigningIn(), /passkey couldn’t be verified/u);
      await cdp.send("WebAuthn.setResponseOverrideBits", { authenticatorId, isBadUV: true });
      assert.match(await trySigningIn(), /didn’t verify that it’s you/u);
      await cdp.send("WebAuthn.setResponseOverrideBits", { authenticatorId });
      await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
      await page.goto("/sign-in");
      await touch(device);
      await press(page, "Sign in with a passkey");
      await page.getByRole("status").filter({ hasText: "was canceled or timed out" }).waitFor();
    });
  });

  it("is the second step after a password, and fresh proof", async ({ name }) => {
    await makeAccount("dora");
    await inPage(name, async ({ page }, device) => {
      await makePasskey(page, device, "dora");
      await enterPassword(page, "dora");
      await isSignedIn(page);
      await page.goto("/account/security");
      await press(page, "Set up an authenticator app");
      const secret = (await page.locator(".mono").innerText()).replaceAll(" ", "");
      await page.getByLabel("Code from your").fill(new TOTP({ secret }).generate());
      await press(page, "Turn on");
      await page.waitForURL("**/recovery-codes");
      await signOut(page);
      await enterPassword(page, "dora");
      await page.waitForURL("**/sign-in/second-factor");
      await touch(device);
      await press(page, "Use a passkey");
      await isSignedIn(page);
      await page.goto("/account/confirm?rd=/account/data");
      await press(page, "Use a passkey");
      // By its path alone: the address before ends the same.
      await page.waitForURL(({ pathname }) => pathname === "/account/data");
    });
  });

  it("is forgotten by the browser once it was removed, by the owner or an administrator", async ({
    name,
  }) => {
    const id = await makeAccount("emma");
    const path = `/api/admin/users/${id}/passkeys`;
    await inPage(name, async ({ page, allow }, device) => {
      await makePasskey(page, device, "emma");
      await touch(device);
      await page.goto("/sign-in");
      await isSignedIn(page);
      await page.goto("/account/security/passkeys");
      await page.getByLabel("Name").fill("Laptop");
      await press(page, "Rename");
      await main(page).getByRole("heading", { name: "Laptop" }).waitFor();
      assert.equal(await count(device), 1);
      await press(page, "Remove");
      await page.getByText("You don’t have any passkeys yet").waitFor();
      await eventually(async () => assert.equal(await count(device), 0));
      await press(page, "Add a passkey");
      await page.getByText("Passkey added").waitFor();
      await touch(device, false);
      await signOut(page);
      const { items }: { items: { id: string }[] } = await (await admin("GET", path)).json();
      assert.equal((await admin("DELETE", `${path}/${items[0]?.id}`)).status, 204);
      allow(/status of 401/u);
      await touch(device);
      await page.goto("/sign-in");
      await page.getByText("doesn’t belong to an account here").waitFor();
      await eventually(async () => assert.equal(await count(device), 0));
    });
  });

  it("cannot be removed as the last way in", async ({ name }) => {
    await makeAccount("gina", { password: undefined });
    await inPage(name, async ({ page, allow }, device) => {
      allow(/status of 409/u);
      await page.goto("/sign-in/code?rd=/account/security/passkeys");
      await page.getByLabel("Email address").fill("gina@example.org");
      await press(page, "Email me a code");
      await page.getByLabel("Verification code from the email").fill(await codeFor("gina@example.org"));
      await press(page, "Sign in");
      await touch(device);
      await press(page, "Add a passkey");
      await page.getByText("Passkey added").waitFor();
      await press(page, "Remove");
      await page.getByText("This is your only way to sign in").waitFor();
      assert.equal(await count(device), 1);
    });
  });

  it("asks no more who said never", async ({ name }) => {
    await makeAccount("finn");
    await inPage(name, async ({ page }) => {
      await enterPassword(page, "finn");
      await page.waitForURL("**/account/passkey-offer?**");
      await press(page, "Don’t ask again");
      await isSignedIn(page);
      await signOut(page);
      await page.context().clearCookies();
      await enterPassword(page, "finn");
      await isSignedIn(page);
    });
  });
});
