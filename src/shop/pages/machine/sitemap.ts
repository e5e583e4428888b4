/** Lists of pages for search engines: https://www.sitemaps.org/protocol.html. */
import { escapeHtml } from "../../../kit/text/html.ts";
import type { PageAddress } from "./page-urls.ts";

/** Addresses of one list at most, by the protocol. */
export const MAX_ADDRESSES = 50_000;

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>\n`;
const SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** A list; `origin` is the shop's own address without a slash at its end. */
export function toSitemap(addresses: readonly PageAddress[], origin: string): string {
  const lines = addresses.map(({ path, changedMs }) => {
    const changed = changedMs === undefined ? "" : `<lastmod>${new Date(changedMs).toISOString()}</lastmod>`;
    return `<url><loc>${escapeHtml(origin + path)}</loc>${changed}</url>`;
  });
  return `${HEAD}<urlset xmlns="${SCHEMA}">\n${lines.join("\n")}\n</urlset>\n`;
}

/** The list of lists for so many addresses. */
export function toSitemapIndex(count: number, origin: string): string {
  const parts = Array.from(
    { length: Math.ceil(count / MAX_ADDRESSES) },
    (_, at) => `<sitemap><loc>${escapeHtml(`${origin}/sitemaps/${at + 1}.xml`)}</loc></sitemap>`,
  );
  return `${HEAD}<sitemapindex xmlns="${SCHEMA}">\n${parts.join("\n")}\n</sitemapindex>\n`;
}
