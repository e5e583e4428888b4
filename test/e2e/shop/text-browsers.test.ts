/** A shop in a text browser, by its keys: a licence key, a file and a T-shirt, the order found again, and a withdrawal. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { eventually } from "../../support/eventually.ts";
import { type TextBrowser, openLynx, openW3m, without } from "../text-browser.ts";
import { COUPON, type SellingShop, keysOnSale, startSellingShop } from "./selling-shop.ts";

const address = {
  "shippingAddress.name": "Ann Smith",
  "shippingAddress.line1": "Gasse 1",
  "shippingAddress.postalCode": "10115",
  "shippingAddress.city": "Berlin",
};

describe("buying in a text browser", () => {
  let shop: SellingShop;
  let folder = "";
  before(async () => {
    shop = await startSellingShop();
    folder = await mkdtemp(join(tmpdir(), "trivet-text-"));
  });
  after(async () => {
    await shop?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** The path in the last email to an address that begins like this; of emails after the first `seen`. */
  function findPath(to: string, beginning: string, seen = 0): Promise<string> {
    return eventually(() => {
      for (const mail of shop.smtp.mails.slice(seen).toReversed()) {
        const at = mail.to.includes(to) ? mail.raw.replaceAll("=\r\n", "").replaceAll("=3D", "=") : "";
        const [found] = at.split(shop.url + beginning).slice(1);
        if (found !== undefined) return beginning + (/^[^\s"<>)]*/u.exec(found)?.[0] ?? "");
      }
      return assert.fail(`No mail to ${to} leads to ${beginning}`);
    });
  }

  for (const { name, open } of [
    { name: "w3m", open: openW3m },
    { name: "lynx", open: openLynx },
  ])
    it(
      `takes a buyer with ${name} from the product to the withdrawal`,
      { skip: without(name, "script") },
      async () => {
        const email = `${name}@example.org`;
        const browser: TextBrowser = await open(await mkdtemp(join(folder, "home")), shop.url);
        for (const product of ["licence", "guide", "shirt"])
          await browser.send(`/p/${product}`, {}, "Add to cart");
        await browser.send("/cart", {}, "Check out");
        // The coupon makes it cheaper than what the page had shown: the shop asks once more.
        await browser.send(
          "/checkout",
          {
            "contact.email": email,
            ...address,
            "paymentMethod=demo": true,
            couponCode: COUPON,
            "consents.digitalContent": true,
          },
          "Order with obligation to pay",
          { words: "Order with obligation to pay" },
        );
        assert.match(await browser.read("/cart"), /Your cart is empty/u);
        const [, number = ""] = /^\/orders\/([\w-]+)/u.exec(await findPath(email, "/orders/")) ?? [];
        assert.match(await browser.read(`/orders/${number}`), /awaiting payment/iu);
        const leaving = await browser.source(`/orders/${number}/pay`);
        const [, demo = assert.fail(leaving)] = /"[^"]*(\/demo-pay\/[^"]+)"/u.exec(leaving) ?? [];
        await browser.send(demo.replaceAll("&amp;", "&"), {}, "Pay €59.79");
        const paid = await browser.read(`/orders/${number}`);
        assert.match(paid, /WELCOME10/u);
        assert.ok(
          keysOnSale.some((key) => paid.includes(key)),
          paid,
        );
        const file = / href="([^"]+)"[^>]* download/u.exec(await browser.source(`/orders/${number}`))?.[1];
        assert.match(await browser.source(file ?? assert.fail(paid)), /birds of the harbour/u);

        // Somewhere else, without the order's cookie: by mail.
        const elsewhere = await open(await mkdtemp(join(folder, "elsewhere")), shop.url);
        const shut = await fetch(`${shop.url}/orders/${number}`, { headers: { accept: "text/html" } });
        assert.equal(shut.status, 404);
        assert.doesNotMatch(await shut.text(), /Gasse/u);
        const before = shop.smtp.mails.length;
        await elsewhere.send("/find-order", { number, email }, "Email me the link");
        const link = await findPath(email, "/orders/", before);
        assert.match(await elsewhere.read(link), /Gasse 1/u);
        await elsewhere.send(
          "/withdraw",
          { name: "Ann Smith", orderNumber: number, email },
          "Withdraw from contract here",
          { at: "name" },
        );
        const waiting = await shop.admin("GET", "/api/admin/withdrawals");
        assert.ok(JSON.stringify(waiting).includes(number), JSON.stringify(waiting));
      },
    );
});
