/** Who wants an email when a product is back in stock: asked for on its page, confirmed by the link of an email. */
import { AppError } from "../../kit/errors.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import { isSameText } from "../../kit/secrets/same-text.ts";
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { toMailbox } from "../base/mailbox.ts";
import { findMailWords } from "../mails/mail-words.ts";
import { enqueueTemplate, toLink } from "../mails/mails.ts";
import type { MailFilling } from "../mails/templates.ts";
import { products } from "../products/records.ts";
import type { ProductRecord } from "../products/schema.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import { readAvailable } from "../stock/stock.ts";
import { stockRequests } from "./records.ts";
import type { StockRequest } from "./schema.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Twelve months. */
const KEPT_MS = 365 * DAY_MS;
/** For the link in the email that verifies a mailbox. */
const UNCONFIRMED_MS = 2 * DAY_MS;
const PURPOSE = "stock-request";
export const REQUEST_PATH = "/back-in-stock";
/** Requests of a network, and emails to a mailbox, in an hour. */
const ASKED_AN_HOUR = 20;
const MAILED_AN_HOUR = 3;

export interface WantedStock {
  readonly productId: string;
  readonly variantId?: string | undefined;
  readonly email: string;
  readonly language: string;
  /** The verified addresses of a signed-in person. */
  readonly verified: readonly string[];
  readonly clientAddress: string;
}

/** "mailed": the link in an email confirms it. */
export type Requested = "confirmed" | "mailed";

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl" | "limits">;

/** A product with its variant in a language: "T-shirt (L)". */
export function nameOf(product: ProductRecord, variantId: string | undefined, language: string): string {
  const title = product.translations[language]?.title ?? product.title;
  const variant = product.variants.find(({ id }) => id === variantId);
  const chosen = Object.values(variant?.options ?? {}).join(", ");
  return chosen === "" ? title : `${title} (${chosen})`;
}

export function toConfirmFilling(
  {
    product,
    confirmUrl,
    language,
  }: {
    readonly product: string;
    readonly confirmUrl: string | undefined;
    readonly language: string;
  },
  { name: shopName }: Pick<SiteSettings, "name">,
): MailFilling {
  const { words } = findMailWords(language);
  return { values: { shopName, product }, blocks: { confirmLink: toLink(words.stockConfirm, confirmUrl) } };
}

async function getWanted(tx: ReadTx, { productId, variantId }: WantedStock) {
  const product = await tx.get(products, productId);
  const variant = product?.variants.find(({ id }) => id === variantId);
  const isKnown = product !== undefined && (product.variants.length === 0) === (variant === undefined);
  if (product?.status !== "published" || !isKnown)
    throw new AppError("not_found", "This product does not exist");
  return { product, stockId: variant?.id ?? product.id };
}

/** What the link of an email opens, and the end of requests. */
function createLinks({ store, clock, box }: Deps) {
  async function find(tx: ReadTx, id: string, token: string): Promise<StockRequest> {
    const request = isSameText(token, box.mac(id, PURPOSE)) ? await tx.get(stockRequests, id) : undefined;
    if (request !== undefined && request.expiresAt > clock.now()) return request;
    throw new AppError("not_found", "The link has expired or is incomplete. Request the email again");
  }

  return {
    /** The request of a link. Throws `not_found`. */
    find: (
      id: string,
      token: string,
    ): Promise<{ request: StockRequest; product: ProductRecord | undefined }> =>
      store.read(async (tx) => {
        const request = await find(tx, id, token);
        return { request, product: await tx.get(products, request.productId) };
      }),
    /** The mailbox is verified. Throws `not_found`. */
    confirm: (id: string, token: string): Promise<void> =>
      store.transact(async (tx) => {
        const request = await find(tx, id, token);
        await tx.put(stockRequests, { ...request, state: "confirmed", expiresAt: clock.now() + KEPT_MS });
      }),
    /** Deletes expired requests; resolves with how many, at most 200. */
    sweep: (): Promise<number> =>
      store.transact(async (tx) => {
        const { items } = await tx.list(stockRequests, "byExpiry", { to: [clock.now() + 1], limit: 200 });
        for (const { id } of items) await tx.remove(stockRequests, id);
        return items.length;
      }),
  };
}

export function createStockRequests(deps: Deps) {
  const { store, clock, box, outbox, publicUrl, limits } = deps;
  const asked = limits.create("stock-requests", { limit: ASKED_AN_HOUR, windowMs: HOUR_MS });
  const mailed = limits.create("stock-request-mails", { limit: MAILED_AN_HOUR, windowMs: HOUR_MS });

  async function mailConfirm(tx: Tx, request: StockRequest, product: ProductRecord): Promise<void> {
    const site = await readSite(tx);
    const { language } = findMailWords(request.language);
    const { id, email: to } = request;
    const confirmUrl = `${publicUrl}${REQUEST_PATH}?request=${id}&token=${box.mac(id, PURPOSE)}`;
    const about = { product: nameOf(product, request.variantId, language), confirmUrl, language };
    const filling = toConfirmFilling(about, site);
    await enqueueTemplate(tx, { outbox, clock, site }, { kind: "stock_request", to, language, filling });
  }

  return {
    ...createLinks(deps),
    /**
     * Stores a request; the answer to a guest is the same whether the mailbox is known.
     * @throws AppError `not_found`, `conflict` (the shop sends no such emails, or it is in stock), `rate_limited`
     */
    ask: async (wanted: WantedStock): Promise<Requested> => {
      const { email, variantId, productId, language, clientAddress, verified } = wanted;
      const { allowed, retryAfterSeconds } = asked.hit(addressKey(clientAddress));
      if (!allowed)
        throw new AppError("rate_limited", "Too many requests. Try again later", { retryAfterSeconds });
      const emailLower = email.toLowerCase();
      const isVerified = verified.some((address) => address.toLowerCase() === emailLower);
      const mayMail = isVerified || mailed.hit(box.mac(toMailbox(email), PURPOSE)).allowed;
      return store.transact(async (tx) => {
        const { stockRequests: settings } = await readSite(tx);
        if (!settings.enabled || publicUrl === "")
          throw new AppError("conflict", "This shop does not send emails about stock");
        const { product, stockId } = await getWanted(tx, wanted);
        if (((await readAvailable(tx, product)).get(stockId) ?? 0) > 0)
          throw new AppError("conflict", "This product is in stock. Order it now");
        const id = box.lookup(`${stockId} ${toMailbox(email)}`, PURPOSE);
        const known = await tx.get(stockRequests, id);
        const createdAt = known?.createdAt ?? clock.now();
        if (isVerified || known?.state === "confirmed") {
          const expiresAt = clock.now() + KEPT_MS;
          const confirmed = {
            productId,
            variantId,
            stockId,
            email,
            emailLower,
            language,
            createdAt,
            expiresAt,
          };
          if (known === undefined) await tx.insert(stockRequests, { id, state: "confirmed", ...confirmed });
          else await tx.put(stockRequests, { ...known, ...confirmed, state: "confirmed" });
          // A guest learns nothing of what is known of a mailbox.
          return isVerified ? "confirmed" : "mailed";
        }
        const fields = { productId, variantId, stockId, email, emailLower, language, createdAt };
        const expiresAt = clock.now() + UNCONFIRMED_MS;
        const open = { ...fields, id, state: "asked" as const, expiresAt };
        const request = await (known === undefined
          ? tx.insert(stockRequests, open)
          : tx.put(stockRequests, { ...known, ...open }));
        if (mayMail) await mailConfirm(tx, request, product);
        return "mailed";
      });
    },
  };
}

export type StockRequests = ReturnType<typeof createStockRequests>;

/** Requests of a mailbox. */
export function listRequestsOf(tx: ReadTx, emailLower: string): Promise<StockRequest[]> {
  return listEvery(tx, stockRequests, { index: "byEmail", range: { prefix: [emailLower] } });
}
