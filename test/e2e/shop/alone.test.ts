/** A shop without the auth service: from the home page to the paid order, and questions with their replies. */
import assert from "node:assert/strict";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../../support/browser/launch.ts";
import { eventually } from "../../support/eventually.ts";
import { findFreePorts } from "../../support/free-ports.ts";
import { type Programs, createPrograms } from "../../support/program.ts";
import { type SmtpPeer, startSmtpPeer } from "../../support/smtp-peer.ts";
import { signIn } from "../admin-view.ts";
import { assertNoBarriers } from "../axe.ts";
import { ADMIN_TOKEN } from "../site.ts";
import { withPage } from "../watched-page.ts";

const BEN = "ben@example.org";

describe("a shop alone", () => {
  let browser: Browser;
  let programs: Programs;
  let smtp: SmtpPeer;
  let url = "";

  async function admin(method: string, path: string, body: object): Promise<void> {
    const response = await fetch(url + path, {
      method,
      headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${path}: ${await response.text()}`);
  }

  /** The link in the newest email to the guest. */
  const findLink = (path: RegExp): Promise<string> =>
    eventually(() => {
      const [mail] = smtp.mails.filter(({ to }) => to.includes(BEN)).toReversed();
      const text = (mail?.raw ?? "").replaceAll(/=\r\n/gu, "").replaceAll("=3D", "=");
      const link = path.exec(text)?.[0];
      assert.ok(link);
      return link;
    });

  before(async () => {
    [browser, programs, smtp] = await Promise.all([
      launchBrowser(),
      createPrograms(["shop"]),
      startSmtpPeer(),
    ]);
    const sender = `smtp://127.0.0.1:${smtp.port}?from=shop@example.org`;
    // Emails lead to its own URL.
    const [port] = await findFreePorts(1);
    url = `http://127.0.0.1:${port}`;
    const place = { SHOP_PORT: String(port), SHOP_PUBLIC_URL: url };
    const env = { LOG_LEVEL: "warn", ADMIN_TOKEN, SMTP_URL: sender, SHOP_DEMO: "1" };
    await programs.shopUrl(programs.run({ ...env, ...place }));
    await admin("PATCH", "/api/admin/site", {
      name: "Harbour Goods",
      languages: ["en", "de", "zh"],
      contact: { email: "owner@example.org", phone: "+49 30 123456" },
      shipping: { methods: [{ id: "post", title: "Parcel", by: "value", steps: [{ from: 0, price: 500 }] }] },
    });
    await admin("POST", "/api/admin/products", {
      title: "Teapot",
      price: 3_000,
      status: "published",
      slug: "teapot",
      onHand: 100,
      deliveryType: "shipping",
    });
    await admin("POST", "/api/admin/products", {
      title: "Red mug",
      price: 1_250,
      status: "published",
      slug: "mug",
      onHand: 100,
    });
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
    await smtp?.close();
  });

  async function look(page: Page, name: string): Promise<void> {
    const folder = process.env["LOOK"];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  }

  /** Buys the mug; stays on the page of the order. */
  async function buy(page: Page): Promise<void> {
    await page.goto("/");
    await page
      .getByRole("link", { name: /Red mug/u })
      .first()
      .click();
    await page.getByRole("button", { name: "Add to cart" }).click();
    await page.getByText("Added to your cart.").waitFor();
    await page.goto("/cart");
    await page.getByRole("link", { name: /Check ?out/iu }).click();
    await page.getByLabel("Email address").fill(BEN);
    await page.check("[name=paymentMethod][value=demo]");
    await page.click("[value=order]");
    await page.waitForURL(/\/demo-pay\//u);
    await page.click("[value=pay]");
    await page.click("main > a");
    await page.waitForURL(/\/orders\/[^/]+$/u);
    await page.getByRole("heading", { name: "Payment received" }).waitFor();
  }

  for (const [width, colorScheme] of [
    [390, "dark"],
    [1_440, "light"],
  ] as const)
    it(`asks for an address as its country writes it, ${width} pixels wide, ${colorScheme}`, async (test) => {
      const { name } = test;
      const viewport = { width, height: 900 };
      await withPage(browser, { name, viewport, colorScheme, baseURL: url }, async ({ page }) => {
        await page.goto("/p/teapot");
        await page.getByRole("button", { name: "Add to cart" }).click();
        await page.getByText("Added to your cart.").waitFor();
        await page.goto("/checkout");
        const country = page.locator("[name=country]");
        await country.focus();
        await country.selectOption("US");
        await page.getByLabel("State", { exact: true }).selectOption("NY");
        await page.getByLabel("ZIP code").fill("12207");
        await page.getByLabel("City", { exact: true }).fill("Albany");
        await assertNoBarriers(page, { test, what: "the checkout" });
        await look(page, `checkout-us-${width}-${colorScheme}`);
        // What was typed stays.
        await country.focus();
        await country.selectOption("JP");
        await page.getByLabel("Prefecture", { exact: true }).waitFor();
        assert.equal(await page.getByLabel("Postal code").inputValue(), "12207");
        await look(page, `checkout-jp-${width}-${colorScheme}`);
        await country.focus();
        await country.selectOption("US");
        await page.getByLabel("State", { exact: true }).selectOption("CA");
        await page.getByLabel("Email address").fill(BEN);
        await page.getByLabel("Name", { exact: true }).fill("Ben Lee");
        await page.getByLabel("Street address").fill("1 Main St");
        await page.check("[name=paymentMethod][value=demo]");
        await page.click("[value=order]");
        await page.waitForURL(/\/demo-pay\//u);
        await page.click("[value=pay]");
        await page.click("main > a");
        await page.getByText("Albany, CA 12207").waitFor();
      });
    });

  for (const [width, colorScheme, javaScriptEnabled] of [
    [390, "light", true],
    [1_440, "dark", true],
    [390, "dark", false],
  ] as const) {
    const at = `${width} pixels wide, ${colorScheme}, ${javaScriptEnabled ? "with" : "without"} script`;
    const view = { viewport: { width, height: 900 }, colorScheme };

    it(`sells, and takes a question from the order's page until its reply, ${at}`, async (test) => {
      const buyer = { ...view, name: test.name, baseURL: url, javaScriptEnabled };
      await withPage(browser, buyer, async ({ page }) => {
        await buy(page);
        await page.getByText("Ask about this order").click();
        await page.getByLabel("Your message").fill("When does it ship?");
        await page.getByRole("button", { name: "Send", exact: true }).click();
        await page.getByRole("listitem").getByText("When does it ship?").waitFor();
        await page.getByText("We’ve received your message").waitFor();
        if (javaScriptEnabled) await assertNoBarriers(page, { test, what: "the order" });
        await look(page, `order-${width}-${colorScheme}`);
        const number = /[^/]+$/u.exec(new URL(page.url()).pathname)?.[0] ?? "";
        await withPage(browser, { ...view, name: `${test.name}, seller`, baseURL: url }, async (seller) => {
          await signIn(seller.page, "/admin/chat");
          await seller.page.getByRole("link", { name: new RegExp(`Order ${number}`, "u") }).click();
          await seller.page.getByText(`Your replies are emailed to ${BEN}.`).waitFor();
          await assertNoBarriers(seller.page, { test, what: "the desk" });
          await seller.page.getByLabel("Your reply").fill(`It ships tomorrow, ${number}`);
          await seller.page.getByRole("button", { name: "Send" }).click();
          await seller.page.getByRole("listitem").getByText("It ships tomorrow").last().waitFor();
          await look(seller.page, `desk-order-${width}-${colorScheme}`);
        });
        await page.reload();
        await page.getByText(`It ships tomorrow, ${number}`).waitFor();
      });
      const link = await findLink(/http:\/\/127\.0\.0\.1:\d+\/questions\/gst_ord_\S+/u);
      await withPage(browser, { ...buyer, name: `${test.name}, at home` }, async ({ page }) => {
        await page.goto(link);
        await page.getByText("It ships tomorrow").waitFor();
        await page.getByLabel("Your message").fill("Thank you");
        await page.getByRole("button", { name: "Send", exact: true }).click();
        await page.getByRole("listitem").getByText("Thank you").waitFor();
        if (javaScriptEnabled) await assertNoBarriers(page, { test, what: "the conversation" });
        await look(page, `conversation-${width}-${colorScheme}`);
      });
    });

    it(`takes a question from the contact page until its reply, ${at}`, async (test) => {
      const question = `Do you ship to ${width} ${colorScheme}?`;
      const guest = { ...view, name: test.name, baseURL: url, javaScriptEnabled };
      await withPage(browser, guest, async ({ page, allow }) => {
        allow(/422 \(Unprocessable/u);
        await page.goto("/");
        await page.getByRole("link", { name: "Contact us" }).click();
        await page.getByRole("button", { name: "Send question" }).click();
        await page.getByText("Enter a message").first().waitFor();
        await look(page, `contact-faults-${width}-${colorScheme}`);
        await page.getByLabel("Email address").fill(BEN);
        await page.getByLabel("Your message").fill(question);
        await page.getByRole("button", { name: "Send question" }).click();
        await page.getByText("We’ve received your question").waitFor();
        if (javaScriptEnabled) await assertNoBarriers(page, { test, what: "the contact page" });
        await look(page, `contact-${width}-${colorScheme}`);
      });
      await withPage(browser, { ...view, name: `${test.name}, seller`, baseURL: url }, async ({ page }) => {
        await signIn(page, "/admin/chat");
        await page
          .getByRole("link", { name: new RegExp(`Email not verified[^]*${width} ${colorScheme}`, "u") })
          .click();
        await page.getByText("Anyone can enter an email address").waitFor();
        await look(page, `desk-contact-${width}-${colorScheme}`);
        await page.getByLabel("Your reply").fill(`Yes, to ${width} ${colorScheme}`);
        await page.getByRole("button", { name: "Send" }).click();
        await page.getByRole("listitem").getByText(`Yes, to ${width}`).last().waitFor();
      });
      const link = await findLink(/http:\/\/127\.0\.0\.1:\d+\/questions\/gst_(?!ord_)\S+/u);
      await withPage(browser, { ...guest, name: `${test.name}, reply` }, async ({ page }) => {
        await page.goto(link);
        await page.getByText(`Yes, to ${width} ${colorScheme}`).waitFor();
        await page.getByLabel("Your message").fill("Then I’ll take two");
        await page.getByRole("button", { name: "Send", exact: true }).click();
        await page.getByRole("listitem").getByText("Then I’ll take two").waitFor();
      });
    });
  }
});
