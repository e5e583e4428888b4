/** A shop without an auth center: nothing leads to accounts, and every link of every page leads somewhere. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { orders } from "../../../src/shop/orders/records.ts";
import { type OwnCenter, openOwnCenter } from "../../support/own-center.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { noAccounts } from "../../../src/shop/users/no-accounts.ts";
import { addProduct, setProvider } from "../goods.ts";
import { type ShopBrowser, type ShopPage, createShopBrowser } from "./shop-browser.ts";

const PERSONAL = /^\/(?:sign-in|sign-out|wishlist|chat|orders)(?:[/?]|$)/u;

function unescapeHtml(text: string): string {
  return text.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&quot;", '"');
}

/** Addresses on this shop that a page leads to: links, and forms that ask. */
function listLinks(page: ShopPage): string[] {
  const links = [...page.text.matchAll(/<a\b[^>]*\bhref="([^"]*)"/gu)].map(([, href = ""]) => href);
  const forms = [...page.text.matchAll(/<form\b[^>]*method="get"[^>]*>/gu)].map(
    ([tag]) => /action="([^"]*)"/u.exec(tag)?.[1] ?? "",
  );
  return [...links, ...forms]
    .map(unescapeHtml)
    .filter((address) => address !== "" && !/^(?:mailto:|tel:|#)/u.test(address))
    .map((address) => new URL(address, `https://shop.example.org${page.path}`))
    .filter(({ origin }) => origin === "https://shop.example.org")
    .map(({ pathname, search }) => pathname + search);
}

/** Opens every page that pages lead to; gives each with its status, and what it leads to. */
async function walk(browser: ShopBrowser, from: readonly string[]): Promise<Map<string, ShopPage>> {
  const seen = new Map<string, ShopPage>();
  const waiting = [...from];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path) || path.startsWith("/assets/")) continue;
    assert.ok(seen.size < 300, "the shop has no end");
    const page = await browser.open(path);
    seen.set(path, page);
    if (page.headers.get("content-type")?.startsWith("text/html") === true) waiting.push(...listLinks(page));
  }
  return seen;
}

/** Where a page's own forms are sent. */
function listActions(page: ShopPage): string[] {
  return [...page.text.matchAll(/<form\b[^>]*method="post"[^>]*>/gu)].map(
    ([tag]) => /action="([^"]*)"/u.exec(tag)?.[1] ?? page.path,
  );
}

async function openShop(): Promise<TestShop> {
  const shop = await createTestShop({ hasAccounts: false, userCheck: noAccounts });
  await setProvider(shop);
  await shop.setSite({
    languages: ["en", "de", "zh"],
    contact: { email: "shop@example.org", phone: "+49 30 1", url: "" },
    pages: [{ slug: "terms", title: "Terms", body: "We sell [mugs](/p/mug).", translations: {} }],
  });
  await addProduct(shop, { slug: "mug", title: "Mug", status: "published", onHand: 50 });
  return shop;
}

describe("a shop alone", () => {
  it("has no dead link on any page, and none to accounts", async () => {
    for (const language of ["en", "de", "zh"]) {
      const shop = await openShop();
      const browser = createShopBrowser(shop, { language });
      browser.fill([
        {
          id:
            (await read<{ items: { id: string }[] }>(await shop.send("GET", "/api/products"))).items[0]?.id ??
            "",
        },
      ]);
      const placed = await browser.send(await browser.open("/checkout"), {
        do: "order",
        "contact.email": "ann@example.org",
      });
      const [order = assert.fail()] = (
        await shop.store.read((tx) => tx.list(orders, "byCreated", { limit: 1 }))
      ).items;
      browser.fill([{ id: order.lines[0]?.productId ?? "" }]);
      const own = `/orders/${order.number}`;
      // Also error pages and those that are only typed.
      const starts = [
        "/",
        "/cart",
        "/checkout",
        "/search?q=nothing",
        "/p/none",
        "/nothing",
        own,
        placed.path,
      ];
      const pages = await walk(browser, starts);
      const missing = new Set(["/p/none", "/nothing"]);
      for (const [path, page] of pages) {
        if (!missing.has(path)) assert.ok(page.status < 400, `${path} answers ${page.status}`);
        for (const link of listLinks(page))
          assert.ok(!PERSONAL.test(link) || link.startsWith(own), `${path} leads to ${link}`);
      }
      assert.ok(pages.size > 12, `${pages.size} pages`);
      assert.ok(pages.has("/find-order"));
      assert.ok(pages.has("/contact"));
      // Each form as the page has it, empty where nothing was typed: it goes through, or says what is missing.
      const sent = new Set<string>();
      for (const page of pages.values())
        for (const action of listActions(page)) {
          if (sent.has(action)) continue;
          sent.add(action);
          const answer = await browser.send(page, {}, action);
          assert.ok([200, 422].includes(answer.status), `${action} on ${page.path} answers ${answer.status}`);
          for (const link of listLinks(answer))
            assert.ok(!PERSONAL.test(link) || link.startsWith(own), `${action} leads to ${link}`);
        }
      for (const action of [
        "/cart",
        "/checkout",
        "/find-order",
        "/contact",
        `${own}/question`,
        `${own}/cancel`,
      ])
        assert.ok(
          [...sent].some((each) => each.startsWith(action)),
          `no form for ${action}`,
        );
      assert.match(pages.get(own)?.text ?? "", /mailto:shop@example\.org\?subject=/u);
    }
  });

  it("says so on pages that are typed, and leads on to what works", async () => {
    const browser = createShopBrowser(await openShop());
    for (const path of ["/orders", "/wishlist", "/chat"]) {
      const page = await browser.open(path);
      assert.equal(page.status, 200);
      for (const link of listLinks(page)) assert.doesNotMatch(link, PERSONAL, page.text);
      assert.match(page.text, /\/find-order/u);
    }
    assert.match((await browser.open("/chat")).text, /shop@example\.org/u);
    assert.equal((await browser.open("/sign-in")).status, 404);
  });

  it("takes free orders from guests: there is no account to sign in to", async () => {
    const shop = await openShop();
    const gift = await addProduct(shop, {
      slug: "gift",
      title: "Gift",
      price: 0,
      status: "published",
      onHand: 5,
    });
    const browser = createShopBrowser(shop);
    browser.fill([{ id: gift.id }]);
    const page = await browser.open("/checkout");
    assert.doesNotMatch(page.text, /[Ss]ign in/u);
    const placed = await browser.send(page, { do: "order", "contact.email": "ann@example.org" });
    assert.match(placed.path, /^\/orders\//u);
  });

  it("says in its API what works without accounts", async () => {
    const credentials: Record<string, string>[] = [{}, { authorization: "Bearer some-token" }];
    const shop = await openShop();
    for (const [method, path] of [
      ["GET", "/api/orders"],
      ["GET", "/api/wishlist"],
      ["GET", "/api/chat/messages"],
      ["GET", "/api/orders/ord_01jd5v6m0c8f3k2n7q4x9y1z5a"],
    ] as const)
      for (const headers of credentials) {
        const { detail } = await read<{ detail: string }>(await shop.send(method, path, { headers }), 401);
        assert.match(detail, /X-Order-Token/u);
        assert.doesNotMatch(detail, /auth center/u);
      }
    const asked = await shop.send("POST", "/api/questions", {
      body: { email: "ann@example.org", body: "Hi" },
    });
    assert.equal(asked.status, 204);
  });

  it("says that it takes no orders where guests may not order either", async () => {
    const shop = await openShop();
    await shop.setSite({ guestCheckout: false });
    const { items } = await read<{ items: { id: string }[] }>(await shop.send("GET", "/api/products"));
    const body = { items: [{ productId: items[0]?.id, quantity: 1 }] };
    const refused = await read<{ code: string; detail: string }>(
      await shop.send("POST", "/api/checkout/preview", { body }),
      403,
    );
    assert.equal(refused.code, "checkout_closed");
    assert.match(refused.detail, /allow guest orders in the settings/u);
  });
});

describe("a shop whose auth center is down", () => {
  it("keeps its entries, and says so instead of leading to an address that does not answer", async () => {
    const center: OwnCenter = await openOwnCenter();
    try {
      const shop = await createTestShop({
        center: await center.connect("shop"),
        publicUrl: "http://localhost",
      });
      center.isUp = false;
      const browser = createShopBrowser(shop);
      const home = await browser.open("/");
      assert.match(home.text, /href="\/wishlist"/u);
      const page = await browser.open("/sign-in?rd=/orders");
      assert.equal(page.status, 503);
      assert.match(page.text, /Sign-in is unavailable right now/u);
    } finally {
      center.close();
    }
  });
});
