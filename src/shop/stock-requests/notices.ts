/** The emails that a product is back: first come, first served, and no more of them than the units justify. */
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { formatAmount } from "../base/money.ts";
import { findMailWords } from "../mails/mail-words.ts";
import { enqueueTemplate, paragraph, toAddress, toLink } from "../mails/mails.ts";
import type { MailFilling } from "../mails/templates.ts";
import { toUnsubscribeUrl } from "../mails/unsubscribe-link.ts";
import { products } from "../products/records.ts";
import { toMailedAddresses } from "../site/page-urls.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import { readAvailable } from "../stock/stock.ts";
import { stockRequests, stockWaves } from "./records.ts";
import type { StockRequest } from "./schema.ts";
import { nameOf } from "./stock-requests.ts";

const DAY_MS = 86_400_000;
/** Emails of one product in one transaction, and of a product without a limit of units in one run. */
const BATCH = 50;
/** Products that one run looks at. */
const PRODUCTS = 500;

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl">;

export function toBackFilling(
  {
    product,
    price,
    slug,
    language,
    unsubscribe,
  }: {
    readonly product: string;
    readonly price: string;
    readonly slug: string;
    readonly language: string;
    readonly unsubscribe: string | undefined;
  },
  { site, publicUrl }: { readonly site: SiteSettings; readonly publicUrl: string },
): MailFilling {
  const { words } = findMailWords(language);
  const page = toMailedAddresses(site, publicUrl).product.replaceAll("{slug}", encodeURIComponent(slug));
  const rows: [string, string][] = [
    [words.product, product],
    [words.price, price],
  ];
  return {
    values: { shopName: site.name, product, price },
    blocks: {
      details: [{ kind: "facts", rows }],
      productLink: toLink(product, toAddress(publicUrl, page)),
      unsubscribe: [paragraph(words.stockWhy), ...toLink(words.unsubscribeLink, unsubscribe)],
    },
  };
}

/** Mails the next ones who wait for a stock; resolves with how many. */
async function mailNext(tx: Tx, deps: Deps, first: StockRequest): Promise<number> {
  const { box, outbox, publicUrl, clock } = deps;
  const nowMs = clock.now();
  const { stockId, productId, variantId } = first;
  const site = await readSite(tx);
  const product = await tx.get(products, productId);
  const isSold = product?.status === "published" && site.stockRequests.enabled;
  const units = isSold ? ((await readAvailable(tx, product)).get(stockId) ?? 0) : 0;
  const wave = await tx.get(stockWaves, stockId);
  if (product === undefined || units <= 0) {
    // What comes back next is new.
    if (wave !== undefined) await tx.remove(stockWaves, stockId);
    return 0;
  }
  const isCurrent = wave !== undefined && nowMs < wave.since + DAY_MS;
  const before = isCurrent ? wave.mailed : 0;
  const most = Number.isFinite(units) ? units * site.stockRequests.emailsPerUnit - before : BATCH;
  if (most <= 0) return 0;
  const limit = Math.min(BATCH, most);
  const { items } = await tx.list(stockRequests, "byStock", { prefix: ["confirmed", stockId], limit });
  for (const { id, email: to, language: wanted } of items) {
    const { language } = findMailWords(wanted);
    const variant = product.variants.find((one) => one.id === variantId);
    const unsubscribe = toUnsubscribeUrl({ box, publicUrl }, { kind: "back_in_stock", id });
    const about = {
      product: nameOf(product, variantId, language),
      price: formatAmount(variant?.price ?? product.price, product.currency, language),
      slug: product.slug,
      language,
      unsubscribe,
    };
    const mail = { kind: "back_in_stock", to, language, unsubscribe } as const;
    const filling = toBackFilling(about, { site, publicUrl });
    await enqueueTemplate(tx, { outbox, clock, site }, { ...mail, filling });
    await tx.remove(stockRequests, id);
  }
  const next = { mailed: before + items.length, since: isCurrent ? wave.since : nowMs };
  if (wave === undefined) await tx.insert(stockWaves, { id: stockId, ...next });
  else await tx.put(stockWaves, { ...wave, ...next });
  return items.length;
}

/** Creates the job, to be run every minute. */
export function createStockNotices(deps: Deps) {
  return {
    /** Looks at each product that someone waits for; resolves with how many emails were written. */
    run: async (): Promise<number> => {
      let mailed = 0;
      let after: string | undefined;
      for (let turn = 0; turn < PRODUCTS; turn += 1) {
        const from = after;
        const { items } = await deps.store.read((tx) =>
          tx.list(stockRequests, "byStock", {
            ...(from === undefined
              ? { prefix: ["confirmed"] }
              : { from: ["confirmed", `${from}\u0001`], to: ["confirmee"] }),
            limit: 1,
          }),
        );
        const [first] = items;
        if (first === undefined) break;
        mailed += await deps.store.transact((tx) => mailNext(tx, deps, first));
        after = first.stockId;
      }
      return mailed;
    },
  };
}
