/** All services behind one port, each below a path of one address, in Chromium: the live dashboard, an account's pages, the shop's API. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { z } from "zod";
import { startDrivenAgent } from "../lab/fleet/driven-agent.ts";
import { launchBrowser } from "../support/browser/launch.ts";
import { findFreePort } from "../support/free-ports.ts";
import { type Programs, createPrograms, terminate } from "../support/program.ts";
import { signUp } from "../support/sign-up.ts";
import { signIn } from "./admin-view.ts";
import { openFleet, waitForText } from "./fleet-view.ts";
import { ADMIN_TOKEN, toPayload } from "./site.ts";
import { withPage } from "./watched-page.ts";

const PASSWORD = "correct horse battery staple";
const keySchema = z.object({ id: z.string(), agentKey: z.string() });

describe("one port for all services", () => {
  let browser: Browser;
  let programs: Programs;
  let program: ReturnType<Programs["run"]>;
  let origin = "";
  let grpc = 0;

  before(async () => {
    const port = await findFreePort();
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms()]);
    origin = `http://127.0.0.1:${port}`;
    program = programs.run({
      ADMIN_TOKEN,
      LOG_LEVEL: "warn",
      GATEWAY_PORT: String(port),
      PUBLIC_URL: `${origin}/status`,
      AUTH_PUBLIC_URL: `${origin}/accounts`,
      SHOP_PUBLIC_URL: `${origin}/shop`,
      AUTH_PORT: "off",
      SHOP_PORT: "off",
    });
    await program.find(new RegExp(`gateway +${origin}`, "u"));
    ({ grpc } = await programs.ports(program));
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  it("shows the live dashboard below its path, and its pages at addresses of their own", async (test) => {
    const made = await fetch(`${origin}/status/api/admin/servers`, {
      method: "POST",
      headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
      body: JSON.stringify({ name: "web-1" }),
    });
    const agent = startDrivenAgent({
      ...keySchema.parse(await made.json()),
      address: `127.0.0.1:${grpc}`,
    });
    try {
      await agent.send(toPayload({ cpuPercent: 41 }));
      await withPage(browser, { name: test.name, baseURL: origin }, async ({ page }) => {
        await openFleet(page, "/status/");
        await waitForText(page, "web-1", /41\s?%/u);
        await agent.send(toPayload({ cpuPercent: 77 }));
        await waitForText(page, "web-1", /77\s?%/u);
        await page.getByRole("link", { name: "web-1", exact: true }).click();
        await page.waitForURL(/\/status\/servers\/[^/?]+/u);
        await page.reload();
        await page.getByRole("heading", { name: "web-1" }).waitFor();
        await page.goBack();
        await waitForText(page, "web-1", /77\s?%/u);
        await signIn(page, "/status/admin");
        await page.goto("/status/admin/servers");
        await page.getByRole("main").getByRole("link", { name: "web-1" }).click();
        await page.waitForURL(/\/status\/admin\/servers\/[^/?]+/u);
        await page.goto("/status/swagger/index.html");
        await page.getByText("/api/servers", { exact: true }).first().waitFor();
      });
    } finally {
      await agent.stop();
    }
  });

  it("has an account's pages with their cookies, and the shop knows who signed in", async (test) => {
    const authUrl = `${origin}/accounts`;
    const token = await signUp({ authUrl, adminToken: ADMIN_TOKEN, username: "ann", password: PASSWORD });
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${origin}/shop/api/orders`, { headers })).status, 200);
    assert.equal((await fetch(`${origin}/shop/api/orders`)).status, 401);
    assert.equal((await fetch(`${origin}/`)).status, 404);
    await withPage(browser, { name: test.name, baseURL: origin }, async ({ page }) => {
      await page.goto("/accounts/account/sessions");
      await page.waitForURL(/\/accounts\/sign-in\?rd=%2Faccount%2Fsessions$/u);
      await page.getByRole("button", { name: "Deutsch" }).click();
      await page.waitForURL(/\/accounts\/sign-in\?rd=%2Faccount%2Fsessions$/u);
      await page.getByRole("button", { name: "English" }).click();
      await page.getByLabel("Username or email address").fill("ann");
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL(/\/accounts\/account\/sessions$/u);
      await page.getByRole("link", { name: "Security" }).click();
      await page.waitForURL(/\/accounts\/account\/security$/u);
      await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL(/\/accounts\/signed-out$/u);
    });
  });

  it("stops in order", async () => {
    terminate(program);
    assert.equal(await program.ended, 0, program.output());
  });
});
