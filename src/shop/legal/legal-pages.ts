/** Pages in a language, and which version of them there is. */
import { AppError } from "../../kit/errors.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { pageVersions } from "./records.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Page, PageVersion } from "./schema.ts";

/** Versions of one page that are kept at least. */
const MAX_VERSIONS = 200;

/** A page as shown to a reader. */
export interface ShownPage {
  readonly slug: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  readonly html: string;
  readonly language: string;
  readonly pageVersion: number;
  readonly changedAt?: number | undefined;
}

type Words = Pick<Page, "title" | "body" | "translations">;

/** The words of a page in a language: its own tag, the same language elsewhere ("de" for "de-AT"), else the page's own. */
export function findWords(
  page: Words,
  { wanted, own }: { wanted: string | undefined; own: string },
): { readonly title: string; readonly body: string; readonly language: string } {
  const all = Object.entries(page.translations ?? {});
  const base = wanted?.split("-")[0];
  const isOwn = wanted === undefined || wanted === own || own.split("-")[0] === base;
  const exact = all.find(([tag]) => tag === wanted);
  const found = exact ?? (isOwn ? undefined : all.find(([tag]) => tag.split("-")[0] === base));
  if (found === undefined) return { title: page.title, body: page.body, language: own };
  const [language, { title, body }] = found;
  return { title, body, language };
}

/** A page by its slug, in a language. @throws AppError `not_found` */
export function getPage(
  { pages, languages }: { readonly pages: readonly Page[]; readonly languages: readonly string[] },
  slug: string,
  language?: string,
): ShownPage {
  const page = pages.find((candidate) => candidate.slug === slug);
  if (page === undefined) throw new AppError("not_found", `The page "${slug}" does not exist`);
  const words = findWords(page, { wanted: language, own: languages[0] ?? "en" });
  const { pageVersion = 1, changedAt } = page;
  return { slug, ...words, html: renderMarkdown(words.body), pageVersion, changedAt };
}

/** Which version of a page there is; undefined without the page. */
export function findPageVersion(pages: readonly Page[], slug: string): number | undefined {
  const page = pages.find((candidate) => candidate.slug === slug);
  return page === undefined ? undefined : (page.pageVersion ?? 1);
}

function isSame(a: Words, b: Words): boolean {
  const toText = ({ title, body, translations = {} }: Words): string =>
    JSON.stringify([title, body, Object.entries(translations).sort(([x], [y]) => (x < y ? -1 : 1))]);
  return toText(a) === toText(b);
}

/** Keeps the words of a version, once. */
async function keepVersion(tx: Tx, page: Page, { pageVersion, atMs }: { pageVersion: number; atMs: number }) {
  const { slug, title, body, translations } = page;
  const id = `${slug} ${pageVersion}`;
  if ((await tx.get(pageVersions, id)) !== undefined) return;
  await tx.insert(pageVersions, { id, slug, pageVersion, at: atMs, title, body, translations });
  const { items } = await tx.list(pageVersions, "byPage", { prefix: [slug], limit: MAX_VERSIONS + 1 });
  if (items.length > MAX_VERSIONS && items[0] !== undefined) await tx.remove(pageVersions, items[0].id);
}

/**
 * Numbers and dates the pages whose words a change of the settings changed, and keeps the words of each version;
 * what a request says of either is left aside. A page that was removed and comes back goes on counting.
 */
export async function stampPages(
  tx: Tx,
  { before, after, clock }: { before: readonly Page[]; after: readonly Page[]; clock: Pick<Clock, "now"> },
): Promise<Page[]> {
  const stamped: Page[] = [];
  for (const page of after) {
    const old = before.find(({ slug }) => slug === page.slug);
    if (old !== undefined && isSame(old, page)) {
      stamped.push({ ...page, pageVersion: old.pageVersion, changedAt: old.changedAt });
      continue;
    }
    // Of a page from before there were versions, so that an order that names it finds its words.
    if (old !== undefined)
      await keepVersion(tx, old, { pageVersion: old.pageVersion ?? 1, atMs: old.changedAt ?? 0 });
    const { items } = await tx.list(pageVersions, "byPage", { prefix: [page.slug], limit: 1, reverse: true });
    const pageVersion = (items[0]?.pageVersion ?? 0) + 1;
    const changedAt = clock.now();
    await keepVersion(tx, page, { pageVersion, atMs: changedAt });
    stamped.push({ ...page, pageVersion, changedAt });
  }
  return stamped;
}

/** A page as it was in a version that an order names. @throws AppError `not_found` for one that is not kept */
export async function readPageVersion(
  tx: ReadTx,
  site: { readonly pages: readonly Page[]; readonly languages: readonly string[] },
  {
    slug,
    pageVersion,
    language,
  }: Pick<PageVersion, "slug" | "pageVersion"> & { language?: string | undefined },
): Promise<ShownPage> {
  // One from before there were versions is kept with its first change.
  if (findPageVersion(site.pages, slug) === pageVersion) return getPage(site, slug, language);
  const found = await tx.get(pageVersions, `${slug} ${pageVersion}`);
  if (found === undefined)
    throw new AppError("not_found", `Version ${pageVersion} of the page "${slug}" does not exist`);
  const words = findWords(found, { wanted: language, own: site.languages[0] ?? "en" });
  return { slug, ...words, html: renderMarkdown(words.body), pageVersion, changedAt: found.at };
}
