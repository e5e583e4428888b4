/** A status page from nothing to what strangers read of it, made in the console, with a subscriber who gets its mail. */
import assert from "node:assert/strict";
import { type TestContext, after, before, describe, it } from "node:test";
import { eventually } from "../support/eventually.ts";
import { type ReceivedMail, type SmtpPeer, startSmtpPeer } from "../support/smtp-peer.ts";
import { signIn } from "./admin-view.ts";
import { assertNoBarriers } from "./axe.ts";
import { createBrowserRoom } from "./browser-room.ts";

/** What a mail says, whose lines are folded for the way. */
function readMail(raw: string): string {
  const quoted = raw.replaceAll(/=\r\n/gu, "").replaceAll(/=3D/gu, "=");
  return quoted;
}

describe("the console of status pages", () => {
  let peer: SmtpPeer;
  before(async () => {
    peer = await startSmtpPeer();
  });
  after(() => peer.close());
  const waitForMail = (count: number): Promise<ReceivedMail> =>
    eventually(() => {
      const mail = peer.mails[count - 1];
      assert.notEqual(mail, undefined, `There are ${peer.mails.length} mails`);
      return mail as ReceivedMail;
    });
  const room = createBrowserRoom({
    env: { NOTIFY_PRIVATE: "1" },
    prepare: async (site) => {
      await site.admin("PATCH", "/api/admin/settings", { publicUrl: site.url });
      const server = { host: "127.0.0.1", port: peer.port, security: "none", from: "status@example.org" };
      await site.admin("PATCH", "/api/admin/smtp", server);
    },
  });

  it("creates a page whose incident a visitor reads, and whose subscriber gets an email", (test: TestContext) =>
    room.page(async ({ page }, site) => {
      await signIn(page, "/admin/status");
      await page.getByText("No status pages yet").waitFor();
      await assertNoBarriers(page, { test, what: "no page" });
      await page.getByRole("link", { name: "New status page" }).click();
      // What is missing is said at its field, and nothing typed is lost.
      await page.getByLabel("Introduction").fill("How our systems are.");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Enter a title").waitFor();
      assert.equal(await page.getByLabel("Introduction").inputValue(), "How our systems are.");
      await page.getByLabel("Title").fill("Northwind status");
      assert.equal(await page.getByLabel("URL", { exact: true }).inputValue(), "northwind-status");
      await page.getByRole("button", { name: "Add component" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Website");
      await page.getByRole("button", { name: "Add component" }).click();
      await page.getByLabel("Name", { exact: true }).nth(1).fill("API");
      await page.getByRole("button", { name: "Move API up" }).click();
      await assertNoBarriers(page, { test, what: "the editor" });
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { level: 1, name: "Northwind status" }).waitFor();

      // A reader subscribes, and says yes by the link of the mail.
      const reader = await page.context().newPage();
      await reader.goto(`${site.url}/status/northwind-status`);
      await reader.getByRole("link", { name: "Subscribe" }).click();
      await assertNoBarriers(reader, { test, what: "subscribing" });
      await reader.getByLabel("Email address").fill("ada@example.org");
      await reader.getByRole("button", { name: "Subscribe by email" }).click();
      await reader.getByText("Check your email").waitFor();
      const asked = await waitForMail(1);
      const link = /http:\/\/127\.0\.0\.1:\d+\/status\/\S+\/subscription\/\S+?(?=[\s"])/u.exec(
        readMail(asked.raw),
      );
      await reader.goto(link?.[0] ?? "");
      await reader.getByRole("button", { name: "Confirm subscription" }).click();
      await reader.getByRole("heading", { name: "You’re subscribed to Northwind status" }).waitFor();
      await assertNoBarriers(reader, { test, what: "what one follows" });

      // The administrator reports an incident.
      await page.getByRole("button", { name: "Report an incident" }).click();
      const dialog = page.getByRole("dialog", { name: "Report an incident" });
      await dialog.getByRole("button", { name: "Publish" }).click();
      await dialog.getByText("Enter a title").waitFor();
      await dialog.getByLabel("Title").fill("Website is slow");
      await dialog.getByLabel("Message").fill("Pages take 8 seconds.");
      await dialog.getByLabel("Website", { exact: true }).selectOption("degraded_performance");
      await assertNoBarriers(page, { test, what: "the dialog" });
      await dialog.getByRole("button", { name: "Publish" }).click();
      await page.getByRole("heading", { name: "Website is slow" }).waitFor();

      await reader.goto(`${site.url}/status/northwind-status`);
      await reader.getByText("Pages take 8 seconds.").waitFor();
      const told = await waitForMail(2);
      assert.match(told.raw, /^List-Unsubscribe:\s+</mu);
      assert.match(readMail(told.raw), /Pages take 8 seconds\./u);

      // And ends it; its components work again without a further word.
      await page.getByRole("button", { name: "Resolve" }).click();
      const end = page.getByRole("dialog", { name: "Update: Website is slow" });
      assert.equal(await end.getByLabel("Website", { exact: true }).inputValue(), "operational");
      await end.getByLabel("Message").fill("All is well again.");
      await end.getByRole("button", { name: "Publish" }).click();
      await page.getByText("All is well again.").waitFor();
      await waitForMail(3);
      await page.getByRole("button", { name: "Edit title and impact" }).click();
      const head = page.getByRole("dialog", { name: "Edit title and impact" });
      await head.getByLabel("Title").fill("Website was slow");
      await head.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: "Website was slow" }).waitFor();

      await page.getByRole("link", { name: "Subscribers" }).click();
      await page.getByText("ada@example.org").waitFor();
      await page.getByText("1 active, 0 not confirmed").waitFor();
      await assertNoBarriers(page, { test, what: "subscribers" });
    })(test));
});
