/** What a server's page shows of its machine: disks, network interfaces, and more for administrators. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { signIn } from "./admin-view.ts";
import { assertNoBarriers } from "./axe.ts";
import { createBrowserRoom } from "./browser-room.ts";
import { assertNoSideScroll, openFleet, waitForText } from "./fleet-view.ts";

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const parts = {
  disk: {
    totalBytes: 1_040 * GIB,
    usedBytes: 988 * GIB,
    mounts: [
      { path: "/", totalBytes: 40 * GIB, usedBytes: 8 * GIB },
      { path: "/srv/data", totalBytes: 1_000 * GIB, usedBytes: 980 * GIB },
    ],
  },
  network: {
    rxBytesPerSecond: 3_072,
    txBytesPerSecond: 1_024,
    rxTotalBytes: 5 * GIB,
    txTotalBytes: 2 * GIB,
    interfaces: [
      { name: "eth0", rxBytesPerSecond: 2_048, txBytesPerSecond: 512, rxTotalBytes: 4 * GIB },
      { name: "eth1", rxTotalBytes: GIB, txTotalBytes: GIB },
    ],
  },
};

const details = {
  pressure: { cpuPercent: 3.2, memoryPercent: 0, ioPercent: 12.5 },
  containers: { running: 2, exited: 1, unhealthy: 1 },
  details: {
    containers: [
      {
        name: "shop-web",
        image: "registry.example.org/shop/web:4.2.1",
        state: "running",
        health: "healthy",
        restarts: 0,
        startedAtUnixMs: 1_700_000_000_000,
        cpuPercent: 112.4,
        memoryUsedBytes: 612 * MIB,
        memoryLimitBytes: GIB,
        rxBytesPerSecond: 40_960,
        txBytesPerSecond: 81_920,
        readBytesPerSecond: 0,
        writeBytesPerSecond: 10_240,
      },
      { name: "backup", image: "restic:0.17", state: "exited", exitCode: 0, restarts: 0 },
      {
        name: "shop-queue",
        image: "valkey:8",
        state: "running",
        health: "unhealthy",
        restarts: 14,
        cpuPercent: 0.4,
        memoryUsedBytes: 31 * MIB,
      },
    ],
    failedUnits: [{ name: "certbot.service", description: "Renews certificates" }],
    raidArrays: [
      {
        name: "md0",
        level: "raid1",
        state: "active",
        disks: 2,
        activeDisks: 1,
        action: "recovery",
        actionPercent: 8.5,
      },
      { name: "md1", level: "raid1", state: "active", disks: 2, activeDisks: 2 },
    ],
    batteries: [{ name: "BAT0", percent: 87, state: "discharging" }],
    extras: [
      {
        title: "SMART",
        writtenAtUnixMs: 1_700_000_000_000,
        values: [
          { name: "sda temperature", value: 38, unit: "°C", state: "ok" },
          { name: "sdb reallocated sectors", value: 12, state: "warning" },
          { name: "sdc", text: "failing", state: "critical" },
        ],
      },
    ],
  },
};
const host = { os: "linux", kernel: "6.1.0", addresses: ["192.0.2.10", "2001:db8::10"] };

describe("the parts of a machine", () => {
  const room = createBrowserRoom({
    prepare: async (site) => {
      await site.addOnline({ id: "web-1", name: "web-1" }, { parts: { ...parts, ...details, host } });
    },
  });

  it(
    "are its disks, the fullest first and on the card, and its network interfaces",
    room.page(async ({ page }) => {
      await openFleet(page);
      await waitForText(page, "web-1", /\/srv\/data\s*98\s?%/u);
      await page.goto("/?view=list");
      await waitForText(page, "web-1", /\/srv\/data\s*98\s?%/u);
      await page.goto("/servers/web-1");
      const disks = page.getByRole("region", { name: "Disks" }).getByRole("listitem");
      await disks
        .nth(0)
        .filter({ hasText: /\/srv\/data\s*98\s?%.*980 GiB of .* · 20 GiB free/u })
        .waitFor();
      await disks
        .nth(1)
        .filter({ hasText: /\/\s*20\s?%/u })
        .waitFor();
      const interfaces = page.getByRole("table", { name: "Network interfaces" });
      await interfaces.getByRole("row", { name: /eth0 2 kB\/s\s+4\.3 GB 512 B\/s\s+–/u }).waitFor();
      await interfaces.getByRole("row", { name: /eth1 –\s+1\.1 GB –\s+1\.1 GB/u }).waitFor();
    }),
  );

  it(
    "are its containers, failed units and addresses, for administrators only",
    room.page(async ({ page }) => {
      await page.goto("/servers/web-1");
      await page.getByRole("region", { name: "Disks" }).waitFor();
      assert.equal(await page.getByText(/192\.0\.2\.10|certbot|shop-web/u).count(), 0);
      await signIn(page);
      await page.getByText("127.0.0.1").waitFor();
      await page.goto("/servers/web-1");
      const rows = page.getByRole("table", { name: "Containers" }).getByRole("row");
      await rows
        .nth(1)
        .filter({ hasText: /shop-queue.*Unhealthy.*14 restarts.*31 MiB/u })
        .waitFor();
      await rows
        .nth(2)
        .filter({ hasText: /shop-web.*Healthy.*112\.4 %.*612 MiB.*of 1 GiB/u })
        .waitFor();
      await rows
        .nth(3)
        .filter({ hasText: /backup.*Exited.*exit status 0/u })
        .waitFor();
      const has = (name: string, hasText: RegExp): Promise<void> =>
        page.getByRole("region", { name }).filter({ hasText }).waitFor();
      await has("Failed units", /certbot\.service/u);
      await has("RAID arrays", /md0.*1 of 2 disks · recovery 8\.5 %/u);
      await has("Batteries", /BAT0\s*87\s?%/u);
      await has("SMART", /38 °C.*12.*warning.*failing · critical/u);
      await has("For administrators", /192\.0\.2\.10\s*2001:db8::10.*127\.0\.0\.1/u);
    }),
  );

  it(
    "have charts of their own: of mounts and interfaces for everyone, of containers for administrators",
    room.page(async ({ page }) => {
      await page.goto("/servers/web-1");
      const region = page.getByRole("region", { name: "Parts" });
      const part = region.getByLabel("Part");
      await part.selectOption({ label: "Mount: /srv/data" });
      const space = region.getByTestId("chart-part-disk");
      await space.scrollIntoViewIfNeeded();
      await space.getByRole("button", { name: "Show as table" }).click();
      await space
        .getByRole("cell", { name: /98(?:\.0)?\s?%/u })
        .first()
        .waitFor();
      await part.selectOption({ label: "Interface: eth0" });
      await region.getByTestId("chart-part-network").waitFor();
      assert.doesNotMatch((await part.textContent()) ?? "", /Container/u);
      await signIn(page);
      await page.goto("/servers/web-1");
      await part.selectOption({ label: "Container: shop-web" });
      const cpu = region.getByTestId("chart-part-cpu");
      await cpu.scrollIntoViewIfNeeded();
      await cpu.getByRole("button", { name: "Show as table" }).click();
      await cpu
        .getByRole("cell", { name: /112\.4\s?%/u })
        .first()
        .waitFor();
    }),
  );

  it(
    "are chosen on the server's page, and alert by name",
    room.page(async ({ page }, site) => {
      await signIn(page, "/admin/servers/web-1");
      await page.getByLabel("systemd units to watch").fill("nginx,postgresql@*");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved").first().waitFor();
      const server = await site.admin("GET", "/api/admin/servers/web-1");
      assert.match(JSON.stringify(server), /"units":"nginx,postgresql@\*"/u);
      await page.goto("/admin/rules");
      await page.getByRole("button", { name: "Add rule" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name", { exact: true }).fill("Queue");
      await dialog.getByLabel("Condition", { exact: true }).selectOption({ label: "Part of a server" });
      await dialog.getByLabel("Names").fill("shop-queue");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page
        .getByText(/Not “Container: running” for 2m: shop-queue/u)
        .first()
        .waitFor();
    }),
  );

  it(
    "are no empty card of a server that never reported",
    room.page(async ({ page }, site) => {
      const { id } = await site.addServer({ name: "web-2" });
      await signIn(page);
      const answered = page.waitForResponse(new RegExp(`/api/admin/servers/${id}$`, "u"));
      await page.goto(`/servers/${id}`);
      await (await answered).finished();
      await page.getByText("Install command").waitFor();
      await page.evaluate("new Promise(requestAnimationFrame)");
      assert.equal(await page.getByRole("region", { name: "For administrators" }).count(), 0);
    }),
  );

  for (const width of [390, 1_440]) {
    for (const colorScheme of ["light", "dark"] as const) {
      it(`fit a window of ${width} px and are accessible, ${colorScheme}`, async (test) =>
        room.page(
          async ({ page }) => {
            await signIn(page);
            await page.goto("/servers/web-1");
            await page.getByRole("table", { name: "Containers" }).waitFor();
            await assertNoSideScroll(page);
            await assertNoBarriers(page, { test, what: `${width} px ${colorScheme}` });
          },
          { viewport: { width, height: 800 }, colorScheme },
        )(test));
    }
  }
});
