/** Wishlists: what signed-in people keep an eye on. */
import { AppError } from "../../kit/errors.ts";
import type { Page, PageOptions, ReadTx, Tx } from "../../store/store.ts";
import type { ShopUser } from "../users/caller.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { ProductRecord } from "../products/schema.ts";
import { products, stock } from "../products/records.ts";
import { wishes } from "./records.ts";
import { readSite } from "../site/settings.ts";
import { readAvailable } from "../stock/stock.ts";
import type { WishRecord } from "./schema.ts";

/** Wishes of one person at most. */
export const MAX_WISHES = 500;

/** How something that is wished for can be bought now. */
export interface Offer {
  /** Of the variant, or the lowest of all. */
  readonly price: number;
  readonly currency: string;
  /** Whether a unit can be ordered now. */
  readonly isAvailable: boolean;
  /** No unit is left, not even a reserved one. */
  readonly isSoldOut: boolean;
}

/** A wish with what became of it. */
export interface WishEntry {
  readonly wish: WishRecord;
  /** Absent when the product, or the variant, is no longer sold. */
  readonly product?: ProductRecord;
  readonly offer?: Offer;
}

/** Changes of a wish; null removes a value. */
export interface WishInput {
  readonly variantId?: string | null | undefined;
  readonly note?: string | undefined;
  readonly notifyRestock?: boolean | undefined;
  readonly notifyPriceDrop?: boolean | undefined;
  readonly email?: string | null | undefined;
  readonly language?: string | undefined;
  /** The person's verified addresses, the primary one first; to be given when {@link needsAddresses}. */
  readonly addresses?: readonly string[] | undefined;
}

/** Whether a change says where mail goes, or that it goes. */
export function needsAddresses({ email, notifyRestock, notifyPriceDrop }: WishInput): boolean {
  return typeof email === "string" || notifyRestock === true || notifyPriceDrop === true;
}

function toId(user: ShopUser, productId: string): string {
  return `${user.id}:${productId}`;
}

/** How a product, or one of its variants, can be bought now; undefined when it cannot be shown. */
export async function findOffer(
  tx: ReadTx,
  product: ProductRecord | undefined,
  variantId: string | undefined,
): Promise<Offer | undefined> {
  if (product?.status !== "published") return undefined;
  const variants = product.variants.filter(({ id }) => variantId === undefined || id === variantId);
  if (product.variants.length > 0 && variants.length === 0) return undefined;
  const ids = product.variants.length === 0 ? [product.id] : variants.map(({ id }) => id);
  const available = await readAvailable(tx, product);
  const isAvailable = ids.some((id) => (available.get(id) ?? 0) > 0);
  const prices = variants.length === 0 ? [product.price] : variants.map(({ price }) => price);
  return {
    price: Math.min(...prices),
    currency: product.currency,
    isAvailable,
    isSoldOut: !isAvailable && !(await hasUnits(tx, ids)),
  };
}

async function hasUnits(tx: ReadTx, ids: readonly string[]): Promise<boolean> {
  for (const id of ids) if (((await tx.get(stock, id))?.onHand ?? 0) > 0) return true;
  return false;
}

async function toEntry(tx: ReadTx, wish: WishRecord): Promise<WishEntry> {
  const product = await tx.get(products, wish.productId);
  const offer = await findOffer(tx, product, wish.variantId);
  return product === undefined || offer === undefined ? { wish } : { wish, product, offer };
}

function invalid(pointer: string, message: string): AppError {
  return new AppError("invalid", "The wishlist entry is invalid", {
    errors: [{ pointer, code: "invalid", message }],
  });
}

/** Where notices go: to an address of which the auth center knows that it is the person's own. */
function chooseAddress(
  wish: WishRecord,
  { email, addresses }: WishInput,
): Pick<WishRecord, "email" | "isEmailVerified"> {
  if (email === null) return {};
  if (addresses === undefined) {
    const { email: known, isEmailVerified } = wish;
    return { email: known, isEmailVerified };
  }
  const find = (wanted: string): string | undefined =>
    addresses.find((address) => address.toLowerCase() === wanted.toLowerCase());
  const own = email === undefined ? (find(wish.email ?? "") ?? addresses[0]) : find(email);
  if (own !== undefined) return { email: own, isEmailVerified: true };
  throw invalid(
    "/email",
    addresses.length === 0
      ? "must be a verified email address of your account, which has none. Verify one at the auth center"
      : "must be a verified email address of your account. If omitted, the primary address is used",
  );
}

/** The wish with the changes; a notice needs an address. */
function withInput(wish: WishRecord, input: WishInput): WishRecord {
  const { email, isEmailVerified } = chooseAddress(wish, input);
  const notifyRestock = input.notifyRestock ?? wish.notifyRestock;
  const notifyPriceDrop = input.notifyPriceDrop ?? wish.notifyPriceDrop;
  const isWatched = notifyRestock || notifyPriceDrop;
  if (isWatched && email === undefined) throw invalid("/email", "is required for notifications");
  return {
    ...wish,
    variantId: (input.variantId === undefined ? wish.variantId : input.variantId) ?? undefined,
    notifyRestock,
    notifyPriceDrop,
    note: input.note ?? wish.note,
    language: input.language ?? wish.language,
    email,
    isEmailVerified,
    watched: isWatched ? "yes" : undefined,
  };
}

/** The wish as if it were made now: another variant has another price. */
function withOffer(wish: WishRecord, offer: Offer): WishRecord {
  const { price: priceAtAdd, currency, isAvailable: wasInStock } = offer;
  return { ...wish, priceAtAdd, currency, wasInStock, priceTold: undefined };
}

async function getOffer(tx: ReadTx, productId: string, variantId: string | undefined): Promise<Offer> {
  const product = await tx.get(products, productId);
  if (product?.status !== "published") throw new AppError("not_found", "This product does not exist");
  const offer = await findOffer(tx, product, variantId);
  if (offer === undefined) throw invalid("/variantId", "must be a variant of the product");
  return offer;
}

async function changeIn(tx: Tx, wish: WishRecord, input: WishInput): Promise<WishEntry> {
  const changed = withInput(wish, input);
  const isOther = changed.variantId !== wish.variantId;
  const offer = isOther ? await getOffer(tx, wish.productId, changed.variantId) : undefined;
  const next = offer === undefined ? changed : withOffer(changed, offer);
  return toEntry(tx, await tx.put(wishes, next));
}

function add(
  { store, clock }: Pick<ShopDeps, "store" | "clock">,
  { user, productId, input }: { user: ShopUser; productId: string; input: WishInput },
): Promise<{ entry: WishEntry; isNew: boolean }> {
  return store.transact(async (tx) => {
    const id = toId(user, productId);
    const before = await tx.get(wishes, id);
    if (before !== undefined) return { entry: await changeIn(tx, before, input), isNew: false };
    const offer = await getOffer(tx, productId, input.variantId ?? undefined);
    if ((await tx.count(wishes, "byUser", { prefix: [user.id] })) >= MAX_WISHES) {
      throw new AppError("conflict", `A wishlist can have up to ${MAX_WISHES} products. Remove some first`);
    }
    const language = (await readSite(tx)).languages[0] ?? "en";
    const empty = {
      id,
      version: 1,
      userId: user.id,
      productId,
      note: "",
      notifyRestock: false,
      notifyPriceDrop: false,
      language,
      priceAtAdd: offer.price,
      currency: offer.currency,
      wasInStock: offer.isAvailable,
      addedAt: clock.now(),
    };
    const wish = await tx.insert(wishes, withInput(empty, input));
    return { entry: await toEntry(tx, wish), isNew: true };
  });
}

export type Wishlist = ReturnType<typeof createWishlist>;

/** Creates wishlists over a store. */
export function createWishlist(deps: Pick<ShopDeps, "store" | "clock">) {
  const { store } = deps;
  return {
    /** The newest first. */
    list: (user: ShopUser, { limit, cursor }: PageOptions): Promise<Page<WishEntry>> =>
      store.read(async (tx) => {
        const page = await tx.list(wishes, "byUser", { prefix: [user.id], limit, cursor, reverse: true });
        const items: WishEntry[] = [];
        for (const wish of page.items) items.push(await toEntry(tx, wish));
        return { ...page, items };
      }),
    /** Adds a product, or changes the wish for it. @throws AppError `not_found`, `invalid`, `conflict` for the 501st */
    add: (
      user: ShopUser,
      productId: string,
      input: WishInput,
    ): Promise<{ entry: WishEntry; isNew: boolean }> => add(deps, { user, productId, input }),
    /** @throws AppError `not_found`, `invalid` */
    change: (user: ShopUser, productId: string, input: WishInput): Promise<WishEntry> =>
      store.transact(async (tx) => {
        const wish = await tx.get(wishes, toId(user, productId));
        if (wish === undefined) throw new AppError("not_found", "This product is not on the wishlist");
        return changeIn(tx, wish, input);
      }),
    /** @throws AppError `not_found` */
    remove: (user: ShopUser, productId: string): Promise<void> =>
      store.transact(async (tx) => {
        if (await tx.remove(wishes, toId(user, productId))) return;
        throw new AppError("not_found", "This product is not on the wishlist");
      }),
  };
}
