/** Checks in the console: one that is made, tried, goes down and is paused; a heartbeat that hears from its job. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { signIn, signInBehind } from "./admin-view.ts";
import { assertNoBarriers } from "./axe.ts";
import { createBrowserRoom } from "./browser-room.ts";

/** A website that can be out of order. */
interface Target {
  readonly url: string;
  setStatus(status: number): void;
  close(): void;
}

async function startTarget(): Promise<Target> {
  let status = 200;
  const server = createServer((_request, response) => response.writeHead(status).end("healthy"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // `as`: it listens on a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/health`,
    setStatus: (next) => {
      status = next;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function readId(made: unknown): string {
  assert.ok(typeof made === "object" && made !== null && "id" in made && typeof made.id === "string");
  return made.id;
}

describe("checks in the console", () => {
  let target: Target;
  before(async () => {
    target = await startTarget();
  });
  after(() => target.close());
  const room = createBrowserRoom({ env: { CHECKS_PRIVATE: "1" } });

  it(
    "are made, tried, found down with the reason, and paused",
    room.page(async ({ page }) => {
      await signIn(page, "/admin/checks");
      const main = page.getByRole("main");
      await main.getByRole("link", { name: "Add check" }).click();

      // What lacks is said at its field, and nothing typed is lost.
      await main.getByLabel("Response must contain").fill("unwell");
      await main.getByRole("button", { name: "Add check" }).click();
      await main.getByText("Enter a URL such as https://example.org").waitFor();
      await main.getByRole("textbox", { name: "URL" }).fill(target.url);
      await main.getByRole("button", { name: "Test now" }).click();
      await main.getByText("Unexpected content").waitFor();
      await main.getByLabel("Response must contain").fill("healthy");
      await main.getByRole("button", { name: "Test now" }).click();
      await main.getByText("Result: up").waitFor();

      await main.getByRole("button", { name: "Add condition" }).click();
      await main.getByLabel("What to test").selectOption("body");
      await main.getByLabel("Operator").first().selectOption("matches");
      await main.getByLabel("Value", { exact: true }).fill("^well");
      await main.getByRole("button", { name: "Test now" }).click();
      await main.getByText("Not met").waitFor();
      await main.getByText("Found: not found in 7 characters").waitFor();
      await main.getByLabel("What to test").selectOption("status");
      await main.getByLabel("Value", { exact: true }).fill("200");
      await main.getByRole("button", { name: "Test now" }).click();
      await main.getByText("Found: 200 OK").waitFor();
      await main.getByText("Met", { exact: true }).waitFor();

      await main.getByText("More settings").click();
      await main.getByLabel("Consecutive failures before the check is down").fill("1");
      await main.getByLabel("Name", { exact: true }).fill("Website");
      await main.getByRole("button", { name: "Add check" }).click();
      await main.getByRole("heading", { name: /^Up for/u }).waitFor();

      target.setStatus(503);
      await main.getByRole("button", { name: "Pause" }).click();
      await main.getByRole("heading", { name: /^Paused for/u }).waitFor();
      // What is resumed is tried at once.
      await main.getByRole("button", { name: "Resume" }).click();
      await main.getByRole("heading", { name: /^Down for .*: Unexpected status$/u }).waitFor();
      await main.getByText("503 Service Unavailable").first().waitFor();
      // The present state of the timeline counts its seconds, as the heading does.
      await main.getByText(/^for [2-9]s now$/u).waitFor();

      await main.locator(".crumbs a").click();
      const row = main.getByRole("row", { name: /Website/u });
      await row.getByText("Unexpected status").waitFor();
      await main.getByText("Needs attention").waitFor();

      target.setStatus(200);
      await row.getByRole("checkbox").check();
      await main.getByRole("button", { name: "Pause" }).click();
      await row.getByText("Paused", { exact: true }).waitFor();
      assert.equal(await main.getByText("Needs attention").count(), 0);
    }),
  );

  it(
    "show the addresses of a heartbeat, and what its job said",
    room.page(async ({ page }, site) => {
      await signIn(page, "/admin/checks/new?kind=heartbeat");
      const main = page.getByRole("main");
      await main.getByRole("button", { name: "Cron" }).click();
      await main.getByLabel("Cron expression").fill("15 3 * *");
      await main.getByText("Enter a cron expression with five fields").waitFor();
      await main.getByLabel("Cron expression").fill("15 3 * * *");
      await main.getByText(/^Next: /u).waitFor();
      await main.getByRole("button", { name: "OnCalendar" }).click();
      await main.getByLabel("OnCalendar expression").fill("Mon..Fri");
      await main.getByText(/^Next: /u).waitFor();
      await main.getByLabel("OnCalendar expression").fill("*:0/90");
      await main.getByText("Enter a systemd OnCalendar expression").waitFor();
      await main.getByRole("button", { name: "Cron" }).click();
      await main.getByLabel("Name", { exact: true }).fill("Backup");
      await main.getByRole("button", { name: "Add check" }).click();
      await main.getByText("No pings yet").waitFor();

      const address = await main.getByRole("textbox", { name: "Address" }).textContent();
      assert.ok(address !== null && address.startsWith(`${site.url}/ping/`), String(address));
      const answer = await fetch(address, { method: "POST", body: "12 GB kept" });
      assert.equal(await answer.text(), "OK");
      await main.getByText("12 GB kept").waitFor();
      await main.getByRole("heading", { name: /^Up for/u }).waitFor();
    }),
  );

  for (const [colorScheme, locale] of [
    ["light", "en"],
    ["dark", "de"],
    ["light", "zh"],
  ] as const)
    it(`put nothing in the way of people with disabilities, ${colorScheme} in ${locale}`, async (test) => {
      await room.page(
        async ({ page }, site) => {
          const check = {
            name: `Shop ${locale}`,
            group: "Public",
            tags: ["web"],
            target: { kind: "http", url: target.url },
          };
          const heartbeat = { name: `Backup ${locale}`, target: { kind: "heartbeat" } };
          const ids = await Promise.all(
            [check, heartbeat].map(async (body) =>
              readId(await site.admin("POST", "/api/admin/checks", body)),
            ),
          );
          await signInBehind(page);
          const pages = [
            "",
            "/new",
            "/new?kind=heartbeat",
            ...ids.map((id) => `/${id}`),
            `/${ids[0]}?tab=settings`,
          ];
          for (const path of pages) {
            await page.goto(`/admin/checks${path}`);
            await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
            await page.getByRole("main").locator("table, form, figure").first().waitFor();
            await assertNoBarriers(page, { test, what: `/admin/checks${path} ${colorScheme} ${locale}` });
          }
        },
        { colorScheme, locale },
      )(test);
    });
});
