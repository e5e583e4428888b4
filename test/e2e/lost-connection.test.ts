/** The monitor stops while pages are open: they say so, keep what they know in gray, and come back without a false alarm. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { runAgentLines } from "./agent-program.ts";
import { signInBehind } from "./admin-view.ts";
import { createBrowserRoom } from "./browser-room.ts";
import type { Site } from "./site.ts";

const unreachable =
  /WebSocket connection to .* failed|net::ERR_(?:CONNECTION|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|INCOMPLETE)/u;

/** An agent as people run it, which reports every three seconds. */
async function startAgent(site: Site, id: string): Promise<{ stop(): Promise<void> }> {
  const { agentKey } = await site.addServer({ id, name: id });
  const lines = `curl -fsSLO ${site.url}/download/agent.js &&\n  node agent.js --server ${site.grpc} --id ${id} --key ${agentKey} --interval 3`;
  return runAgentLines(lines, site.folder);
}

async function readServers(site: Site): Promise<Readonly<Record<string, string>>> {
  // `as`: the shape of the API's answer.
  const { items } = (await site.admin("GET", "/api/admin/servers")) as {
    items: { id: string; state: string }[];
  };
  return Object.fromEntries(items.map(({ id, state }) => [id, state]));
}

/** Notes each text of the page that says "Offline" of a server, from now on. */
const watchOffline = `(() => {
  window.saidOffline = [];
  const look = () => {
    const found = /[^\\n]*\\n?Offline for[^\\n]*/u.exec(document.body.innerText);
    if (found) window.saidOffline.push(found[0]);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
})()`;

const colorOf = (page: Page, selector: string): Promise<string> =>
  page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).color`);

describe("pages whose monitor stops", () => {
  const room = createBrowserRoom({ env: { CHECKS_PRIVATE: "1" } });

  it(
    "say so, keep the last values in gray, and come back with all servers online and the history of before",
    room.page(
      async ({ page, allow }, site) => {
        allow(unreachable);
        const agent = await startAgent(site, "web-1");
        try {
          const target = { kind: "tcp", host: "127.0.0.1", port: Number(new URL(site.url).port) };
          const check = await site.admin("POST", "/api/admin/checks", { name: "Shop", target });
          // `as`: the shape of the API's answer.
          const { id } = check as { id: string };
          await signInBehind(page);
          await page.goto("/");
          await page.locator(".card .state-mark.is-online").first().waitFor();
          const console_ = await page.context().newPage();
          await console_.goto(`/admin/checks/${id}`);
          await console_.getByRole("heading", { name: /^Up for/u }).waitFor();
          const green = await colorOf(console_, ".check-headline > .icon");
          await page.evaluate(watchOffline);
          await site.kill();
          await page.getByText(/Connection lost at \d/u).waitFor();
          await console_.getByText("Can’t reach the service.").waitFor();
          await page.locator(".is-stale .card").first().waitFor();
          assert.notEqual(await colorOf(console_, ".check-headline > .icon"), green);
          assert.equal(await console_.getByRole("heading", { name: /^Up for/u }).count(), 1);
          await site.restart();
          await page.getByText(/Connection lost at/u).waitFor({ state: "detached" });
          await console_.getByText("Can’t reach the service.").waitFor({ state: "detached" });
          await page.locator(".card .state-mark.is-online").first().waitFor();
          assert.deepEqual(await page.evaluate("window.saidOffline"), []);
          assert.deepEqual(await readServers(site), { "web-1": "online" });
          assert.equal(await colorOf(console_, ".check-headline > .icon"), green);
          const events = (await site.admin("GET", `/api/admin/checks/${id}/events`)) as { items: unknown[] };
          assert.equal(events.items.length, 1);
          const incidents = (await site.admin("GET", "/api/admin/incidents")) as { items: unknown[] };
          assert.deepEqual(incidents.items, []);
        } finally {
          await agent.stop();
        }
      },
      { viewport: { width: 1_440, height: 900 } },
    ),
  );

  it(
    "keep open alerts on a phone, in German, under one note",
    room.page(
      async ({ page, allow }, site) => {
        allow(unreachable);
        const target = { kind: "tcp", host: "127.0.0.1", port: 9 };
        await site.admin("POST", "/api/admin/checks", { name: "Kasse", target, failures: 1 });
        await signInBehind(page);
        await page.goto("/admin/alerts");
        const row = page.getByRole("row").filter({ hasText: "Kasse" });
        await row.waitFor();
        await site.kill();
        const note = page.getByText("Der Dienst ist nicht erreichbar; was Sie sehen, kann veraltet sein.");
        await note.waitFor();
        // Longer than the next request of the list takes to fail.
        await page.waitForRequest((request) => request.url().endsWith("/api/admin/alerts"));
        await row.waitFor();
        assert.equal(await page.getByText("Erneut versuchen").count(), 0);
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390);
        await site.restart();
        await note.waitFor({ state: "detached" });
        await row.waitFor();
      },
      { viewport: { width: 390, height: 844 }, locale: "de-DE" },
    ),
  );
});
