/** Requests of a drive to a program that may lack the route, and orders that it pays. */
import { z } from "zod";
import { ADMIN_TOKEN } from "./notes.ts";

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Gives undefined where an older program lacks the route, or wants another body. */
export async function attempt({ method, url, body, headers = {} }: Sent): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.ok) return text === "" ? undefined : JSON.parse(text);
  console.warn(`left out: ${method} ${url}: ${response.status} ${text.slice(0, 500)}`);
  return undefined;
}

const boughtSchema = z.object({
  order: z.object({ id: z.string(), total: z.number() }),
  accessToken: z.string().optional(),
});

/** An order that was placed, with the token of its buyer. */
export interface Sold {
  readonly id: string;
  readonly token: string;
}

/** Creates a product; undefined where the program does not know its kind. */
export async function addProduct(shop: string, product: object): Promise<string | undefined> {
  const url = `${shop}/api/admin/products`;
  const made = await attempt({ method: "POST", url, body: { status: "published", ...product } });
  return z.object({ id: z.string() }).safeParse(made).data?.id;
}

/** Places an order for a guest, and marks it as paid unless it is by then; undefined where the program refuses it. */
export async function sell(
  shop: string,
  items: readonly object[],
  { name, ...fields }: { readonly name: string; readonly giftCardCodes?: readonly string[] },
): Promise<Sold | undefined> {
  const body = {
    items,
    contact: { email: "ann@example.org" },
    paymentMethod: "demo",
    consents: { digitalContent: true },
    ...fields,
  };
  const headers = { "idempotency-key": `fixture-${name.replaceAll(" ", "-")}` };
  const answer = await attempt({ method: "POST", url: `${shop}/api/checkout`, body, headers });
  const placed = boughtSchema.safeParse(answer);
  if (!placed.success) return undefined;
  const { order, accessToken = "" } = placed.data;
  const path = `${shop}/api/admin/orders/${order.id}`;
  const known = z.object({ status: z.string() }).safeParse(await attempt({ method: "GET", url: path }));
  if (known.data?.status === "pending_payment")
    await attempt({ method: "POST", url: `${path}/mark-paid`, body: { reference: name } });
  return { id: order.id, token: accessToken };
}
