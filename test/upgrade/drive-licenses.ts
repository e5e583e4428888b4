/** Licenses that a fixture's program is made to write: devices that are active and ended, a disabled one, signing keys. */
import { z } from "zod";
import { addProduct, attempt, sell } from "./attempt.ts";
import type { Urls } from "./notes.ts";

const orderSchema = z.object({ lines: z.array(z.object({ delivered: z.array(z.string()).optional() })) });

/** Sells two licenses; resolves with their keys. */
async function sellLicenses(shop: string): Promise<readonly string[]> {
  const productId = await addProduct(shop, {
    title: "Photo Desk",
    price: 4_900,
    deliveryType: "auto_secret",
    stockMode: "unlimited",
    license: { keys: "generated", pattern: "DESK-{random:6}-{random:6}", maxDevices: 3, offlineDays: 30 },
  });
  if (productId === undefined) return [];
  const sold = await sell(shop, [{ productId, quantity: 2 }], { name: "licenses" });
  if (sold === undefined) return [];
  const url = `${shop}/api/admin/orders/${sold.id}`;
  const order = orderSchema.safeParse(await attempt({ method: "GET", url }));
  return order.success ? (order.data.lines[0]?.delivered ?? []) : [];
}

/** Sells licenses, activates devices, signs a file, and rotates the signing keys. */
export async function driveLicenses({ shop }: Urls): Promise<void> {
  if (shop === undefined) return;
  const [license_key, other] = await sellLicenses(shop);
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
