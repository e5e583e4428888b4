/** The first ten minutes of docs/accounts.md in Chromium: a friend gets an account and may use one of two applications. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser/launch.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { withPage } from "./watched-page.ts";

const ADDRESS = "mia@example.org";

describe("the first ten minutes with accounts", () => {
  let browser: Browser;
  let programs: Programs;
  before(async () => {
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms(["auth"])]);
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  async function addApplication(page: Page, name: string, group?: string): Promise<void> {
    const dialog = page.getByRole("dialog");
    await page.getByRole("link", { name: "Applications", exact: true }).click();
    await page.getByRole("button", { name: "Add application" }).click();
    await dialog.getByRole("button", { name: "Behind a proxy" }).click();
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("Address of the application").fill(`https://${name.toLowerCase()}.example.org`);
    if (group !== undefined) await dialog.getByRole("checkbox", { name: group }).check();
    await dialog.getByRole("button", { name: "Add application" }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }

  it("end with a friend who finds the one application, and not the other", async ({ name }) => {
    const program = programs.run({ LOG_LEVEL: "warn" });
    const url = await programs.authUrl(program);
    const [, tokenPath = ""] = await program.find(/administrator token is in (.+)\. Keep a copy/u);
    const token = (await readFile(tokenPath, "utf8")).trim();
    await withPage(browser, { name: `${name}, owner`, baseURL: url }, async ({ page: owner }) => {
      await withPage(browser, { name: `${name}, friend`, baseURL: url }, async ({ page: friend }) => {
        await friend.goto("/sign-up");
        await friend.getByLabel("Username").fill("mia");
        await friend.getByLabel("E-mail address").fill(ADDRESS);
        await friend.getByLabel("Password").fill("correct horse battery staple");
        await friend.getByRole("button", { name: "Create account" }).click();
        await friend.getByRole("heading", { name: "Confirm your e-mail" }).waitFor();

        await owner.goto("/admin");
        await owner.getByRole("textbox", { name: "Administrator token" }).fill(token);
        await owner.getByRole("button", { name: "Sign in", exact: true }).click();
        await owner.getByRole("link", { name: "Outbox" }).click();
        await owner.getByRole("row", { name: ADDRESS }).getByRole("button").click();
        await owner.getByRole("button", { name: "Show codes and links" }).click();
        const mail = owner.getByRole("dialog").locator(".mail-text", { hasText: /\d{4} \d{4}/u });
        const code = /\d{4} \d{4}/u.exec(await mail.innerText())?.[0] ?? assert.fail("no code");
        await owner.getByRole("button", { name: "Close" }).last().click();
        await friend.getByLabel("Code from the mail").fill(code);
        await friend.getByRole("button", { name: "Confirm" }).click();

        await owner.getByRole("link", { name: "Groups", exact: true }).click();
        for (const group of ["Family", "Work"]) {
          await owner.getByRole("button", { name: "Add group" }).click();
          await owner.getByRole("dialog").getByLabel("Name").fill(group);
          await owner.getByRole("dialog").getByRole("button", { name: "Add group" }).click();
          await owner.getByRole("heading", { level: 1, name: group }).waitFor();
          if (group === "Family") {
            await owner.getByLabel("Take in by user name").fill("mia");
            await owner.getByRole("button", { name: "Take in mia" }).click();
            await owner.getByRole("button", { name: "Take out mia" }).waitFor();
            await owner.getByRole("link", { name: "Groups", exact: true }).click();
          }
        }
        await addApplication(owner, "Photos", "Family");
        await addApplication(owner, "Invoices", "Work");

        await friend.goto("/account/applications");
        await friend.getByRole("link", { name: "Photos" }).waitFor();
        assert.equal(await friend.getByText("Invoices").count(), 0);
      });
    });
  });
});
