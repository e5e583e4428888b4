/** The console of accounts in Chromium: both ways in, its sections, and what it says when something is not there. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { PASSWORD, createAccountsRoom } from "./accounts-room.ts";
import { signIn } from "./admin-view.ts";
import { assertNoBarriers } from "./axe.ts";
import { ADMIN_TOKEN } from "./site.ts";

const places = [
  "/admin",
  "/admin/users",
  "/admin/approvals",
  "/admin/invites",
  ...["registration", "passwords", "mail", "branding", "invites", "checkin"].map(
    (tab) => `/admin/settings?tab=${tab}`,
  ),
  "/admin/outbox",
  "/admin/mails",
  "/admin/audit",
];

describe("the console of accounts in a browser", () => {
  const room = createAccountsRoom();
  const { admin } = room;

  async function signInAsPerson(page: Page, username: string): Promise<void> {
    await page.goto("/admin/audit");
    await page.getByRole("link", { name: "Sign in with your account" }).click();
    await page.getByLabel("Username or email address").fill(username);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
  }

  it("has no barriers in any section, in both themes, and nothing that overflows a phone", async (test) => {
    const options = { name: test.name, viewport: { width: 390, height: 844 } };
    await room.page(options, async ({ page, allow }) => {
      // The check wants to look into the mail's frame, too, which runs no scripts and takes no messages.
      allow(
        /Blocked script execution in '[^']*\/mail-previews\/|'postMessage'[^]*recipient window's origin \('null'\)/u,
      );
      await page.goto("/admin");
      await page.getByRole("textbox", { name: "Administrator token" }).waitFor();
      await assertNoBarriers(page, { test, what: "signing in" });
      await signIn(page);
      for (const place of [...places, `/admin/users/${room.carl()}`]) {
        await page.goto(place);
        await page
          .locator("form.stack, table, .figures, .mail-text, .facts, .empty")
          .filter({ hasNotText: "Loading" })
          .first()
          .waitFor();
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await assertNoBarriers(page, { test, what: `${place} ${colorScheme}` });
        }
        const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert.ok(Number(overflow) <= 0, `${place} overflows by ${String(overflow)}`);
      }
    });
  });

  it("lets a person in who administers, to where they wanted, and tells another that they may not", async ({
    name,
  }) => {
    await room.page({ name }, async ({ page }) => {
      await signInAsPerson(page, "ann");
      await page.waitForURL("**/admin/audit");
      await page.getByRole("heading", { name: "Audit log" }).waitFor();
    });
    await room.page({ name }, async ({ page }) => {
      await signInAsPerson(page, "bob");
      await page.getByText("You’re signed in as bob").waitFor();
      await page.getByRole("button", { name: "Sign in with another account" }).click();
      await page.getByRole("textbox", { name: "Administrator token" }).waitFor();
    });
  });

  it("hides codes until they are requested, which the audit records; the URL keeps what is open", async ({
    name,
  }) => {
    await room.page({ name }, async ({ page }) => {
      await signIn(page, "/admin/outbox?state=waiting");
      await page
        .getByRole("button", { name: /Verify your email address/u })
        .first()
        .click();
      const text = page.locator(".mail-text");
      await text.waitFor();
      assert.doesNotMatch(await text.innerText(), /\d{4} \d{4}/u);
      await page.reload();
      await page.getByRole("button", { name: "Show codes and links" }).click();
      await text.filter({ hasText: /\d{4} \d{4}/u }).waitFor();
      await page.goto("/admin/audit?action=outbox.");
      await page.getByRole("cell", { name: "outbox.reveal" }).first().waitFor();
      await page.getByRole("button", { name: "Verify chain" }).click();
      await page.getByRole("status").filter({ hasText: "The chain is intact" }).waitFor();
    });
  });

  it("creates a group with a member, and an application only for it with its secret; both can be deleted", async (test) => {
    await room.page({ name: test.name }, async (watched) => {
      const { page } = watched;
      watched.allow(/status of 422/u);
      const dialog = page.getByRole("dialog");
      await signIn(page, "/admin/groups");
      await page.getByRole("button", { name: "Add group" }).click();
      await dialog.getByLabel("Name").fill("Family & friends");
      assert.equal(await dialog.getByLabel("Id").inputValue(), "family-friends");
      await dialog.getByRole("button", { name: "Add group" }).click();
      await page.getByLabel("Add a member by username").fill("bo");
      await page.getByRole("button", { name: "Add bob" }).click();
      await page.getByRole("button", { name: "Remove bob" }).waitFor();
      await assertNoBarriers(page, { test, what: "a group" });

      await page.goto("/admin/applications");
      await page.getByRole("button", { name: "Add application" }).click();
      await assertNoBarriers(page, { test, what: "the programs to choose from" });
      await dialog.getByRole("button", { name: "Your own code" }).click();
      await dialog.getByLabel("Name").fill("Notes");
      await dialog.getByLabel("Callback URL").fill("nowhere");
      await dialog.getByRole("checkbox", { name: "Family & friends" }).check();
      await assertNoBarriers(page, { test, what: "adding an application" });
      await dialog.getByRole("button", { name: "Add application" }).click();
      await dialog.locator("input[aria-invalid=true]").fill("https://notes.example.org/callback");
      await dialog.getByRole("button", { name: "Add application" }).click();
      const secret = await dialog.getByRole("textbox", { name: "Client secret" }).innerText();
      assert.match(secret, /^sec_/u);
      await dialog.getByRole("button", { name: "Done" }).click();
      await page.waitForURL("**/admin/applications/notes");

      await page.getByLabel("Protected sites").fill("https://notes.example.org");
      await page.keyboard.press("Enter");
      await page.getByLabel("Orders", { exact: true }).selectOption("Read");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("server_name notes.example.org;").waitFor();
      await page.getByRole("button", { name: "Rotate secret" }).click();
      await dialog.getByRole("button", { name: "Rotate secret" }).click();
      await dialog.getByRole("textbox", { name: "Client secret" }).filter({ hasNotText: secret }).waitFor();
      await dialog.getByRole("button", { name: "Done" }).click();
      for (const [deed, isShown] of [
        ["Add second secret", true],
        ["Revoke older secret", false],
      ] as const) {
        await page.getByRole("button", { name: deed }).click();
        await dialog.getByRole("button", { name: deed }).click();
        if (isShown) await dialog.getByRole("button", { name: "Done" }).click();
      }
      await page.getByRole("button", { name: "Add second secret" }).waitFor();
      await page.reload();
      assert.ok(await page.getByRole("checkbox", { name: "Family & friends" }).isChecked());
      assert.equal(await page.getByLabel("Orders", { exact: true }).inputValue(), "read");
      await assertNoBarriers(page, { test, what: "an application" });
      await page.setViewportSize({ width: 390, height: 844 });
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      assert.ok(Number(overflow) <= 0, `overflows by ${String(overflow)}`);

      for (const list of ["groups", "applications"]) {
        await page.goto(`/admin/${list}`);
        await page.getByRole("link", { name: /^(?:Family & friends|Notes)$/u }).waitFor();
        await assertNoBarriers(page, { test, what: `the list of ${list}` });
      }
      await page.goto("/admin/groups/family-friends");
      await page.getByRole("link", { name: "Notes" }).waitFor();
      await page.getByRole("button", { name: "Delete" }).click();
      await dialog.getByRole("link", { name: "Notes" }).click();
      for (const place of ["applications/notes", "groups/family-friends"]) {
        await page.goto(`/admin/${place}`);
        await page.getByRole("button", { name: "Delete" }).click();
        await dialog.getByRole("button", { name: "Delete" }).click();
        await page.waitForURL(/\/admin\/(?:groups|applications)$/u);
        await page.getByText(/^No (?:groups|applications) yet$/u).waitFor();
      }
    });
  });

  it("adds Grafana by its preset, shows what to paste there, and later why a sign-in failed", async (test) => {
    await room.page({ name: test.name }, async ({ page }) => {
      const dialog = page.getByRole("dialog");
      await signIn(page, "/admin/applications");
      await page.getByRole("button", { name: "Add application" }).click();
      await dialog.getByRole("button", { name: "Grafana" }).click();
      await dialog.getByRole("button", { name: "Add application" }).click();
      await dialog.getByText("Enter the URL of the application").waitFor();
      await dialog.getByLabel("URL of Grafana").fill("https://grafana.example.org/");
      await dialog.getByRole("button", { name: "Add application" }).click();
      const secret = await dialog.getByRole("textbox", { name: "Client secret" }).innerText();
      const block = dialog.getByRole("textbox", { name: "Set up Grafana" });
      assert.ok((await block.innerText()).includes(`client_id = grafana\nclient_secret = ${secret}\n`));
      await assertNoBarriers(page, { test, what: "what to paste into Grafana" });
      await dialog.getByRole("button", { name: "Done" }).click();
      await page.getByText("No failed sign-ins in the last 30 days.").waitFor();

      const redirect = "https://grafana.example.org/login/generic_oauth";
      for (const [id, uri] of [
        ["grafana", `${redirect}/`],
        ["Grafana", redirect],
      ] as const) {
        const query = new URLSearchParams({ client_id: id, redirect_uri: uri, response_type: "code" });
        assert.equal((await page.request.get(`/oauth/authorize?${query.toString()}`)).status(), 400);
      }
      await page.getByRole("button", { name: "Refresh" }).click();
      await page.getByText("The callback URL isn’t registered").waitFor();
      await page.getByText("Only the trailing slash differs.").waitFor();
      assert.equal(await page.locator("mark").first().innerText(), "/");
      await assertNoBarriers(page, { test, what: "why it failed" });
      await page.setViewportSize({ width: 390, height: 844 });
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      assert.ok(Number(overflow) <= 0, `overflows by ${String(overflow)}`);

      await page.goto("/admin/applications");
      await page.getByText("Unknown client ID “Grafana”").waitFor();
      await assertNoBarriers(page, { test, what: "the list of applications" });
      await room.admin("DELETE", "/api/admin/clients/grafana", {});
      await page.goto("/admin/groups");
      await page.getByText("No groups yet").waitFor();
      await assertNoBarriers(page, { test, what: "the list of groups" });
    });
  });

  it("has the owner's colours and logo, and a way on when a section's script is gone", async ({ name }) => {
    const logo = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')}`;
    const accent = { light: "#5522aa", dark: "#ccaaff" };
    const customCss = ".button{display:none}";
    await admin("PATCH", "/api/admin/settings/branding", { logo, accent, customCss });
    await room.page({ name }, async (watched) => {
      const { page } = watched;
      // The browser's own error has no stack.
      watched.allow(/status of 404|page error: $/u);
      await signIn(page);
      await page.locator("img.brand-logo").waitFor();
      const found = await page.evaluate("getComputedStyle(document.body).getPropertyValue('--accent')");
      assert.equal(found, "#5522aa");
      await page.route("**/assets/audit-page-*.js", (route) => route.fulfill({ status: 404 }));
      await page.getByRole("link", { name: "Audit log" }).click();
      await page.getByText("Couldn’t load this section").waitFor();
      await page.unroute("**/assets/audit-page-*.js");
      await page.getByRole("button", { name: "Reload" }).click();
      await page.getByRole("heading", { name: "Audit log" }).waitFor();
    });
    await admin("PATCH", "/api/admin/settings/branding", {
      logo: "",
      accent: { light: "", dark: "" },
      customCss: "",
    });
  });

  it("asks before changes are lost, shows refusals at their field, and goes on after a session that ended elsewhere", async ({
    name,
  }) => {
    await room.page({ name }, async (watched) => {
      const { page } = watched;
      watched.allow(/status of (?:401|422)/u);
      await signIn(page, "/admin/settings");
      await page.getByLabel("Site name").fill("");
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator("input[aria-invalid=true]").waitFor();
      await page.getByLabel("Site name").fill("Harbour Goods");
      await page.getByRole("link", { name: "Branding" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await admin("POST", "/api/admin/sessions/revoke-all", { confirm: true });
      await page.getByRole("button", { name: "Save" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Administrator token" }).fill(ADMIN_TOKEN);
      await page.keyboard.press("Enter");
      await page.getByText("No unsaved changes").waitFor();
      assert.equal(await page.getByLabel("Site name").inputValue(), "Harbour Goods");
    });
  });

  it("says that the service is away, and goes on when it is back", async ({ name }) => {
    await room.page({ name }, async (watched) => {
      const { page } = watched;
      watched.allow(/ERR_INTERNET_DISCONNECTED/u);
      await signIn(page, "/admin/outbox");
      await page.getByRole("table").waitFor();
      await page.context().setOffline(true);
      await page.getByRole("button", { name: "Refresh" }).click();
      await page.locator(".admin-note.is-warn").waitFor();
      await page.context().setOffline(false);
      await page.locator(".admin-note.is-warn").waitFor({ state: "detached" });
    });
  });

  it("requires a fresh verification before it shows codes, and then continues", async ({ name }) => {
    await room.page({ name }, async (watched) => {
      const { page } = watched;
      watched.allow(/status of (?:401|403)/u);
      await signInAsPerson(page, "ann");
      await page.waitForURL("**/admin/audit");
      let refused = false;
      // The center's own clock cannot be moved from here: its first answer is as if the sign-in were long ago.
      await page.route("**/reveal", async (route) => {
        if (refused) return route.continue();
        refused = true;
        const body = JSON.stringify({ code: "reauth_required", title: "A recent sign-in is required" });
        return route.fulfill({ status: 403, contentType: "application/problem+json", body });
      });
      await page.goto("/admin/outbox");
      await page
        .getByRole("button", { name: /Verify your email address/u })
        .first()
        .click();
      await page.getByRole("button", { name: "Show codes and links" }).click();
      const proof = page.getByRole("dialog", { name: "Confirm it’s you" });
      await proof.getByLabel("Password").fill("wrong");
      await proof.getByRole("button", { name: "Confirm" }).click();
      await proof.getByText("Wrong password.").waitFor();
      await proof.getByLabel("Password").fill(PASSWORD);
      await proof.getByRole("button", { name: "Confirm" }).click();
      await page
        .locator(".mail-text")
        .filter({ hasText: /\d{4} \d{4}/u })
        .waitFor();
    });
  });
});
