/** The feed of a page (RFC 4287): one entry an update, so that readers who know an entry by its id hear of each. */
import { escapeHtml } from "../../../kit/text/html.ts";
import type { IncidentUpdate, PostRecord, StatusPageRecord } from "../schema.ts";
import { statusTexts } from "../status-texts.ts";

/** Entries at most, the newest. */
const MAX_ENTRIES = 100;
/** Characters that XML 1.0 forbids. */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** The source of a feed. */
export interface FeedSource {
  readonly page: StatusPageRecord;
  /** Published ones, in any order. */
  readonly posts: readonly PostRecord[];
  /** Where the page is, without a slash at its end. */
  readonly pageUrl: string;
}

function escapeXml(text: string): string {
  return escapeHtml(text.replaceAll(NOT_IN_XML, ""));
}

/** Times as RFC 3339 has them. */
function toTime(at: number): string {
  return new Date(at).toISOString();
}

function toHtml({ page, posts: _, pageUrl: __ }: FeedSource, update: IncidentUpdate): string {
  const t = statusTexts(page.language);
  const names = new Map(page.components.map(({ id, name }) => [id, name]));
  const rows = Object.entries(update.components).flatMap(([id, status]) => {
    const name = names.get(id);
    return name === undefined ? [] : [`<li>${escapeHtml(name)}: ${escapeHtml(t(`status.${status}`))}</li>`];
  });
  const parts = update.text.split(/\n{2,}/u).filter((part) => part.trim() !== "");
  const paragraphs = parts.map((part) => `<p>${escapeHtml(part).replaceAll("\n", "<br>")}</p>`);
  return `${paragraphs.join("")}${rows.length === 0 ? "" : `<ul>${rows.join("")}</ul>`}`;
}

function toEntry(source: FeedSource, { post, update }: { post: PostRecord; update: IncidentUpdate }): string {
  const step = statusTexts(source.page.language)(`step.${update.step}`);
  const url = `${source.pageUrl}/incidents/${post.id}`;
  return [
    `<entry><id>urn:trivet:${post.id}:${update.id}</id>`,
    `<title>${escapeXml(`${post.title} — ${step}`)}</title>`,
    `<published>${toTime(update.at)}</published><updated>${toTime(update.at)}</updated>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>`,
    `<category term="${post.type}"/>`,
    `<content type="html">${escapeXml(toHtml(source, update))}</content></entry>`,
  ].join("");
}

/** The feed as a document. */
export function toAtom(source: FeedSource): string {
  const { page, posts, pageUrl } = source;
  const entries = posts
    .flatMap((post) => (post.state === "draft" ? [] : post.updates.map((update) => ({ post, update }))))
    .toSorted((a, b) => b.update.at - a.update.at || (a.update.id < b.update.id ? 1 : -1))
    .slice(0, MAX_ENTRIES);
  const updated = Math.max(page.createdAt, ...entries.map(({ update }) => update.at));
  return [
    `<?xml version="1.0" encoding="utf-8"?>`,
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${page.language}">`,
    `<id>urn:trivet:${page.id}</id><title>${escapeXml(page.title)}</title>`,
    page.description === "" ? "" : `<subtitle>${escapeXml(page.description)}</subtitle>`,
    `<updated>${toTime(updated)}</updated><author><name>${escapeXml(page.title)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(`${pageUrl}/feed.atom`)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(pageUrl)}"/>`,
    ...entries.map((entry) => toEntry(source, entry)),
    `</feed>\n`,
  ].join("\n");
}
