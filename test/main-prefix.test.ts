/** Every page below a path of its address: behind one port, and behind a proxy that takes the path off. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import { type AccountsWorld, createAccountsWorld, PASSWORD } from "./support/accounts/world.ts";
import { crawl, findStrays } from "./support/crawl.ts";
import { findFreePorts } from "./support/free-ports.ts";
import { createVisitor } from "./support/page-visitor.ts";
import { type Programs, createPrograms } from "./support/program.ts";
import { type StrippingProxy, startStrippingProxy } from "./support/stripping-proxy.ts";

const ADMIN_TOKEN = "adm_for-the-pages-below-a-path";
const boughtSchema = z.object({ order: z.object({ number: z.string() }), accessToken: z.string() });
const withId = z.object({ id: z.string() });

interface Places {
  readonly monitor: string;
  readonly auth: string;
  readonly shop: string;
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json", "x-admin-token": ADMIN_TOKEN };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  assert.ok(answer.ok, `${url}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

/** An order that waits for its money, as its buyer sees it. */
async function buy(shop: string): Promise<{ seeds: string[]; visitor: ReturnType<typeof createVisitor> }> {
  const product = { title: "Field guide", slug: "guide", price: 900, stockMode: "unlimited" };
  const sold = { deliveryType: "manual", status: "published" };
  const { id } = withId.parse(await post(`${shop}/api/admin/products`, { ...product, ...sold }));
  const checkout = {
    items: [{ productId: id, quantity: 1 }],
    contact: { email: "ann@example.org" },
    consents: { digitalContent: true },
    paymentMethod: "demo",
  };
  const { order, accessToken } = boughtSchema.parse(await post(`${shop}/api/checkout`, checkout));
  const visitor = createVisitor();
  const page = `/orders/${order.number}`;
  await visitor.open(`${shop}${page}?token=${accessToken}`);
  await visitor.open(`${shop}/cart/add`, { product: "guide", quantity: "1" });
  return { seeds: ["/", page, `${page}?wait=1`, "/cart", "/checkout", "/chat", "/wishlist"], visitor };
}

function describePages(name: string, open: () => Promise<{ programs: Programs; places: Places }>): void {
  describe(`pages below a path, ${name}`, () => {
    let programs: Programs;
    let places: Places;
    let world: AccountsWorld;

    before(async () => {
      ({ programs, places } = await open());
      world = await createAccountsWorld(places.auth, ADMIN_TOKEN);
    });
    after(() => programs.dispose());

    async function signIn(identifier: string) {
      const visitor = createVisitor();
      await visitor.open(`${places.auth}/sign-in`);
      const page = await visitor.open(`${places.auth}/sign-in`, { identifier, password: PASSWORD });
      return { visitor, page };
    }

    it("keeps to it on the pages of accounts, for people with and without an account", async () => {
      const { auth: url } = places;
      const seeds = [
        "/sign-in",
        "/sign-in/code?rd=/",
        "/sign-up",
        "/forgot",
        "/reset?token=rst_x",
        "/restore",
      ];
      const outside = await crawl({
        url,
        seeds: [...seeds, "/verify", "/people", "/device", "/nothing/here"],
      });
      assert.match(outside.text, /data-action="\/[a-z]+\/sign-in\/passkey"/u);
      const { visitor } = await signIn("nia");
      await visitor.open(`${url}/account/security/second-factor/begin`, {});
      const own = await crawl({
        url,
        visitor,
        seeds: [
          "/account",
          "/account/passkey-offer?rd=/account",
          "/account/security/second-factor",
          "/account/confirm",
        ],
      });
      for (const page of ["/account/security/passkeys", "/account/data", "/account/confirm"])
        assert.ok(
          own.paths.some((path) => path.includes(page)),
          `${page} is not among ${own.paths.join(" ")}`,
        );
      const halfway = await signIn("ann");
      assert.match(halfway.page.url.pathname, /^\/[a-z]+\/sign-in\/second-factor$/u);
      assert.deepEqual(findStrays(halfway.page.body, new URL(url).pathname), []);
    });

    it("keeps to it in the storefront, and while an order waits for its money", async () => {
      const { shop: url } = places;
      const { text, paths } = await crawl({ url, other: places.auth, ...(await buy(url)) });
      assert.match(text, /data-wait="\/[a-z]+\/orders\/[^"]+\/state"/u);
      assert.match(text, /http-equiv="refresh" content="\d+; url=\/[a-z]+\/orders\//u);
      assert.ok(paths.some((path) => path.endsWith("/checkout")));
      const robots = await (await fetch(`${url}/robots.txt`)).text();
      for (const [, path = ""] of robots.matchAll(/llow: (\S+)/gu))
        assert.ok(path.startsWith(`${new URL(url).pathname}/`), path);
      assert.match(robots, new RegExp(`^Sitemap: ${url}/sitemap\\.xml$`, "mu"));
      for (const file of ["/sitemap.xml", "/feed.xml"]) {
        const machine = await (await fetch(url + file)).text();
        for (const [, address = ""] of machine.matchAll(/(?:<loc>| href=")(http[^<"]+)/gu))
          assert.ok(address.startsWith(`${url}/`), address);
      }
    });

    it("keeps to it on the status page, and in the pages that scripts fill", async () => {
      const { monitor } = places;
      await post(`${monitor}/api/admin/status-pages`, {
        slug: "services",
        title: "Services",
        published: true,
      });
      await crawl({ url: monitor, seeds: ["/status/services", "/status/services/history"] });
      for (const url of Object.values(places))
        for (const page of ["/", "/admin"]) {
          const answer = await fetch(url + page, { headers: { accept: "text/html" } });
          assert.deepEqual(findStrays(await answer.text(), new URL(url).pathname), [], url + page);
        }
      const manifest = await (await fetch(`${monitor}/site.webmanifest`)).text();
      assert.doesNotMatch(manifest, /"(?:start_url|scope|src)": "\//u);
    });

    it("lets the console of each service in, and leads back into it", async () => {
      for (const [service, url] of Object.entries(places)) {
        const answer = await fetch(`${url}/admin`);
        assert.deepEqual([service, answer.status], [service, 200]);
      }
      assert.ok(world.deviceCode.length > 0);
    });
  });
}

describePages("behind one port", async () => {
  const [port = 0] = await findFreePorts(1);
  const programs = await createPrograms();
  const origin = `http://localhost:${port}`;
  const program = programs.run({
    ADMIN_TOKEN,
    LOG_LEVEL: "warn",
    SHOP_DEMO: "1",
    GATEWAY_PORT: String(port),
    PUBLIC_URL: `${origin}/status`,
    AUTH_PUBLIC_URL: `${origin}/accounts`,
    SHOP_PUBLIC_URL: `${origin}/shop`,
    MONITOR_PORT: "off",
    SHOP_PORT: "off",
    AUTH_PORT: "off",
  });
  await program.find(/gateway +http/u);
  const places = { monitor: `${origin}/status`, auth: `${origin}/accounts`, shop: `${origin}/shop` };
  return { programs, places };
});

let proxy: StrippingProxy | undefined;
describePages("behind a proxy that takes it off", async () => {
  const [monitor = 0, auth = 0, shop = 0] = await findFreePorts(3);
  proxy = await startStrippingProxy({ status: monitor, accounts: auth, shop });
  const origin = `http://localhost:${proxy.port}`;
  const programs = await createPrograms();
  const program = programs.run({
    ADMIN_TOKEN,
    LOG_LEVEL: "warn",
    SHOP_DEMO: "1",
    TRUSTED_PROXIES: "127.0.0.1,::1",
    PUBLIC_URL: `${origin}/status`,
    AUTH_PUBLIC_URL: `${origin}/accounts`,
    SHOP_PUBLIC_URL: `${origin}/shop`,
    MONITOR_PORT: String(monitor),
    AUTH_PORT: String(auth),
    SHOP_PORT: String(shop),
  });
  await program.find(/shop {5}http/u);
  const places = { monitor: `${origin}/status`, auth: `${origin}/accounts`, shop: `${origin}/shop` };
  return { programs, places };
});
after(() => proxy?.close());
