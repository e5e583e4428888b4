/** A shop that sells a licensed program, and requests of that program. */
import type { LicenseTerms, ProductLicense } from "../../../src/shop/products/license-schema.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import type { ProductRecord } from "../../../src/shop/products/schema.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import {
  type GoodsOptions,
  addProduct,
  liftLimits,
  order,
  sendNotice,
  setProvider,
  toNotice,
} from "../goods.ts";

/** An answer of the license API. */
export interface Answer {
  readonly activated?: boolean;
  readonly valid?: boolean;
  readonly deactivated?: boolean;
  readonly error: string | null;
  readonly license_key: {
    id: number;
    status: string;
    key: string;
    activation_limit: number | null;
    activation_usage: number;
    created_at: string;
    expires_at: string | null;
  } | null;
  readonly instance?: { id: string; name: string; created_at: string } | null;
  readonly meta: Record<string, string | number> | null;
}

export const GENERATED: ProductLicense = {
  keys: "generated",
  pattern: "DESK-{random:5}-{random:5}-{random:5}",
  maxDevices: 2,
  days: 365,
  offlineDays: 30,
};

export const toTerms = ({ renewal: _renewal, ...license }: ProductLicense): LicenseTerms => license;

/** A shop whose orders a payment notice pays. */
export async function openLicenseShop(options: Parameters<typeof createTestShop>[0] = {}): Promise<TestShop> {
  const app = await createTestShop(options);
  await setProvider(app);
  await liftLimits(app);
  return app;
}

export function addProgram(app: TestShop, goods: GoodsOptions = {}): Promise<ProductRecord> {
  return addProduct(app, {
    title: "Photo Desk",
    deliveryType: "auto_secret",
    stockMode: "unlimited",
    license: GENERATED,
    ...goods,
  });
}

/** Buys units of a product; resolves with the paid order and its keys. */
export async function buy(
  app: TestShop,
  product: ProductRecord,
  { quantity = 1, variantId }: { quantity?: number; variantId?: string } = {},
): Promise<{ order: OrderRecord; keys: string[]; lineId: string }> {
  const items = [{ productId: product.id, quantity, ...(variantId === undefined ? {} : { variantId }) }];
  const placed = (await order(app, items, { userId: "usr_ann" })).order;
  await sendNotice(app, toNotice(placed));
  const view = await read<{ lines: { id: string; delivered: string[] }[] }>(
    await app.admin("GET", `/api/admin/orders/${placed.id}`),
  );
  const [line] = view.lines;
  return { order: placed, keys: line?.delivered ?? [], lineId: line?.id ?? "" };
}

/** Asks as a program does, with a form. */
export async function ask(
  app: TestShop,
  action: string,
  fields: Record<string, string>,
  { from, status = 200 }: { from?: string; status?: number } = {},
): Promise<Answer> {
  const response = await app.fetch(`/v1/licenses/${action}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams(fields).toString(),
    ...(from === undefined ? {} : { from }),
  });
  return read<Answer>(response, status);
}
