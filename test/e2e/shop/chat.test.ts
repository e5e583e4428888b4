/** A buyer and a seller chat: both see at once what the other writes, and a picture. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../support/browser/launch.ts";
import { findFreePorts } from "../../support/free-ports.ts";
import { type Programs, createPrograms } from "../../support/program.ts";
import { assertNoBarriers } from "../axe.ts";
import { ADMIN_TOKEN } from "../site.ts";
import { withPage } from "../watched-page.ts";

const PASSWORD = "correct horse battery staple";

describe("the chat of the shop", () => {
  let browser: Browser;
  let programs: Programs;
  let url = "";
  before(async () => {
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms(["shop", "auth"])]);
    // Both have to know each other's address.
    const [shop, auth] = await findFreePorts(2);
    const ports = { SHOP_PORT: String(shop), AUTH_PORT: String(auth) };
    const program = programs.run({ LOG_LEVEL: "warn", ADMIN_TOKEN, ...ports });
    url = await programs.shopUrl(program);
    const made = await fetch(`${await programs.authUrl(program)}/api/admin/users`, {
      method: "POST",
      headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
      body: JSON.stringify({
        username: "mia",
        email: "mia@example.org",
        password: PASSWORD,
        emailVerified: true,
      }),
    });
    assert.ok(made.ok, await made.text());
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  it("brings each side what the other writes, without a reload", async (test) => {
    const { name } = test;
    await withPage(browser, { name: `${name}, seller`, baseURL: url }, async ({ page: seller }) => {
      await withPage(browser, { name: `${name}, buyer`, baseURL: url }, async ({ page: buyer }) => {
        await buyer.goto("/chat");
        await buyer.getByRole("link", { name: "Sign in" }).click();
        await buyer.getByLabel("Username or email address").fill("mia");
        await buyer.getByLabel("Password").fill(PASSWORD);
        await buyer.getByRole("button", { name: "Sign in", exact: true }).click();
        await buyer.getByRole("heading", { level: 1, name: "Contact us" }).waitFor();
        await assertNoBarriers(buyer, { test, what: "the page" });
        await buyer.getByLabel("Your message").fill("Is the lamp dimmable?");
        await buyer.getByRole("button", { name: "Send" }).click();
        await buyer.getByRole("listitem").getByText("Is the lamp dimmable?").waitFor();

        await seller.goto("/admin/chat");
        await seller.getByRole("textbox", { name: "Administrator token" }).fill(ADMIN_TOKEN);
        await seller.getByRole("button", { name: "Sign in", exact: true }).click();
        await seller.getByRole("link", { name: /mia/u }).click();
        await seller.getByText("Is the lamp dimmable?").last().waitFor();
        await assertNoBarriers(seller, { test, what: "the desk" });
        await seller.getByLabel("Your reply").fill("Yes, with any dimmer");
        await seller.getByRole("button", { name: "Send" }).click();

        await buyer.getByText("Yes, with any dimmer").waitFor();
        await buyer.goto("/");
        await seller.getByLabel("Your reply").fill("One more thing");
        await seller.getByRole("button", { name: "Send" }).click();
        await seller.getByRole("listitem").getByText("One more thing").last().waitFor();
        // In the drawer, with what was written meanwhile.
        await buyer.getByRole("link", { name: "Contact us" }).click();
        const drawer = buyer.getByRole("dialog");
        await drawer.getByText("One more thing").waitFor();
        await drawer.getByLabel("Your message").fill("Thank you");
        await drawer.getByRole("button", { name: "Send" }).click();
        await seller.getByRole("listitem").getByText("Thank you").last().waitFor();
        await assertNoBarriers(buyer, { test, what: "the drawer" });
      });
    });
  });
});
