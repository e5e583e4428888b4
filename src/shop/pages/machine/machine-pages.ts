/** The storefront for programs: its sitemap, a feed of new products, and robots.txt. */
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../../kit/http/app.ts";
import { AppError } from "../../../kit/errors.ts";
import { isKnownTag } from "../../../kit/http/etag.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { hashText } from "../../catalogue/text-hash.ts";
import { toFeed } from "./feed.ts";
import { MAX_ADDRESSES, toSitemap, toSitemapIndex } from "./sitemap.ts";
import { type PageAddress, listAddresses } from "./page-urls.ts";

/** Without content for search engines, or personal. */
const LEFT_ALONE = [
  "/admin",
  "/api/",
  "/cart",
  "/checkout",
  "/demo-pay/",
  "/find-order",
  "/orders",
  "/search",
  "/sign-in",
  "/wishlist",
  "/withdraw",
];

interface MachineParts {
  readonly catalogue: Catalogue;
  readonly publicUrl: string;
}

/** Keeps what was made until the catalogue changes, one of each name. */
function createKept<T>(catalogue: Pick<Catalogue, "revision">): (name: string, make: () => T) => T {
  const kept = new Map<string, T>();
  let madeFor: number | undefined;
  return (name, make) => {
    if (madeFor !== catalogue.revision()) kept.clear();
    madeFor = catalogue.revision();
    const known = kept.get(name);
    if (known !== undefined) return known;
    const made = make();
    // By any requested host name.
    if (kept.size > 20) kept.clear();
    kept.set(name, made);
    return made;
  };
}

function toRobots(origin: string): string {
  const { pathname } = new URL(origin);
  const base = pathname === "/" ? "" : pathname;
  const lines = LEFT_ALONE.map((path) => `Disallow: ${base}${path}`);
  return [
    "User-agent: *",
    `Allow: ${base}/api/images/`,
    ...lines,
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ].join("\n");
}

/** Adds /sitemap.xml with its parts, /feed.xml and /robots.txt. */
export function addMachinePages(app: ServiceApp, { catalogue, publicUrl }: MachineParts): void {
  const keepAddresses = createKept<readonly PageAddress[]>(catalogue);
  const keepText = createKept<string>(catalogue);
  const toOrigin = (c: Context<AppEnv>): string => publicUrl || new URL(c.req.url).origin;

  function send(c: Context<AppEnv>, text: string, type: string): Response {
    const headers = { etag: `"${hashText(text)}"`, "cache-control": "public, max-age=300" };
    if (isKnownTag(c.req.header("if-none-match"), headers.etag)) return c.body(null, 304, headers);
    return c.body(text, 200, { ...headers, "content-type": `${type}; charset=utf-8` });
  }

  app.get("/sitemap.xml", (c) => {
    const origin = toOrigin(c);
    const addresses = keepAddresses("all", () => listAddresses(catalogue));
    const make = (): string =>
      addresses.length > MAX_ADDRESSES
        ? toSitemapIndex(addresses.length, origin)
        : toSitemap(addresses, origin);
    return send(c, keepText(`sitemap ${origin}`, make), "application/xml");
  });
  app.get("/sitemaps/:part", (c) => {
    const number = Number(/^([1-9]\d{0,4})\.xml$/u.exec(c.req.param("part"))?.[1] ?? Number.NaN);
    const addresses = keepAddresses("all", () => listAddresses(catalogue));
    const part = addresses.slice((number - 1) * MAX_ADDRESSES, number * MAX_ADDRESSES);
    if (part.length === 0) throw new AppError("not_found", "This part of the sitemap does not exist");
    return send(c, toSitemap(part, toOrigin(c)), "application/xml");
  });
  app.get("/feed.xml", (c) => {
    const origin = toOrigin(c);
    return send(
      c,
      keepText(`feed ${origin}`, () => toFeed(catalogue, origin)),
      "application/atom+xml",
    );
  });
  app.get("/robots.txt", (c) => send(c, toRobots(toOrigin(c)), "text/plain"));
}
