/** A private site: viewers' links, and accounts of the auth center. */
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { signInBehind } from "./admin-view.ts";
import { assertNoBarriers } from "./axe.ts";
import { createBrowserRoom } from "./browser-room.ts";
import { json, openCenter, problem } from "../support/stand-in-center.ts";

describe("a private site in a browser", () => {
  const room = createBrowserRoom({
    prepare: async (site) => {
      await site.addOnline({ id: "web-1", name: "Web 1" });
    },
  });
  /** What the browser says of answers that this file asks for: the feed and the site refuse strangers. */
  const isRefused = /401|WebSocket connection to .* failed/u;

  for (const colorScheme of ["light", "dark"] as const)
    it(`is opened by a viewer's link that an administrator makes, until it is deleted, in the ${colorScheme} theme`, async (test) => {
      await room.page(
        async ({ page, allow }, site) => {
          allow(isRefused);
          await site.admin("PATCH", "/api/admin/settings", { access: { isPrivate: false } });
          await signInBehind(page);
          await page.goto("/admin/access");
          await page.getByText("Anyone with the URL").waitFor();
          await page.getByRole("checkbox", { name: /^Private/u }).check();
          await page.getByRole("button", { name: "Save" }).click();
          await page.getByText("Only viewers and administrators see this site.").waitFor();
          await page.getByRole("button", { name: "Create link" }).click();
          const dialog = page.getByRole("dialog");
          await dialog.getByRole("textbox", { name: "Name" }).fill(`The wall, ${colorScheme}`);
          await dialog.getByRole("button", { name: "Create" }).click();
          const link = (await dialog.getByRole("textbox", { name: "Link" }).textContent()) ?? "";
          assert.match(link, /\/view\/view_[\w-]+$/u);
          await assertNoBarriers(page, { test, what: `the new link, ${colorScheme}` });
          await dialog.getByRole("button", { name: "Done" }).click();
          await page.getByText(`The wall, ${colorScheme}`).waitFor();
          await assertNoBarriers(page, { test, what: `/admin/access, ${colorScheme}` });

          // A stranger, in a browser of its own.
          const other = await page
            .context()
            .browser()
            ?.newContext({ baseURL: site.url, colorScheme, locale: "en-GB" });
          assert.ok(other);
          const stranger = await other.newPage();
          await stranger.goto("/servers/web-1");
          await stranger.getByRole("heading", { name: "This site is private" }).waitFor();
          assert.doesNotMatch(await stranger.content(), /Web 1|Trivet monitor/u);
          await assertNoBarriers(stranger, { test, what: `the sign-in page, ${colorScheme}` });
          await stranger.goto(link);
          await stranger.waitForURL(`${site.url}/`);
          await stranger.getByRole("link", { name: "Web 1", exact: true }).waitFor();
          await stranger.getByText("Private", { exact: true }).waitFor();
          await assertNoBarriers(stranger, { test, what: `the viewer's page, ${colorScheme}` });

          await page
            .getByRole("listitem")
            .filter({ hasText: `The wall, ${colorScheme}` })
            .getByRole("button", { name: "Delete" })
            .click();
          await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
          await stranger.getByRole("heading", { name: "This site is private" }).waitFor();
          assert.equal(await stranger.getByText("Web 1").count(), 0);
          await stranger.goto(link);
          await stranger.getByText("This link has expired").waitFor();
          await other.close();
        },
        { colorScheme },
      )(test);
    });
});

const center = await openCenter();
after(() => center.close());

describe("an account of the auth center in a browser", () => {
  const room = createBrowserRoom({
    env: { AUTH_URL: center.url },
    prepare: async (site) => {
      await site.addOnline({ id: "web-1", name: "Web 1" });
      const access = { isPrivate: true, viewers: { who: "everyone" } };
      await site.admin("PATCH", "/api/admin/settings", { access });
    },
  });
  const challenge = { status: "mfa_required", challengeId: "mfa_1", methods: ["totp", "recovery"] };
  const tokens = { accessToken: "acc_1", user: { id: "u1", username: "ann", role: "user" } };
  const refusal = { status: 401, code: "invalid_credentials" };

  for (const colorScheme of ["light", "dark"] as const)
    it(`signs in with password and second factor, and out, in the ${colorScheme} theme`, async (test) => {
      await room.page(
        async ({ page, allow }) => {
          allow(/401|WebSocket connection to .* failed/u);
          center.respond = json(401, refusal, problem);
          await page.goto("/");
          const form = page.getByRole("form", { name: "Sign in with an account" });
          await form.getByRole("textbox", { name: /^Username/u }).fill("ann");
          await form.getByLabel("Password").fill("wrong");
          await form.getByRole("button", { name: "Sign in" }).click();
          await form.getByText("Wrong username, password or code.").waitFor();
          await assertNoBarriers(page, { test, what: `the form, ${colorScheme}` });
          center.respond = json(200, challenge);
          await form.getByLabel("Password").fill("right");
          await page.keyboard.press("Enter");
          const code = form.getByRole("textbox", { name: /^Code from/u });
          await code.fill("123456");
          await assertNoBarriers(page, { test, what: `the second factor, ${colorScheme}` });
          center.respond = json(200, tokens);
          await page.keyboard.press("Enter");
          await page.getByRole("link", { name: "Web 1", exact: true }).waitFor();
          assert.deepEqual(
            center.seen.slice(-3).map(({ url }) => url),
            ["/api/auth/login/mfa", "/api/auth/validate", "/api/auth/logout"],
          );
          await page.getByRole("button", { name: "Sign out" }).click();
          await form.waitFor();
          assert.equal(await page.getByText("Web 1").count(), 0);
        },
        { colorScheme },
      )(test);
    });
});
