/** Products, keys and providers for tests, written straight into the store. */
import type { Address } from "../../src/shop/base/postal-address.ts";
import type { CheckoutResult } from "../../src/shop/checkout/checkout.ts";
import { SECRET_PURPOSE } from "../../src/shop/licence-keys/product-secret.ts";
import { PROVIDER_PURPOSE } from "../../src/shop/payments/notice-proof.ts";
import type { ReceivedNotice } from "../../src/shop/payments/services/receive.ts";
import type { ProductRecord } from "../../src/shop/products/schema.ts";
import { products, secrets, stock } from "../../src/shop/products/records.ts";
import type { Shop } from "../../src/shop/app/shop.ts";
import { type Provider, type SiteSettings, NO_LIMIT } from "../../src/shop/site/schema.ts";
import { readSite } from "../../src/shop/site/settings.ts";
import type { TestShop } from "./app-fixture.ts";

/** The secret of the provider "test" of {@link setProvider}. */
export const WEBHOOK_SECRET = "a secret of the payment service";

export interface GoodsOptions extends Partial<ProductRecord> {
  /** Units on hand, of each variant; 10 by default. */
  readonly onHand?: number;
  /** Licence keys; `onHand` is their number then. */
  readonly keys?: readonly string[];
}

/** Stores a published product with its stock; a mug of 10.00 EUR by hand by default. */
export async function addProduct(app: { shop: Shop }, options: GoodsOptions = {}): Promise<ProductRecord> {
  const { onHand = 10, keys, ...fields } = options;
  const { store, deps } = app.shop;
  const id = fields.id ?? `prd_${Math.random().toString(36).slice(2)}`;
  const at = deps.clock.now();
  return store.transact(async (tx) => {
    const product = await tx.insert(products, {
      slug: id.replaceAll("_", "-"),
      status: "published",
      title: "Mug",
      summary: "",
      description: "",
      images: [],
      tags: [],
      price: 1_000,
      currency: (await readSite(tx)).currency,
      sku: "",
      variants: [],
      stockMode: "tracked",
      minQuantity: 1,
      maxQuantity: 1_000,
      deliveryType: keys === undefined ? "manual" : "auto_secret",
      inputs: [],
      instructions: "",
      translations: {},
      sortOrder: 0,
      createdAt: at,
      updatedAt: at,
      ...fields,
      id,
    });
    const stockIds = product.variants.length === 0 ? [id] : product.variants.map((variant) => variant.id);
    for (const stockId of stockIds) {
      const count = keys?.length ?? onHand;
      await tx.insert(stock, { id: stockId, productId: id, onHand: count, reserved: 0, sold: 0 });
      for (const [index, key] of (keys ?? []).entries()) {
        await tx.insert(secrets, {
          id: `sec_${stockId}_${String(index).padStart(6, "0")}`,
          productId: id,
          stockId,
          sealed: deps.box.seal(key, SECRET_PURPOSE),
          mac: deps.box.mac(key, SECRET_PURPOSE),
          state: "free",
          addedAt: at,
        });
      }
    }
    return product;
  });
}

/** Makes "test" the only payment provider, by default with {@link WEBHOOK_SECRET}. */
export async function setProvider(app: TestShop, fields: Partial<Provider> = {}): Promise<void> {
  const secret = app.shop.deps.box.seal(WEBHOOK_SECRET, PROVIDER_PURPOSE);
  const provider = {
    word: "test",
    title: "Test",
    enabled: true,
    secret,
    requireWebhookSecret: true,
    payUrlTemplate: "https://pay.example.org/?order={orderId}&amount={amount}",
    instructions: "",
  };
  await app.setSite({ paymentProviders: [{ ...provider, ...fields }] });
}

/** Limits of placed orders that are out of the way. */
export const noOrderLimits: SiteSettings["orderLimits"] = {
  addressPerHour: NO_LIMIT,
  emailPerHour: NO_LIMIT,
  mailedPerDay: NO_LIMIT,
  guestUnits: NO_LIMIT,
  userUnits: NO_LIMIT,
};

/** Limits of orders that are out of the way. */
export async function liftLimits(app: TestShop): Promise<void> {
  const most = NO_LIMIT;
  await app.setSite({ maxPending: { user: most, address: most, email: most }, orderLimits: noOrderLimits });
}

/** Orders past the edge, as a guest. */
export function order(
  app: { shop: Shop },
  items: readonly { productId: string; variantId?: string; quantity?: number }[],
  more: {
    email?: string;
    couponCode?: string;
    userId?: string;
    paymentMethod?: string;
    shippingAddress?: Address;
  } = {},
): Promise<CheckoutResult> {
  const { email = "ann@example.org", couponCode, userId, paymentMethod, shippingAddress } = more;
  const caller = {
    ...(userId === undefined
      ? {}
      : { user: { id: userId, username: userId, displayName: userId, emailVerified: true } }),
    clientAddress: "192.0.2.1",
    userAgent: "test",
    requestId: "test",
  };
  return app.shop.checkout.order(
    {
      items: items.map((item) => ({ quantity: 1, ...item })),
      contact: { email },
      paymentMethod,
      shippingAddress,
      consents: { digitalContent: true },
      ...(couponCode === undefined ? {} : { couponCode }),
    },
    caller,
  );
}

/** What a payment service would send for an order. */
export function toNotice(
  { id, total, currency }: { id: string; total: number; currency: string },
  data: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    type: "payment.arrived",
    data: { id: `ref-${id}`, orderId: id, amount: total, currency, status: "succeeded", ...data },
  };
}

/** A notice past the edge, with the provider's secret or without a proof. */
export function toPosted({
  provider = "test",
  json,
  secret,
}: {
  readonly provider?: string;
  readonly json: unknown;
  readonly secret?: string | undefined;
}): ReceivedNotice {
  return {
    provider,
    method: "POST",
    url: `/api/webhooks/${provider}-pay`,
    body: JSON.stringify(json),
    headers: new Headers({
      "content-type": "application/json",
      ...(secret === undefined ? {} : { "x-webhook-secret": secret }),
    }),
  };
}

/** Sends a notice with the provider's secret. */
export function sendNotice(
  app: TestShop,
  body: unknown,
  headers: Readonly<Record<string, string>> = { "x-webhook-secret": WEBHOOK_SECRET },
): Promise<Response> {
  return app.send("POST", "/api/webhooks/test-pay", { body, headers });
}
