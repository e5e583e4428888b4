/** Products and buyers for the cluster's tests. */
import { randomUUID } from "node:crypto";
import { type Answer, ask, call, newName } from "./cluster.ts";

export interface GoodsOptions {
  /** Units there are, delivered by hand; without units and keys there is no end of them. */
  readonly units?: number;
  /** Licence keys, each given once. */
  readonly keys?: readonly string[];
}

/** Creates a published product over HTTP; returns its ID. */
export async function addProduct(url: string, { units, keys }: GoodsOptions): Promise<string> {
  const products = `${url}/api/admin/products`;
  const body = {
    title: newName("Product"),
    price: 1_999,
    status: "published",
    deliveryType: keys === undefined ? "manual" : "auto_secret",
    ...(units === undefined && keys === undefined ? { stockMode: "unlimited" } : {}),
  };
  const { id } = await call<{ id: string }>("POST", products, { admin: true, body });
  if (keys !== undefined) await call("POST", `${products}/${id}/secrets`, { admin: true, body: keys });
  if (units !== undefined)
    await call("POST", `${products}/${id}/stock`, {
      admin: true,
      body: { onHand: units, reason: "Bought" },
    });
  return id;
}

export interface Bought {
  readonly order: { readonly id: string; readonly total: number; readonly currency: string };
  readonly accessToken: string;
}

/** A guest buys one piece; each guest has an e-mail address of its own. */
export async function checkOut(
  url: string,
  options: { readonly productId: string; readonly from: string; readonly key?: string },
): Promise<Answer<Bought> & { readonly email: string }> {
  const { productId, from, key = randomUUID() } = options;
  const email = `guest-${key}@example.org`;
  const answer = await ask<Bought>("POST", `${url}/api/checkout`, {
    from,
    headers: { "idempotency-key": key },
    body: { items: [{ productId, quantity: 1 }], contact: { email }, consents: { digitalContent: true } },
  });
  return { ...answer, email };
}
