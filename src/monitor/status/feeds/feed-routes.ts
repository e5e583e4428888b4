/** The feeds of pages, made from what is in memory and kept until something of it is another. */
import { createEntityTag } from "../../../kit/http/etag.ts";
import type { ShownPage } from "../board.ts";
import { toAtom } from "./atom.ts";
import { toCalendar } from "./calendar.ts";

const HOUR_MS = 3_600_000;

export type FeedKind = "atom" | "calendar";

/** A feed as it is answered. */
export interface MadeFeed {
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

/** Makes what gives feeds; at most one of each kind is kept for a page. */
export function createFeeds(now: () => number) {
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
