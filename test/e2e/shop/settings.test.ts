/** A seller sets an empty shop up in its console, in Chromium: nothing of it needs curl. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page, Route } from "playwright-core";
import { eventually } from "../../support/eventually.ts";
import { signIn } from "../admin-view.ts";
import { MAIL_LOGIN, createSettingsRoom } from "./settings-room.ts";

const room = createSettingsRoom();

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("No unsaved changes").waitFor();
}

const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
/** What a form says is wrong is taken for a failed request by the browser's console, too. */
const REFUSED = /status of (?:409|422|502)/u;

describe("the settings of the shop in its console", () => {
  it("name the site, and refuse an accent that cannot be read", async () => {
    await room.page({ name: "site" }, async ({ page }) => {
      await signIn(page, "/admin/site");
      await field(page, "Shop name").fill("Ada's corner");
      await page.getByRole("combobox", { name: "Languages" }).fill("de,zh,");
      await page.getByRole("combobox", { name: "Time zone" }).selectOption("Europe/Berlin");
      await save(page);
      await page.getByRole("link", { name: "Branding" }).click();
      await page.getByText("Separate color for each theme").click();
      const accent = field(page, "Accent color in the light theme");
      await accent.fill("#ffee88");
      await button(page, "Save").click();
      await page.getByText("Not enough contrast for links in the light theme").waitFor();
      await accent.fill("#5522aa");
      await field(page, "Accent color").fill("#ffee88");
      await page.getByText("The light theme uses #").waitFor();
      assert.equal(await page.getByText("The dark theme uses #").count(), 0);
      await save(page);
      await page.getByRole("link", { name: "Announcement" }).click();
      await field(page, "Text").first().fill("Open again");
      await page.getByRole("group", { name: "Chinese" }).getByRole("textbox").fill("恢复营业");
      await save(page);
      await page.reload();
      assert.equal(await page.locator("link[href*='/brand/']").count(), 1);
      assert.match(await page.title(), /Ada's corner$/u);
    });
    const path = "/api/site/announcement?language=zh";
    const { announcement } = await room.admin<{ announcement: { text: string } }>("GET", path);
    assert.equal(announcement.text, "恢复营业");
  });

  it("say who sells, with VAT, and write the imprint from that", async () => {
    await room.page({ name: "seller" }, async ({ page, allow }) => {
      allow(REFUSED);
      await signIn(page, "/admin/shipping?tab=vat");
      await page.getByRole("checkbox", { name: "Charge and show VAT" }).check();
      await button(page, "Save").click();
      await page.getByText("seller/country").waitFor();
      await button(page, "Revert").click();
      await page.getByRole("link", { name: "Seller", exact: true }).click();
      for (const [name, value] of [
        ["Name or company", "Ada GmbH"],
        ["Address", "Weg 1"],
        ["Postal code", "10115"],
        ["City", "Berlin"],
        ["VAT number", "DE12"],
      ] as const)
        await field(page, name).fill(value);
      await page.getByRole("combobox", { name: "Country" }).selectOption("DE");
      await button(page, "Save").click();
      await page.getByText("This isn’t the VAT number format of the country").waitFor();
      await field(page, "VAT number").fill("DE123456789");
      await save(page);
      await page.getByRole("link", { name: "VAT", exact: true }).click();
      await page.getByRole("checkbox", { name: "Charge and show VAT" }).check();
      await save(page);
      await field(page, "VAT number").fill("ATU13585627");
      await button(page, "Check VAT ID").click();
      await page.getByText("Format and check digits are right. Country: Austria.").waitFor();
      await page.getByRole("link", { name: "VAT rates" }).click();
      await button(page, "Add rate").click();
      await page.getByRole("combobox", { name: "Country" }).selectOption("CH");
      await field(page, "Rate").fill("8.1");
      await save(page);
      await page.goto("/admin/site?tab=pages");
      await page.getByRole("link", { name: "Imprint" }).click();
      await button(page, "Start from a draft").click();
      await button(page, "Start from a draft").waitFor({ state: "detached" });
      await button(page, "Preview").click();
      await page.getByRole("heading", { name: "Contact" }).waitFor();
      await save(page);
      await page.getByRole("link", { name: "Legal pages" }).first().click();
      await page.getByRole("row", { name: /Legal notice.*English/u }).waitFor();
    });
    const { html } = await room.admin<{ html: string }>("GET", "/api/site/pages/imprint");
    assert.match(html, /Ada GmbH/u);
  });

  it("send goods by weight, free from a value, to the EU", async () => {
    await room.page({ name: "shipping" }, async ({ page }) => {
      await signIn(page, "/admin/shipping");
      await button(page, "Add shipping method").click();
      await field(page, "Name").first().fill("Parcel");
      await button(page, "Weight").click();
      await button(page, "Add tier").click();
      await field(page, "Price").first().fill("4.90");
      await field(page, "From weight").nth(1).fill("5");
      await field(page, "Price").nth(1).fill("8.90");
      await field(page, "Free shipping from").fill("50");
      await button(page, "Add all EU countries").first().click();
      await page.getByRole("group", { name: "German" }).getByRole("textbox", { name: "Name" }).fill("Paket");
      await save(page);
      await page.getByRole("heading", { name: "Parcel" }).waitFor();
      await page.getByRole("link", { name: "Shipping and VAT" }).first().click();
      await page.getByRole("row", { name: /Parcel.*€4\.90 – €8\.90, free from €50\.00/u }).waitFor();
    });
    const { items } = await room.admin<{ items: object[] }>(
      "GET",
      "/api/site/shipping-methods?country=DE&language=de",
    );
    const steps = [
      { from: 0, price: 490 },
      { from: 5_000, price: 890 },
    ];
    const said = items.map((item) => ({ ...item, id: "" }));
    assert.deepEqual(said, [
      { id: "", title: "Paket", description: "", deliveryTime: "", by: "weight", steps, freeFrom: 5_000 },
    ]);
  });

  it("add a payment service, tell what it says of them, and keep its secret", async () => {
    const { options, credentials } = room.gateway();
    await room.page({ name: "provider" }, async ({ page, allow }) => {
      allow(REFUSED);
      await signIn(page, "/admin/providers");
      await button(page, "Add payment provider").click();
      await page.getByRole("link", { name: "BEpusdt" }).click();
      await field(page, "Provider URL").fill(String(options["url"]));
      await page.getByRole("combobox", { name: "Currency" }).selectOption("EUR");
      await field(page, "API token").fill("a token that is wrong");
      await field(page, "Payment instructions").first().fill("Send coins");
      await page
        .getByRole("group", { name: "German" })
        .getByRole("textbox", { name: "Payment instructions" })
        .fill("Münzen senden");
      await save(page);
      await page.getByRole("textbox", { name: "Webhook URL" }).waitFor();
      await button(page, "Start test payment").click();
      await page.getByText("签名错误").first().waitFor();
      assert.equal(await field(page, "API token").inputValue(), "");
      await field(page, "API token").fill(credentials["token"] ?? "");
      await page.getByRole("checkbox", { name: "Available at checkout" }).check();
      await save(page);
      await button(page, "Start test payment").click();
      await page.getByText("The provider accepted the settings.").waitFor();
      await field(page, "Provider URL").fill("https://elsewhere.example.org");
      await button(page, "Save").click();
      await page.getByText("Enter this again. The URL has changed").waitFor();
      await button(page, "Revert").click();
      await page.getByRole("link", { name: "Payment providers" }).first().click();
      await page.getByRole("link", { name: "BEpusdt" }).click();
      await button(page, "Delete").click();
      await page.getByRole("dialog").getByText("No orders are waiting for this payment.").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("link", { name: "Payment providers" }).first().click();
      await page.getByRole("row", { name: /BEpusdt.*On/u }).waitFor();
      await button(page, "Move BEpusdt up").click();
      await page.getByRole("row").nth(2).getByText("BEpusdt").first().waitFor();
      await page.getByRole("link", { name: /^Demo payment/u }).click();
      await page.getByText("Orders paid with the demo payment are free").waitFor();
    });
    const path = "/api/site/payment-methods?language=de";
    const { items } = await room.admin<{ items: { word: string; instructions: string }[] }>("GET", path);
    assert.equal(items.find(({ word }) => word === "bepusdt")?.instructions, "Münzen senden");
  });

  it("try the mail server step by step, change a mail's words, and send a sample", async () => {
    await room.page({ name: "mail" }, async ({ page, allow }) => {
      allow(REFUSED);
      // The watch of this test is a script, too.
      allow(/Blocked script execution in .*\/page'/u);
      await signIn(page, "/admin/mail");
      await page.getByText("No mail server configured").waitFor();
      await page.getByRole("checkbox", { name: "Send emails through this server" }).check();
      await field(page, "Server").fill("127.0.0.1");
      await page.getByRole("combobox", { name: "Security" }).selectOption("none");
      await field(page, "Port").fill(String(room.smtp().port));
      await field(page, "Username").fill(MAIL_LOGIN.user);
      await field(page, "Password").fill("a wrong one");
      await field(page, "Sender email").fill("shop@example.org");
      await field(page, "Notification addresses").fill("ada@example.org");
      await save(page);
      await field(page, "Send test email to").fill("ada@example.org");
      await button(page, "Send").click();
      await page.getByRole("listitem").filter({ hasText: "Sign in" }).locator("code").waitFor();
      assert.equal(await page.locator(".mail-steps .is-failed").count(), 1);
      await field(page, "Password").fill(MAIL_LOGIN.password);
      await save(page);
      await button(page, "Send").click();
      await page.getByText("The mail server accepted the email.").waitFor();
      await page.getByRole("link", { name: "Email templates" }).last().click();
      await field(page, "Subject").fill("Hello from {shopName}, order {number}");
      await save(page);
      await page.getByText("Hello from Ada's corner, order").first().waitFor();
      const frame = page.frameLocator("iframe");
      await frame.getByText("Hello from Ada's corner, order").first().waitFor();
      await button(page, "Send test email").click();
      await page.getByText("Test email sent to ada@example.org").waitFor();
      await button(page, "Reset to default").click();
      await page.getByRole("dialog").getByRole("button", { name: "Reset to default" }).click();
      await page.getByText("edited", { exact: true }).waitFor({ state: "detached" });
      assert.match(await field(page, "Subject").inputValue(), /^We’ve received your order/u);
      await page.goto("/admin/mail?tab=outbox");
      await page.getByRole("row", { name: /Hello from/u }).waitFor();
    });
    await eventually(() =>
      assert.deepEqual(
        room.smtp().mails.map(({ to }) => to.join()),
        ["ada@example.org", "ada@example.org"],
      ),
    );
  });

  it("take back a mail that waits", async () => {
    // No email is sent from here on; settings would be applied within a second, in which one could be.
    await room.smtp().close();
    await room.admin("POST", "/api/admin/mails/order_paid/en/test", {});
    await room.page({ name: "outbox" }, async ({ page }) => {
      await signIn(page, "/admin/mail?tab=outbox&state=waiting");
      await page.getByRole("row").nth(1).getByRole("button").click();
      await button(page, "Cancel email").click();
      await page.getByText("No emails with this state.").waitFor();
    });
  });

  it("tell others of orders, with a secret that is shown once, and again on request", async () => {
    const { url, events } = room.receiver();
    await room.page({ name: "webhook" }, async ({ page }) => {
      await signIn(page, "/admin/webhooks");
      await button(page, "Add webhook").click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Endpoint URL" }).fill(url);
      await dialog.getByRole("checkbox", { name: "Out of stock" }).check();
      await dialog.getByRole("button", { name: "Add webhook" }).click();
      const secret = await page.getByRole("textbox", { name: "Signing secret" }).textContent();
      assert.match(secret ?? "", /^whsec_/u);
      await button(page, "Done").click();
      await button(page, "Send test").click();
      await page.getByText("taken with thanks").waitFor();
      await button(page, "Refresh").click();
      await button(page, "webhook.test").click();
      await page.getByRole("dialog").getByText('"type":"webhook.test"').waitFor();
      await button(page, "Resend").click();
      await page.getByText("Resending the message.").waitFor();
      await eventually(() => assert.equal(events.length, 2));
      await button(page, "Roll secret").click();
      await page.getByRole("dialog").getByRole("button", { name: "Roll secret" }).click();
      assert.notEqual(await page.getByRole("textbox", { name: "Signing secret" }).textContent(), secret);
    });
    assert.deepEqual(
      events.map(({ type }) => type),
      ["webhook.test", "webhook.test"],
    );
    assert.ok(events.every(({ signature }) => signature.startsWith("v1,")));
  });

  it("save one tab after the other without asking for what was saved", async () => {
    await room.page({ name: "tabs" }, async ({ page }) => {
      await signIn(page, "/admin/site");
      await field(page, "Shop name").fill("Ada's other corner");
      // From now on no request gets an answer.
      const held: Route[] = [];
      await page.route("**/api/admin/site", (route) =>
        route.request().method() === "GET" ? void held.push(route) : route.continue(),
      );
      await save(page);
      await page.getByRole("link", { name: "Branding" }).click();
      await field(page, "Accent color").fill("#225588");
      await save(page);
      await page.getByRole("link", { name: "General" }).click();
      assert.equal(await field(page, "Shop name").inputValue(), "Ada's other corner");
      for (const route of held) await route.abort();
    });
  });
});
