/** A home network: what a refusal lacks is allowed where it is said, and nothing that was typed is lost. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { signIn } from "./admin-view.ts";
import { createBrowserRoom } from "./browser-room.ts";

const server = createServer((request, response) => {
  request.resume();
  response.end("x".repeat(1_100_000));
});
let url = "";

/** For people who look at what is drawn: SHOTS names a folder. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  if (folder === undefined) return;
  for (const width of [1_440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1_280, height: 800 });
}

describe("private addresses", () => {
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // `as`: it listens on a port.
    const { port } = server.address() as AddressInfo;
    url = `http://127.0.0.1:${port}/home`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  const room = createBrowserRoom();
  const allow = "Allow private addresses and try again";

  it(
    "are allowed from the test of a check, which then says what it could not judge",
    room.page(async ({ page }) => {
      await signIn(page, "/admin/checks/new");
      const main = page.getByRole("main");
      await main.getByRole("textbox", { name: "URL" }).fill(url);
      await main.getByLabel("Response must contain").fill("router");
      await main.getByRole("button", { name: "Test now" }).click();
      await main.getByRole("button", { name: allow }).waitFor();
      await shoot(page, "check-refused");
      await page.setViewportSize({ width: 390, height: 900 });
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390);
      await page.setViewportSize({ width: 1_280, height: 800 });
      await main.getByRole("button", { name: allow }).click();
      await main.getByText("Not judged").waitFor();
      assert.equal(await main.getByRole("textbox", { name: "URL" }).inputValue(), url);
      assert.equal(await main.getByLabel("Response must contain").inputValue(), "router");
      await main.getByText("More settings").click();
      await shoot(page, "check-unjudged");
      await main.getByLabel("Read up to (MiB)").fill("2");
      await main.getByRole("button", { name: "Test now" }).click();
      await main.getByText("Unexpected content").waitFor();
      await main.getByLabel("Read up to (MiB)").fill("1");
      await main.getByRole("button", { name: "Add check" }).click();
      await main.getByRole("heading", { name: /^Unknown for .*Not judged/u }).waitFor();
      await shoot(page, "check-standing");
    }),
  );

  it(
    "are allowed from the test of a channel",
    room.page(async ({ page }) => {
      await signIn(page, "/admin/channels");
      await page.getByRole("button", { name: "Add channel" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Type").selectOption("gotify");
      await dialog.getByLabel("Name").fill("Hallway");
      await dialog.getByLabel("Server URL").fill(url);
      await dialog.getByLabel("Application token", { exact: true }).fill("AbCdEf0123456789");
      await dialog.getByRole("button", { name: "Send test" }).click();
      await dialog.getByRole("button", { name: allow }).waitFor();
      await shoot(page, "channel-refused");
      await dialog.getByRole("button", { name: allow }).click();
      await dialog.getByText(/· 200/u).waitFor();
      assert.equal(await dialog.getByLabel("Name").inputValue(), "Hallway");
    }),
  );

  it(
    "and email is set up from the test of a channel, which keeps what was typed",
    room.page(async ({ page }) => {
      await signIn(page, "/admin/channels");
      await page.getByRole("button", { name: "Add channel" }).first().click();
      const dialog = page.getByRole("dialog", { name: "Add channel" });
      await dialog.getByLabel("Type").selectOption({ label: "Email" });
      await dialog.getByLabel("Name").fill("Inbox");
      await dialog.getByLabel("Recipients").fill("me@example.org");
      await dialog.getByRole("button", { name: "Send test" }).click();
      const result = dialog.locator(".test-result");
      await result.getByText("No mail server is configured").first().waitFor();
      await shoot(page, "channel-no-mail");
      await result.getByRole("button", { name: "Set up email" }).click();
      const mail = page.getByRole("dialog", { name: "Mail server" });
      await mail.getByLabel("Server").fill("127.0.0.1");
      await mail.getByLabel("Security").selectOption("none");
      await mail.getByLabel("Port").fill(new URL(url).port);
      await mail.getByLabel("Sender").fill("status@example.org");
      await mail.getByRole("button", { name: "Save" }).click();
      await mail.waitFor({ state: "detached" });
      // The test runs again, and now meets a server that speaks no SMTP.
      await result.getByText("No mail server is configured").first().waitFor({ state: "detached" });
      assert.equal(await dialog.getByLabel("Name").inputValue(), "Inbox");
      await dialog.getByText("me@example.org", { exact: true }).waitFor();
    }),
  );

  it(
    "and a status page says what subscriptions lack, with a button for it",
    room.page(async ({ page }) => {
      await signIn(page, "/admin/status/new");
      const main = page.getByRole("main");
      await main.getByLabel("Title").fill("My status");
      await main.getByText("No public address is set").waitFor();
      await shoot(page, "status-missing");
      await main.getByRole("button", { name: "Set public URL" }).click();
      const dialog = page.getByRole("dialog", { name: "Set public URL" });
      assert.match(await dialog.getByLabel("Public URL").inputValue(), /^http:\/\/127\.0\.0\.1:\d+$/u);
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      await main.getByText("No public address is set").waitFor({ state: "detached" });
      assert.equal(await main.getByLabel("Title").inputValue(), "My status");
    }),
  );

  it(
    "are for administrators: others read whom to ask",
    room.page(async ({ page }, site) => {
      await site.admin("PATCH", "/api/admin/settings", { privateTargets: false });
      await page.route("**/api/admin/auth", async (route) => {
        if (route.request().method() !== "GET") return route.continue();
        const response = await route.fetch();
        return route.fulfill({ response, json: { ...(await response.json()), scopes: ["checks:write"] } });
      });
      await signIn(page, "/admin/checks/new");
      const main = page.getByRole("main");
      await main.getByRole("textbox", { name: "URL" }).fill("http://10.255.255.1/");
      await main.getByRole("button", { name: "Test now" }).click();
      await main.getByText("Ask someone with the role Owner or Administrator").waitFor();
      assert.equal(await main.getByRole("button", { name: allow }).count(), 0);
      await shoot(page, "check-not-allowed");
    }),
  );
});
