/** Buyers without script at the pages of the shop: product, cart, checkout, order, and the payment service's notice. */
import { randomUUID } from "node:crypto";
import { makeProduct, payGeneric } from "../../../shop/kill-load.ts";
import { readFields } from "../../../shop/pages/shop-browser.ts";
import { createVisitor } from "../../../support/page-visitor.ts";
import type { Load } from "./load.ts";
import { type Persons, assertNow, keepOn } from "./patience.ts";

/** What one buyer was shown. */
interface Purchase {
  readonly visitor: ReturnType<typeof createVisitor>;
  /** The checkout's form as it was sent; sent again it must lead to the same order. */
  readonly form: Readonly<Record<string, string>>;
  number?: string;
  isPaid?: boolean;
}

/** The order's number in the address that a sent checkout leads to. */
const toNumber = (path: string): string | undefined => /^\/orders\/([^/]+)/u.exec(path)?.[1];

/** Creates a load with this many buyers; after {@link createKillLoad} has set the shop's site. */
export function createStorefront(persons: Persons, { most }: { most: number }): Load {
  const purchases: Purchase[] = [];
  let productId = "";

  async function fill(url: string, n: number): Promise<Purchase> {
    const visitor = createVisitor({ "x-forwarded-for": `10.8.${(purchases.length >> 8) & 255}.${n}` });
    assertNow((await visitor.open(url)).status);
    assertNow((await visitor.open(`${url}/cart`, { productId, quantity: "1" })).status);
    const page = await visitor.open(`${url}/checkout`);
    assertNow(page.status);
    const typed = {
      do: "order",
      paymentMethod: "generic",
      "contact.email": `page-${randomUUID()}@example.org`,
    };
    return { visitor, form: { ...readFields(page.body), ...typed, ...agreements(page.body) } };
  }

  /** Sends the form, for the first time or again, and pays. */
  async function finish(url: string, purchase: Purchase): Promise<void> {
    const [page, next = ""] = await purchase.visitor.send(new URL(`${url}/checkout`), purchase.form);
    assertNow(page.status);
    const number = toNumber(next);
    if (number === undefined) throw new Error(`the checkout answered ${page.status} ${toText(page.body)}`);
    if (purchase.number !== undefined && purchase.number !== number)
      throw new Error(`one form made the orders ${purchase.number} and ${number}`);
    purchase.number = number;
    const result = await payGeneric(url, { id: number, total: Number(purchase.form["expectedTotal"]) });
    if (purchase.isPaid !== true && result !== "applied" && result !== "duplicate")
      throw new Error(`a payment of ${number} came to ${result}`);
    if (purchase.isPaid === true && result !== "duplicate")
      throw new Error(`a payment of ${number} was lost: the notice is ${result} now`);
    purchase.isPaid = true;
  }

  async function check(url: string, purchase: Purchase): Promise<string[]> {
    await finish(url, purchase);
    const page = await purchase.visitor.open(`${url}/orders/${purchase.number ?? ""}`);
    const isThere =
      page.status === 200 && page.body.includes(purchase.number ?? "?") && page.body.includes("KEY-");
    return isThere ? [] : [`the page of the order ${purchase.number ?? "?"} answers ${page.status}`];
  }

  const open: (Purchase | undefined)[] = [];
  return {
    prepare: async (url) => {
      productId = await makeProduct(url, { keyCount: most, site: {} });
    },
    go: (url, isOver) =>
      keepOn(persons, {
        isOver: () => isOver() || purchases.length >= most,
        step: async (n) => {
          let purchase = open[n];
          if (purchase === undefined) {
            purchase = await fill(url, n);
            purchases.push(purchase);
            open[n] = purchase;
          }
          await finish(url, purchase);
          open[n] = undefined;
        },
      }),
    verify: async (url) => {
      const problems: string[] = [];
      for (const purchase of purchases) problems.push(...(await check(url, purchase)));
      const numbers = purchases.map(({ number }) => number);
      if (new Set(numbers).size !== numbers.length) problems.push("two forms made one order");
      return problems;
    },
    counts: () => ({ "orders by the pages": purchases.filter(({ number }) => number !== undefined).length }),
  };
}

/** Boxes that the law wants ticked. */
function agreements(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [tag] of html.matchAll(/<input[^>]*type="checkbox"[^>]*>/gu)) {
    const name = /name="([^"]*)"/u.exec(tag)?.[1];
    if (name?.startsWith("consents.") === true) fields[name] = /value="([^"]*)"/u.exec(tag)?.[1] ?? "on";
  }
  return fields;
}

/** The words of a page that says no. */
function toText(html: string): string {
  return html
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]+>/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .slice(0, 400);
}
