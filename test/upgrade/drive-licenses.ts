/** Licenses that a fixture's program is made to write: devices that are active and ended, a disabled one, signing keys. */
import { z } from "zod";
import { type Urls, ADMIN_TOKEN } from "./notes.ts";

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Gives undefined where an older program lacks the route, or wants another body. */
async function attempt({ method, url, body, headers = {} }: Sent): Promise<unknown> {
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

const boughtSchema = z.object({ order: z.object({ id: z.string(), total: z.number() }) });
const orderSchema = z.object({ lines: z.array(z.object({ delivered: z.array(z.string()).optional() })) });

/** Sells two licenses; resolves with their keys. */
async function sell(shop: string): Promise<readonly string[]> {
  const product = {
    title: "Photo Desk",
    price: 4_900,
    deliveryType: "auto_secret",
    status: "published",
    stockMode: "unlimited",
    license: { keys: "generated", pattern: "DESK-{random:6}-{random:6}", maxDevices: 3, offlineDays: 30 },
  };
  const made = await attempt({ method: "POST", url: `${shop}/api/admin/products`, body: product });
  const known = z.object({ id: z.string() }).safeParse(made);
  if (!known.success) return [];
  const body = {
    items: [{ productId: known.data.id, quantity: 2 }],
    contact: { email: "ann@example.org" },
    paymentMethod: "demo",
    consents: { digitalContent: true },
  };
  const headers = { "idempotency-key": "fixture-licenses" };
  const placed = boughtSchema.safeParse(
    await attempt({ method: "POST", url: `${shop}/api/checkout`, body, headers }),
  );
  if (!placed.success) return [];
  const path = `${shop}/api/admin/orders/${placed.data.order.id}`;
  await attempt({ method: "POST", url: `${path}/mark-paid`, body: { reference: "licenses" } });
  const order = orderSchema.safeParse(await attempt({ method: "GET", url: path }));
  return order.success ? (order.data.lines[0]?.delivered ?? []) : [];
}

/** Sells licenses, activates devices, signs a file, and rotates the signing keys. */
export async function driveLicenses({ shop }: Urls): Promise<void> {
  if (shop === undefined) return;
  const [license_key, other] = await sell(shop);
  if (license_key === undefined || other === undefined) return;
  const ask = (action: string, fields: object): Promise<unknown> =>
    attempt({ method: "POST", url: `${shop}/v1/licenses/${action}`, body: fields });
  const instanceSchema = z.object({ instance: z.object({ id: z.string() }) });
  for (const instance_name of ["Laptop", "Tablet"]) {
    const active = instanceSchema.safeParse(await ask("activate", { license_key, instance_name }));
    if (!active.success) return;
    const { id: instance_id } = active.data.instance;
    const action = instance_name === "Laptop" ? "file" : "deactivate";
    await ask(action, { license_key, instance_id });
  }
  await attempt({ method: "POST", url: `${shop}/api/admin/license-signing-keys/rotate` });
  const url = `${shop}/api/admin/licenses`;
  const page = z
    .object({ items: z.array(z.object({ id: z.string() })) })
    .safeParse(await attempt({ method: "GET", url: `${url}?key=${other}` }));
  const id = page.success ? page.data.items[0]?.id : undefined;
  if (id !== undefined) await attempt({ method: "PATCH", url: `${url}/${id}`, body: { disabled: true } });
}
