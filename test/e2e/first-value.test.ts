/** A newcomer at home: a machine, a check and a channel on private addresses, none of which needs another page. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { signIn } from "./admin-view.ts";
import { createBrowserRoom } from "./browser-room.ts";

const received: string[] = [];
const home = createServer((request, response) => {
  let body = "";
  request.on("data", (part: Buffer) => {
    body += part.toString();
  });
  request.on("end", () => {
    if (request.method === "POST") received.push(body);
    response.end("fine");
  });
});
let url = "";

describe("the first minutes at home", () => {
  before(async () => {
    await new Promise<void>((resolve) => home.listen(0, "127.0.0.1", resolve));
    // `as`: it listens on a port.
    const { port } = home.address() as AddressInfo;
    url = `http://127.0.0.1:${port}`;
  });
  after(() => {
    home.close();
    home.closeAllConnections();
  });
  const room = createBrowserRoom();

  it(
    "need a sign-in, three forms, and two clicks to allow private addresses",
    room.page(async ({ page }, site) => {
      let clicks = 0;
      await page.exposeFunction("countClick", () => {
        clicks += 1;
      });
      await page.addInitScript("addEventListener('click', (event) => event.detail && countClick(), true)");
      const pages = new Set<string>();
      page.on("framenavigated", () => pages.add(new URL(page.url()).pathname));
      const begun = performance.now();

      await signIn(page, "/admin/servers");
      const main = page.getByRole("main");
      await main.getByRole("button", { name: "Add server" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("nas");
      await dialog.getByRole("button", { name: "Continue" }).click();
      const command = (await dialog.locator(".copy-box code").first().textContent()) ?? "";
      assert.match(command, /^curl -fsSL http:\/\/127\.0\.0\.1:\d+\/install\.sh \| sudo sh -s -- enr_/u);
      // What the command does on the machine: exchange the code, and report.
      const code = /enr_\S+/u.exec(command)?.[0] ?? "";
      const response = await page.request.post("/api/enrol", { data: { code, hostname: "nas" } });
      assert.equal(response.status(), 201);
      const { id, key } = (await response.json()) as { id: string; key: string };
      const agent = site.startAgent({ id, agentKey: key });
      await agent.report();
      await dialog.getByText("The machine is connected and reports.").waitFor();
      await dialog.getByRole("button", { name: "Done" }).click();

      await page.getByRole("link", { name: "Checks", exact: true }).click();
      await main.getByRole("link", { name: "Add check" }).first().click();
      await main.getByRole("textbox", { name: "URL" }).fill(`${url}/health`);
      await main.getByRole("button", { name: "Test now" }).click();
      await main.getByRole("button", { name: "Allow private addresses and try again" }).click();
      await main.locator(".test-result .is-good").waitFor();
      await main.getByRole("button", { name: "Add check" }).click();
      await main.getByRole("heading", { name: /^Up for /u }).waitFor();

      await page.getByRole("navigation").getByRole("link", { name: "Channels", exact: true }).click();
      await page.getByRole("button", { name: "Add channel" }).first().click();
      await dialog.getByLabel("Type").selectOption({ label: "HTTP template" });
      await dialog.getByLabel("Name").fill("Home Assistant");
      await dialog.getByLabel("URL", { exact: true }).fill(`${url}/hook`);
      await dialog.getByRole("button", { name: "Send test" }).click();
      await dialog.getByRole("button", { name: "Allow private addresses and try again" }).click();
      await dialog.getByText(/· 200/u).waitFor();
      await dialog.getByRole("button", { name: "Save" }).click();
      await main.getByText("Home Assistant").first().waitFor();

      const seconds = Math.round((performance.now() - begun) / 1_000);
      process.stdout.write(`first value: ${clicks} clicks, ${seconds} s, ${[...pages].join(" ")}\n`);
      assert.equal(received.length, 1);
      // Sign-in, servers, checks and channels: no visit to the settings.
      assert.ok(![...pages].some((path) => path.includes("settings")), [...pages].join());
      assert.ok(clicks <= 16, `${clicks} clicks`);
      // Rules exist without a visit to them: of checks by the first check, and they notify the channel.
      const { items } = (await site.admin("GET", "/api/admin/alert-rules")) as {
        items: { kind: string; allChannels: boolean }[];
      };
      assert.ok(items.some(({ kind, allChannels }) => kind === "check" && allChannels));
      await agent.stop();
    }),
  );
});
