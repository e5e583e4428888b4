/** Licenses: a seller turns them on, a program activates one, buyer and seller deactivate devices. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { eventually } from "../../support/eventually.ts";
import type { Page } from "playwright-core";
import { signIn } from "../admin-view.ts";
import { createConsoleRoom } from "./console-room.ts";

interface License {
  readonly status: string;
  readonly maxDevices?: number;
  readonly expiresAt?: string;
}

/** The list of all licenses finds one by the last letters of its key, and by its state. */
async function findAmongAll(page: Page, { title, end }: { title: string; end: string }): Promise<void> {
  await page.goto("/admin/licenses");
  const main = page.getByRole("main");
  await main.getByRole("link", { name: title }).first().waitFor();
  await page.getByRole("searchbox").fill(end.toLowerCase());
  await eventually(() => assert.match(page.url(), /q=/u));
  await main.getByRole("link", { name: title }).first().waitFor();
  await page.goto("/admin/licenses?status=active");
  await page.getByText("No licenses found").waitFor();
  await page.goto("/admin/licenses?status=disabled");
  await main.getByRole("link", { name: title }).first().waitFor();
}

/** A new signing key: the former one stays published until its files have expired. */
async function rotate(page: Page): Promise<void> {
  const panel = page.getByRole("region", { name: "Signing keys" });
  await panel.getByText("Signs since").waitFor();
  await panel.getByRole("button", { name: "Create new key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create new key" }).click();
  await panel.getByText("Published until its last file expires").waitFor();
  await panel.getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  await eventually(async () =>
    assert.equal(await panel.getByRole("button", { name: "Withdraw" }).count(), 0),
  );
}

describe("licenses in the shop", () => {
  const room = createConsoleRoom();

  /** What a program asks. */
  async function ask(action: string, fields: Record<string, string>): Promise<{ instance?: { id: string } }> {
    const response = await fetch(`${room.url()}/v1/licenses/${action}`, {
      method: "POST",
      body: new URLSearchParams(fields),
    });
    return response.json();
  }

  it("are sold, activated, and managed by the seller and the buyer", async ({ name }) => {
    await room.page({ name }, async ({ page, allow }) => {
      await room.admin("PATCH", "/api/admin/site", { languages: ["en", "de", "zh"] });
      const { id } = await room.admin<{ id: string }>("POST", "/api/admin/products", {
        title: "Photo Desk",
        price: 4_900,
        deliveryType: "auto_secret",
        status: "published",
      });
      await signIn(page, `/admin/products/${id}`);
      await page.getByRole("button", { name: "Turn on licensing" }).click();
      const panel = page.getByRole("form", { name: "Licensing" });
      await panel.getByText("Generated", { exact: true }).click();
      await panel.getByLabel("Pattern of generated keys").fill("DESK-{random:4}");
      await panel.getByLabel("Device limit").fill("2");
      await panel.getByLabel("Valid for (days)", { exact: true }).fill("365");
      allow(/status of 422/u);
      await panel.getByRole("button", { name: "Save" }).click();
      await panel
        .getByText(/at least 60 random bits/u)
        .first()
        .waitFor();
      await panel.getByLabel("Pattern of generated keys").fill("DESK-{random:6}-{random:6}");
      await panel.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved", { exact: true }).first().waitFor();
      await eventually(async () => {
        const product = await room.admin<{ stock: { mode: string } }>("GET", `/api/admin/products/${id}`);
        assert.equal(product.stock.mode, "unlimited");
      });

      await room.admin("PATCH", "/api/admin/site/providers/demo", { enabled: true });
      const placed: { order: { id: string; number: string } } = await (
        await fetch(`${room.url()}/api/checkout`, {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
          body: JSON.stringify({
            items: [{ productId: id, quantity: 1 }],
            contact: { email: "ann@example.org" },
            paymentMethod: "demo",
            consents: { digitalContent: true },
          }),
        })
      ).json();
      assert.ok("order" in placed, JSON.stringify(placed));
      const { order } = placed;
      const path = `/api/admin/orders/${order.id}`;
      await room.admin("POST", `${path}/mark-paid`, { reference: "cash" });
      const view = await room.admin<{ lines: { delivered: string[] }[] }>("GET", path);
      const license_key = view.lines[0]?.delivered[0] ?? "";
      assert.match(license_key, /^DESK-\w{6}-\w{6}$/u);
      await ask("activate", { license_key, instance_name: "Ann's laptop" });
      const second = await ask("activate", { license_key, instance_name: "Ann's tablet" });

      await page.goto(`/admin/orders/${order.id}`);
      const licenses = page.getByRole("region", { name: "Licenses" });
      await licenses.getByText("2 of 2 devices active").waitFor();
      await licenses
        .getByRole("listitem")
        .filter({ hasText: "Ann's laptop" })
        .last()
        .getByRole("button", { name: "Deactivate" })
        .click();
      await licenses.getByText("1 of 2 devices active").waitFor();
      await licenses.getByRole("button", { name: "Change terms" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Device limit").fill("3");
      await dialog.getByRole("button", { name: "Save" }).click();
      await licenses.getByText("1 of 3 devices active").waitFor();

      const { url } = await room.admin<{ url: string }>("POST", `${path}/link`);
      await page.goto(url);
      await page.getByText("1 of 3 devices active").waitFor();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download license file" }).click(),
      ]);
      assert.equal(download.suggestedFilename(), "photo-desk.license");
      assert.match(await readFile(await download.path(), "utf8"), /^[\w-]+\.[\w-]+\.[\w-]+$/u);
      for (const [language, words] of [
        ["de", "1 von 3 Geräten aktiv"],
        ["zh", "已激活 1 台设备，共 3 台"],
      ] as const) {
        await page.goto(`/orders/${order.number}?lang=${language}`);
        await page.getByText(words).waitFor({ timeout: 10_000 });
      }
      await page.goto(`/orders/${order.number}?lang=en`);
      await page.goto(`/orders/${order.number}`);
      await page.getByRole("button", { name: "Deactivate this device" }).click();
      await page.getByText("Device deactivated.").waitFor();
      await page.getByText("0 of 3 devices active").waitFor();
      const gone = await ask("validate", { license_key, instance_id: second.instance?.id ?? "" });
      assert.equal("valid" in gone && gone.valid, false);
      const [license] = (
        await room.admin<{ items: License[] }>("GET", `/api/admin/licenses?orderId=${order.id}`)
      ).items;
      assert.equal(license?.status, "inactive");
      await page.goto(`/admin/orders/${order.id}`);
      await licenses.getByRole("button", { name: "Disable license" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Disable license" }).click();
      await licenses.getByText("by an administrator").waitFor();
      await findAmongAll(page, { title: "Photo Desk", end: license_key.slice(-4) });
      await rotate(page);
      for (const [language, title] of [
        ["de", "Signaturschlüssel"],
        ["zh", "签名密钥"],
      ] as const) {
        await page.evaluate(`localStorage.setItem("language", "${language}")`);
        await page.goto("/admin/licenses");
        await page.getByRole("heading", { name: title }).waitFor();
      }
    });
  });
});
