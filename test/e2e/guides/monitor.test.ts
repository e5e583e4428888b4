/** docs/start-monitor.md in Chromium, word by word: from the token to a server, a check and a status page. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { runAgentLines } from "../agent-program.ts";
import { createBrowserRoom } from "../browser-room.ts";
import { ADMIN_TOKEN } from "../site.ts";
import { readGuide } from "./guide.ts";

describe("the guide to the monitor", () => {
  const website = createServer((_request, response) => response.end("Hello"));
  before(() => new Promise<void>((resolve) => website.listen(0, "127.0.0.1", resolve)));
  after(() => {
    website.close();
    website.closeAllConnections();
  });
  // The website of the guide is on this machine.
  const room = createBrowserRoom({ env: { CHECKS_PRIVATE: "1" } });

  it(
    "ends with a status page that visitors see",
    room.page(async ({ page }, site) => {
      const guide = await readGuide("start-monitor.md");
      const main = page.getByRole("main");
      const dialog = page.getByRole("dialog");

      const signIn = guide.step();
      await page.goto(signIn.path());
      await page.getByRole("textbox", { name: signIn.name() }).fill(ADMIN_TOKEN);
      await page.getByRole("button", { name: signIn.name(), exact: true }).click();
      signIn.done();

      const add = guide.step();
      await page.getByRole("button", { name: add.name() }).first().click();
      const server = add.code();
      await dialog.getByLabel(add.name(), { exact: true }).fill(server);
      await dialog.getByRole("button", { name: add.name() }).click();
      await dialog.getByRole("button", { name: add.name() }).click();
      const lines = dialog.locator("textarea, pre, [role=textbox]").filter({ hasText: "node agent.js" });
      const agent = await runAgentLines((await lines.first().textContent()) ?? "", site.folder);
      add.done();
      try {
        const connected = guide.step();
        await dialog.getByText(connected.name()).waitFor();
        await dialog.getByRole("button", { name: connected.name() }).click();
        connected.done();

        const dashboard = guide.step();
        await page.goto(dashboard.path());
        assert.equal(dashboard.code(), server);
        await main.getByRole("link", { name: server }).first().click();
        await main.getByRole("heading", { name: server }).waitFor();
        await main.locator("figure, canvas").first().waitFor();
        dashboard.done();
      } finally {
        await agent.stop();
      }

      const check = guide.step();
      await page.goto(check.path());
      await main.getByRole("link", { name: check.name() }).click();
      assert.match(check.code(), /^https:/u);
      // `as`: it listens on a port.
      const { port } = website.address() as AddressInfo;
      await main.getByRole("textbox", { name: check.name(), exact: true }).fill(`http://127.0.0.1:${port}/`);
      await main.getByRole("button", { name: check.name() }).click();
      await main.getByText(check.name()).waitFor();
      const checked = check.code();
      await main.getByLabel(check.name(), { exact: true }).fill(checked);
      await main.getByRole("button", { name: check.name() }).click();
      await main.getByRole("heading", { level: 1, name: checked }).waitFor();
      check.done();

      const publish = guide.step();
      await page.getByRole("link", { name: publish.name(), exact: true }).click();
      await main.getByRole("link", { name: publish.name() }).click();
      const title = publish.code();
      await main.getByLabel(publish.name(), { exact: true }).fill(title);
      await main.getByRole("button", { name: publish.name() }).click();
      const component = publish.code();
      await main.getByLabel(publish.name(), { exact: true }).fill(component);
      const source = publish.code();
      await main.getByLabel(publish.name()).selectOption({ label: source });
      await main.getByRole("button", { name: publish.name() }).click();
      await main.getByRole("heading", { level: 1, name: title }).waitFor();
      publish.done();

      const visit = guide.step();
      await page.goto(visit.path());
      await page.getByText(title, { exact: true }).first().waitFor();
      await page.getByText(visit.code(), { exact: true }).first().waitFor();
      visit.done();
      guide.done();
    }),
  );
});
