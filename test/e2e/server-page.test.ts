/** A server's page in a real browser: bars of days, figures, and what is said of a server that is not there. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBrowserRoom } from "./browser-room.ts";
import { eventually } from "../support/eventually.ts";
import { assertNoSideScroll } from "./fleet-view.ts";
import { ADMIN_TOKEN } from "./site.ts";

const GIB = 1024 ** 3;
/** What a reader wants to see without scrolling. */
const FIRST_CHARTS = ["cpu", "memory", "network", "disk"];
const DESK = { width: 1_440, height: 900 };

describe("a server's page", () => {
  const room = createBrowserRoom({
    prepare: async (site) => {
      const parts = { temperatures: [{ name: "cpu", celsius: 40 }], load: { one: 2, five: 1.9, fifteen: 1 } };
      const { agent } = await site.addOnline(
        {
          id: "web-1",
          name: "web-1",
          traffic: { limitBytes: 20_000_000_000_000, timeZone: "Europe/Berlin" },
        },
        { parts, rxTotalBytes: 5_000_000_000 },
      );
      await agent.report({ parts, rxTotalBytes: 6_500_000_000 });
      await site.addServer({ id: "new-1", name: "new-1" });
      await site.addOnline(
        { id: "full-1", name: "full-1", publicNote: "Moves to another hall on Sunday.", region: "DE" },
        {
          parts: {
            swap: { totalBytes: 2 * GIB, usedBytes: GIB },
            temperatures: ["cpu", "nvme", "board"].map((name, at) => ({ name, celsius: 40 + at })),
            gpus: [{ name: "RTX 4090", usagePercent: 31 }],
            connections: { tcp: 12, udp: 3 },
            processes: 140,
          },
        },
      );
    },
  });

  it(
    "labels its figures, and keeps the units that were typed",
    room.page(async ({ page }) => {
      await page.goto("/servers/web-1");
      const now = page.getByRole("region", { name: "Now" });
      await now.getByText("CPU temperature").waitFor();
      assert.match(await now.innerText(), /2\.00 1 min\s+1\.90 5 min\s+1\.00 15 min/u);
      await page
        .getByText(/of 20 TB/u)
        .first()
        .waitFor();
    }),
  );

  for (const locale of ["en", "de", "zh"])
    it(
      `has CPU, memory, network, and disk above the fold of a desk, facts beside them, ${locale}`,
      room.page(
        async ({ page }) => {
          await page.goto("/servers/full-1");
          await page.getByText("Moves to another hall on Sunday.").waitFor();
          await page.locator("#devices").waitFor();
          const side = await page.locator(".server-side").boundingBox();
          assert.ok(side);
          for (const key of FIRST_CHARTS) {
            const chart = page.getByTestId(`chart-${key}`);
            await chart.locator("canvas").waitFor();
            const box = await chart.boundingBox();
            assert.ok(box);
            assert.ok(box.y + box.height <= DESK.height, `${key} ends at ${box.y + box.height} px`);
            assert.ok(box.x + box.width <= side.x, `${key} is not beside the facts`);
          }
          await assertNoSideScroll(page);
        },
        { viewport: DESK, locale },
      ),
    );

  for (const width of [390, 820])
    it(
      `has every panel and control at ${width} px`,
      room.page(
        async ({ page }) => {
          await page.goto("/servers/full-1");
          const now = page.getByRole("region", { name: "Now" });
          for (const label of ["CPU", "Memory", "Swap", "Disk", "Download", "Load", "Processes"])
            await now.getByText(label, { exact: true }).waitFor();
          await now.getByText("board temperature").waitFor();
          const devices = page.getByRole("region", { name: "Sensors and GPUs" });
          for (const label of ["RTX 4090", "CPU temperature", "nvme temperature"])
            await devices.getByText(label).waitFor();
          await page.getByRole("combobox", { name: "Time range" }).waitFor();
          await page.getByRole("button", { name: "Zoom in" }).waitFor();
          await assertNoSideScroll(page);
        },
        { viewport: { width, height: 844 } },
      ),
    );

  for (const touch of [false, true])
    it(
      `names a day of traffic and of uptime by ${touch ? "a finger" : "pointer and keys"}, in the server's zone`,
      room.page(
        async ({ page }) => {
          await page.goto("/servers/web-1");
          await page.getByText("Days are in the time zone Europe/Berlin.").waitFor();
          for (const [name, said] of [
            ["Daily traffic", /received, .* sent$/u],
            ["Uptime over the last", /%$|no data$/u],
          ] as const) {
            const bars = page.getByRole("slider", { name });
            await bars.scrollIntoViewIfNeeded();
            const box = await bars.boundingBox();
            assert.ok(box);
            const place = { x: box.width - 2, y: box.height / 2 };
            if (touch) await bars.tap({ position: place });
            else await bars.hover({ position: place });
            assert.match(await bars.locator(".tip").innerText(), said);
            if (touch) continue;
            await page.mouse.move(0, 0);
            await bars.focus();
            await page.keyboard.press("ArrowLeft");
            assert.match((await bars.getAttribute("aria-valuetext")) ?? "", said);
          }
        },
        touch ? { hasTouch: true, viewport: { width: 390, height: 800 } } : {},
      ),
    );

  it(
    "tells strangers only that nothing came, and an administrator how to start",
    room.page(async ({ page }) => {
      await page.goto("/servers/new-1");
      await page.getByText("This server hasn’t reported yet.").waitFor();
      await page.getByRole("region", { name: "Uptime" }).waitFor();
      assert.equal(await page.getByText("No chart data").count(), 0);
      assert.equal(await page.getByRole("link", { name: "Get install command" }).count(), 0);
      await page.request.post("/api/admin/auth", { data: { token: ADMIN_TOKEN } });
      await page.evaluate('localStorage.setItem("admin-signed-in", "1")');
      await page.reload();
      await page.getByRole("link", { name: "Get install command" }).click();
      await page.waitForURL(/\/admin\/servers\/new-1$/u);
    }),
  );

  it(
    "shows the values of a server that is gone as its last ones, with their age",
    room.page(async ({ page }, site) => {
      const { agent } = await site.addOnline({ id: "gone-1", name: "gone-1" });
      await agent.stop();
      await page.goto("/servers/gone-1");
      await page.getByRole("heading", { name: /^Last values, .* ago$/u }).waitFor();
      await eventually(async () =>
        assert.equal(await page.getByRole("heading", { name: "Now", exact: true }).count(), 0),
      );
    }),
  );
});
