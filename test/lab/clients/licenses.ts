/** Published clients of Lemon Squeezy's License API, which ask a shop that runs: unchanged but for the host. */
import assert from "node:assert/strict";
import { z } from "zod";
import { runProcess } from "../../support/process.ts";
import { type Runner, createPrograms } from "../../support/program.ts";

const ADMIN_TOKEN = "admin-token-of-the-laboratory";

/** The name under which it is installed, and what it is. */
const clients = [
  { client: "@lemonsqueezy/lemonsqueezy.js", name: "lemonsqueezy.js 4" },
  { client: "lemonsqueezy-3", name: "lemonsqueezy.js 3" },
  { client: "lemonsqueezy-2", name: "lemonsqueezy.js 2" },
  { client: "n8n", name: "n8n-nodes-lemonsqueezy" },
] as const;

const idSchema = z.object({ id: z.string() });
const placedSchema = z.object({ order: idSchema });
const orderSchema = z.object({ lines: z.array(z.object({ delivered: z.array(z.string()) })) });
const listSchema = z.object({
  items: z.array(z.object({ id: z.string(), used: z.int(), productNumber: z.int() })),
});

export interface LicenseTrial {
  readonly name: string;
  /** Resolves with what the client did. Rejects when it is not content. */
  run(): Promise<string>;
}

/** Starts a shop that sells a license for one device. */
export async function openLicenseLab(
  folder: string,
  { runner, own }: { readonly runner: Runner; readonly own?: Runner | undefined },
): Promise<{ trials: LicenseTrial[]; stop(): Promise<void> }> {
  const programs = await createPrograms(["shop"], own);
  const shop = await programs.shopUrl(programs.run({ LOG_LEVEL: "warn", ADMIN_TOKEN }));
  async function send<T>(schema: z.ZodType<T>, method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(shop + path, {
      method,
      headers: {
        "x-admin-token": ADMIN_TOKEN,
        "content-type": "application/json",
        "idempotency-key": crypto.randomUUID(),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
    return schema.parse(await answer.json());
  }
  const { id: productId } = await send(idSchema, "POST", "/api/admin/products", {
    title: "Photo Desk",
    price: 4_900,
    status: "published",
    deliveryType: "auto_secret",
    stockMode: "unlimited",
    license: { keys: "generated", pattern: "DESK-{random:6}-{random:6}", maxDevices: 1 },
  });
  await send(z.object({}), "PATCH", "/api/admin/site/providers/demo", { enabled: true });

  /** What the shop says about a license. */
  async function find(key: string): Promise<{ id: string; used: number; productNumber: number }> {
    const { items } = await send(listSchema, "GET", `/api/admin/licenses?key=${encodeURIComponent(key)}`);
    return items[0] ?? assert.fail("The shop does not find the license");
  }

  /** Sells two licenses and disables one; resolves with their keys. */
  async function sell(): Promise<readonly [string, string]> {
    const { order } = await send(placedSchema, "POST", "/api/checkout", {
      items: [{ productId, quantity: 2 }],
      contact: { email: "ann@example.org" },
      paymentMethod: "demo",
      consents: { digitalContent: true },
    });
    const path = `/api/admin/orders/${order.id}`;
    await send(z.object({}), "POST", `${path}/mark-paid`, { reference: order.id });
    const { lines } = await send(orderSchema, "GET", path);
    const [key = "", disabledKey = ""] = lines[0]?.delivered ?? [];
    const { id } = await find(disabledKey);
    await send(z.object({}), "PATCH", `/api/admin/licenses/${id}`, { disabled: true });
    return [key, disabledKey];
  }

  async function run(client: string): Promise<string> {
    const [key, disabledKey] = await sell();
    const [command, ...args] = runner;
    const config = { client, shop, key, disabledKey, productId: (await find(key)).productNumber };
    const done = await runProcess({
      command,
      args: [...args, "program.mjs"],
      cwd: folder,
      env: { CLIENT: JSON.stringify(config) },
    });
    assert.equal(done.code, 0, done.output.slice(-3_000));
    assert.equal((await find(key)).used, 1, "the devices that the shop counts");
    return done.output.trim().split("\n").at(-1) ?? "";
  }
  return {
    trials: clients.map(({ client, name }) => ({ name, run: () => run(client) })),
    stop: () => programs.dispose(),
  };
}
