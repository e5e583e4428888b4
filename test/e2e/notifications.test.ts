/** What an administrator sets of notifications in the page: the mail server, the first channel, maintenance. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type SmtpPeer, startSmtpPeer } from "../support/smtp-peer.ts";
import { signIn } from "./admin-view.ts";
import { createBrowserRoom } from "./browser-room.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

describe("notifications in the page", () => {
  let peer: SmtpPeer;
  let receiver: Receiver;
  before(async () => {
    peer = await startSmtpPeer();
    receiver = await startReceiver();
  });
  after(async () => {
    await peer.close();
    await receiver.close();
  });
  const room = createBrowserRoom({ env: { NOTIFY_PRIVATE: "1" } });

  it(
    "offer the first channel to the rules that notify no one",
    room.page(async ({ page }, site) => {
      const rule = { kind: "offline", name: "Silent rule", graceSeconds: 60 };
      await site.admin("POST", "/api/admin/alert-rules", rule);
      await signIn(page, "/admin/channels");
      await page.getByRole("button", { name: "Add channel" }).click();
      const dialog = page.getByRole("dialog", { name: "Add channel" });
      // No mail server is set: e-mail is not what the form begins with.
      assert.notEqual(await dialog.getByLabel("Type").inputValue(), "email");
      await dialog.getByLabel("Type").selectOption("http");
      await dialog.getByLabel("Name", { exact: true }).fill("Pager");
      const address = dialog.getByLabel("URL", { exact: true });
      await address.fill(receiver.url);
      assert.equal(await address.getAttribute("type"), "password");
      await dialog.getByRole("button", { name: "Reveal URL" }).click();
      assert.equal(await address.getAttribute("type"), "text");
      await dialog.getByRole("button", { name: "Add header" }).click();
      const header = dialog.getByLabel("Value of header 1", { exact: true });
      assert.equal(await header.getAttribute("type"), "password");
      await dialog.getByRole("button", { name: "Reveal Value of header 1" }).click();
      assert.equal(await header.getAttribute("type"), "text");
      await dialog.getByRole("button", { name: "Remove header 1" }).click();
      await dialog.getByRole("button", { name: "Save" }).click();
      const offer = page.getByRole("dialog", { name: "Use this channel for all rules?" });
      await offer.getByText("Silent rule").waitFor();
      await offer.getByRole("button", { name: "Notify all channels" }).click();
      await offer.waitFor({ state: "hidden" });
      await page.goto(`${site.url}/admin/rules`);
      await page.getByText("Notifies all channels").waitFor();
      await page.getByRole("switch", { name: "On" }).waitFor();
    }),
  );

  it(
    "try a mail server and show its own answer, then keep it",
    room.page(async ({ page }) => {
      await signIn(page, "/admin/settings");
      await page.getByText("No mail server configured.").waitFor();
      await page.getByRole("button", { name: "Set up" }).click();
      const dialog = page.getByRole("dialog", { name: "Mail server" });
      await dialog.getByLabel("Server", { exact: true }).fill("127.0.0.1");
      await dialog.getByLabel("Security").selectOption("none");
      assert.equal(await dialog.getByLabel("Port").inputValue(), "25");
      await dialog.getByLabel("Port").fill(String(peer.port));
      await dialog.getByLabel("Sender").fill("status@example.org");
      await dialog.getByLabel("Send test email to").fill("ada@example.org");
      await dialog.getByRole("button", { name: "Send test" }).click();
      await dialog.getByText(/send: 250 /u).waitFor();
      assert.deepEqual(peer.mails[0]?.to, ["ada@example.org"]);
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText(`Emails are sent through 127.0.0.1:${peer.port} as status@example.org.`).waitFor();
    }),
  );

  it(
    "plan maintenance and show it",
    room.page(async ({ page }) => {
      await signIn(page, "/admin/maintenance");
      await page.getByRole("button", { name: "Schedule maintenance" }).click();
      const dialog = page.getByRole("dialog", { name: "Schedule maintenance" });
      await dialog.getByLabel("Name", { exact: true }).fill("Updates");
      await dialog.getByLabel("Saturday").check();
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saturday, Sunday, 02:00 – 04:00").waitFor();
    }),
  );

  it(
    "plan maintenance on a weekday of the month",
    room.page(async ({ page }) => {
      await signIn(page, "/admin/maintenance");
      await page.getByRole("button", { name: "Schedule maintenance" }).click();
      const dialog = page.getByRole("dialog", { name: "Schedule maintenance" });
      await dialog.getByLabel("Name", { exact: true }).fill("Patch day");
      await dialog.getByText("Every month").click();
      await dialog.getByLabel("On", { exact: true }).selectOption("weekday");
      await dialog.getByLabel("Time zone").fill("Europe/Berlin");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText("Second Tuesday of the month, 02:00 – 04:00 (Europe/Berlin)").waitFor();
    }),
  );

  it(
    "show what a check depends on, chosen in its form",
    room.page(async ({ page }, site) => {
      const target = { kind: "tcp", host: "192.0.2.1", port: 1 };
      await site.admin("POST", "/api/admin/checks", { name: "router-1", target, paused: true });
      const made = await site.admin("POST", "/api/admin/checks", { name: "shop", target, paused: true });
      assert.ok(typeof made === "object" && made !== null && "id" in made);
      await signIn(page, `/admin/checks/${String(made.id)}?tab=settings`);
      await page.getByText("Dependencies").first().click();
      await page.getByLabel("router-1").check();
      await page.getByRole("button", { name: "Save" }).first().click();
      await page.getByText("Overview").first().click();
      const panel = page.getByRole("region", { name: "Dependencies" }).or(page.getByText("Depends on"));
      await panel.first().waitFor();
      await page.getByRole("link", { name: "router-1" }).waitFor();
    }),
  );
});
