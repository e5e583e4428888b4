/** The feeds of pages, made from what is in memory and kept until something of it is another. */
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../../kit/http/app.ts";
import { createEntityTag, isKnownTag } from "../../../kit/http/etag.ts";
import type { PublicAddress } from "../../base/public-url.ts";
import type { ShownPage } from "../board.ts";
import { findPageUrl } from "../followers/links.ts";
import { toAtom } from "./atom.ts";
import { toCalendar } from "./calendar.ts";

const HOUR_MS = 3_600_000;

type FeedKind = "atom" | "calendar";

/** A feed as it is answered. */
interface MadeFeed {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

interface KeptFeed extends Pick<ShownPage, "record" | "open" | "ended"> {
  readonly pageUrl: string;
  readonly hour: number;
  readonly made: Promise<MadeFeed>;
}

async function make(text: string): Promise<MadeFeed> {
  const body = new TextEncoder().encode(text);
  return { body, etag: await createEntityTag(body) };
}

/** Creates what gives feeds; at most one of each kind is kept for a page. */
function createFeeds(now: () => number) {
  const kept = new Map<string, KeptFeed>();
  return (kind: FeedKind, { record, open, ended }: ShownPage, pageUrl: string): Promise<MadeFeed> => {
    const key = `${kind} ${record.id}`;
    const before = kept.get(key);
    // The calendar forgets what is long over.
    const hour = Math.floor(now() / HOUR_MS);
    if (
      before?.record === record &&
      before.open === open &&
      before.ended === ended &&
      before.pageUrl === pageUrl &&
      before.hour === hour
    )
      return before.made;
    const source = { page: record, posts: [...open, ...ended], pageUrl };
    const made = make(kind === "atom" ? toAtom(source) : toCalendar(source, now()));
    kept.set(key, { record, open, ended, pageUrl, hour, made });
    return made;
  };
}

const feeds = [
  { kind: "atom", path: "/status/:slug/feed.atom", type: "application/atom+xml; charset=utf-8" },
  { kind: "calendar", path: "/status/:slug/maintenance.ics", type: "text/calendar; charset=utf-8" },
] as const;

/** Adds the addresses of both feeds. */
export function addFeeds(
  app: ServiceApp,
  parts: {
    readonly getPage: (c: Context<AppEnv>) => ShownPage;
    /** An answer for those who may not look. */
    readonly pass: (c: Context<AppEnv>, page: ShownPage) => Promise<Response | undefined>;
    readonly address: PublicAddress;
    readonly now: () => number;
  },
): void {
  const { getPage, pass, address, now } = parts;
  const find = createFeeds(now);
  for (const { kind, path, type } of feeds) {
    app.get(path, async (c) => {
      const page = getPage(c);
      const refused = await pass(c, page);
      if (refused !== undefined) return refused;
      const { access, published, slug } = page.record;
      const pageUrl = findPageUrl(address, page.record) ?? `${address.toUrl(c.req.url)}/status/${slug}`;
      const { body, etag } = await find(kind, page, pageUrl);
      const isOpen = access === "public" && published;
      const headers = { etag, "cache-control": isOpen ? "public, max-age=60" : "private, no-cache" };
      if (isKnownTag(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
      return c.body(body, 200, { ...headers, "content-type": type });
    });
  }
}
