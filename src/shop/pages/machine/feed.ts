/** New products as an Atom feed (RFC 4287), in the shop's first language. */
import { escapeHtml } from "../../../kit/text/html.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { formatAmount } from "../../base/money.ts";
import { toProductPath } from "../../products/slug.ts";

const SHOWN = 50;

/** A text without what XML 1.0 cannot hold. */
function escapeXml(text: string): string {
  return escapeHtml(text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, ""));
}

/** The feed; `origin` is the shop's own address without a slash at its end. */
export function toFeed(catalogue: Pick<Catalogue, "list" | "site">, origin: string): string {
  const { name, languages } = catalogue.site();
  const language = languages[0] ?? "en";
  const { items } = catalogue.list({}, { sort: "newest", limit: SHOWN });
  const toTime = (ms: number): string => new Date(ms).toISOString();
  const entries = items.map(({ product, price, publishedAt }) => {
    const address = escapeXml(origin + toProductPath(product.slug));
    const told = [formatAmount(price, product.currency, language), product.summary].filter(
      (part) => part !== "",
    );
    return [
      "<entry>",
      `<id>urn:trivet:product:${escapeXml(product.id)}</id>`,
      `<title>${escapeXml(product.title)}</title>`,
      `<link href="${address}"/>`,
      `<published>${toTime(publishedAt)}</published>`,
      `<updated>${toTime(Math.max(publishedAt, product.updatedAt))}</updated>`,
      `<summary>${escapeXml(told.join(" – "))}</summary>`,
      "</entry>",
    ].join("");
  });
  const updatedMs = Math.max(
    0,
    ...items.map(({ product, publishedAt }) => Math.max(publishedAt, product.updatedAt)),
  );
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(language)}">`,
    `<id>${escapeXml(`${origin}/`)}</id>`,
    `<title>${escapeXml(name)}</title>`,
    `<author><name>${escapeXml(name)}</name></author>`,
    `<link href="${escapeXml(`${origin}/`)}"/>`,
    `<link rel="self" href="${escapeXml(`${origin}/feed.xml`)}"/>`,
    `<updated>${toTime(updatedMs)}</updated>`,
    ...entries,
    "</feed>",
    "",
  ].join("\n");
}
