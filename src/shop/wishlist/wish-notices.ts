/** Mails about wishes: what is back, and what costs less. */
import type { ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { mailWish, type WishMail } from "../mails/mails.ts";
import type { ProductRecord } from "../products/schema.ts";
import { products } from "../products/records.ts";
import { wishes } from "./records.ts";
import type { WishRecord } from "./schema.ts";
import { type Offer, findOffer } from "./wishlist.ts";

const PAGE = 200;
const A_RUN = 2_000;

/** The new state of a wish, and the emails to send; undefined without a relevant change. */
function decide(
  wish: WishRecord,
  offer: Offer | undefined,
): { next: WishRecord; mails: WishMail["kind"][]; before: number } | undefined {
  const { wasInStock, priceTold: priceNotified } = wish;
  const isKnown = offer !== undefined && offer.currency === wish.currency;
  // Units that are only reserved for an order are neither back nor gone.
  const inStock = offer?.isAvailable === true || (wasInStock && offer?.isSoldOut === false);
  const before = priceNotified ?? wish.priceAtAdd;
  // Rises are remembered up to the first price, so that each fall below it is notified.
  const price = isKnown ? Math.min(offer.price, wish.priceAtAdd) : before;
  if (inStock === wasInStock && price === before) return undefined;
  const mails: WishMail["kind"][] = [];
  if (wish.notifyRestock && inStock && !wasInStock) mails.push("restock");
  if (wish.notifyPriceDrop && price < before) mails.push("price_drop");
  return { next: { ...wish, wasInStock: inStock, priceTold: price }, mails, before };
}

/** Offers of the products that this view requested. */
function createOffers(
  tx: ReadTx,
): (wish: WishRecord) => Promise<[ProductRecord | undefined, Offer | undefined]> {
  let last: { id: string; product: ProductRecord | undefined } | undefined;
  return async ({ productId, variantId }) => {
    // Wishes come ordered by product.
    if (last?.id !== productId) last = { id: productId, product: await tx.get(products, productId) };
    return [last.product, await findOffer(tx, last.product, variantId)];
  };
}

/** Ids of the next wishes that have something to remember, and where the walk goes on. */
function readNext(
  { store }: Pick<ShopDeps, "store">,
  cursor: string | undefined,
): Promise<{ ids: string[]; count: number; nextCursor: string | undefined }> {
  return store.read(async (tx) => {
    const page = await tx.list(wishes, "byWatched", {
      prefix: ["yes"],
      limit: PAGE,
      cursor,
    });
    const offers = createOffers(tx);
    const ids: string[] = [];
    for (const wish of page.items) {
      const [, offer] = await offers(wish);
      if (decide(wish, offer) !== undefined) ids.push(wish.id);
    }
    return { ids, count: page.items.length, nextCursor: page.nextCursor };
  });
}

/** Decides again in the transaction that changes the wish: of two processes, one finds nothing left to send. */
function settle(
  deps: Pick<ShopDeps, "store" | "outbox" | "publicUrl" | "box" | "clock">,
  id: string,
): Promise<void> {
  return deps.store.transact(async (tx) => {
    const wish = await tx.get(wishes, id);
    if (wish === undefined) return;
    const product = await tx.get(products, wish.productId);
    const offer = await findOffer(tx, product, wish.variantId);
    const decision = decide(wish, offer);
    if (decision === undefined) return;
    await tx.put(wishes, decision.next);
    const { email, isEmailVerified = false } = wish;
    // Wishes of earlier versions may contain anyone's address.
    if (email === undefined || !isEmailVerified || product === undefined || offer === undefined) return;
    for (const kind of decision.mails) {
      await mailWish(tx, deps, {
        kind,
        wishId: wish.id,
        to: email,
        language: wish.language,
        title: product.translations[wish.language]?.title ?? product.title,
        slug: product.slug,
        price: offer.price,
        priceBefore: decision.before,
        currency: offer.currency,
      });
    }
  });
}

/** Creates the job that mails about changes; to be run every minute, and again soon while it says that there is more. */
export function createWishNotices(deps: Pick<ShopDeps, "store" | "outbox" | "publicUrl" | "box" | "clock">) {
  // Lost with the process, which then begins at the first wish again.
  let cursor: string | undefined;
  return {
    /** Reads the next wishes; true when there are more than one run takes. */
    run: async (): Promise<boolean> => {
      let read = 0;
      while (read < A_RUN) {
        const batch = await readNext(deps, cursor);
        for (const id of batch.ids) await settle(deps, id);
        cursor = batch.nextCursor;
        if (cursor === undefined) return false;
        read += batch.count;
      }
      return true;
    },
  };
}
