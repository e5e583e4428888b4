/**
 * What status pages show, in memory: pages, posts, and states of components. Read for each request; nothing here waits
 * for the store, so pages work without it.
 */
import type { Clock } from "../../kit/time/clock.ts";
import { type ReadTx, type Store } from "../../store/store.ts";
import { type Indicator, type ShownStatus, toComponentStatus, toIndicator } from "./component-status.ts";
import { listPages } from "./status-pages.ts";
import { posts } from "./records.ts";
import type { Component, PostRecord, StatusPageRecord } from "./schema.ts";

/** Newest posts of a page that are kept in memory beside those that are open: more than the days that bars show have. */
const KEPT_POSTS = 400;
const OPEN_POSTS = 100;
/** However many checks flap, statuses are looked up so often at most. */
const LOOK_MS = 1_000;

/** A component as people see it. */
export interface ShownComponent extends Component {
  readonly id: string;
  readonly status: ShownStatus;
}

/** A page as people see it at one moment. */
export interface ShownPage {
  readonly record: StatusPageRecord;
  readonly components: readonly ShownComponent[];
  readonly indicator: Indicator;
  /** Open incidents, and maintenance that is planned or under way; the newest first. */
  readonly open: readonly PostRecord[];
  /** Posts that have ended, the newest first. */
  readonly ended: readonly PostRecord[];
  /** Whether older posts are in the store alone. */
  readonly isCut: boolean;
  /** Grows with each change of what is shown. */
  readonly revision: number;
}

export interface BoardDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** The current status of a component's source. */
  readonly readSource: (component: Component) => ShownStatus;
  /** Whether the monitor's planned maintenance covers a component now. */
  readonly isInMaintenance: (component: Component) => boolean;
}

type KeptPage = Pick<ShownPage, "record" | "open" | "ended" | "isCut">;

/** A page with what was found when it was looked at last. */
interface Looked {
  readonly kept: KeptPage;
  readonly atMs: number;
  readonly shown: ShownPage;
}

/** Records of a page as they are read from the store. */
async function readPage(tx: ReadTx, record: StatusPageRecord): Promise<KeptPage> {
  const newest = { limit: KEPT_POSTS, reverse: true };
  const { items } = await tx.list(posts, "byState", {
    ...newest,
    limit: OPEN_POSTS,
    prefix: [record.id, "open"],
  });
  const ended = await tx.list(posts, "byState", { ...newest, prefix: [record.id, "ended"] });
  return { record, open: items, ended: ended.items, isCut: ended.nextCursor !== undefined };
}

function isSame(a: KeptPage, b: KeptPage): boolean {
  const toVersions = ({ record, open, ended }: KeptPage): string =>
    [record, ...open, ...ended].map(({ id, version }) => `${id}.${version}`).join(" ");
  return toVersions(a) === toVersions(b);
}

export function createBoard({ store, clock, readSource, isInMaintenance }: BoardDeps) {
  let pages: readonly KeptPage[] = [];
  let bySlug = new Map<string, KeptPage>();
  let byHost = new Map<string, KeptPage>();
  const looked = new Map<string, Looked>();

  function look(kept: KeptPage): ShownPage {
    const { record, open } = kept;
    const before = looked.get(record.id);
    const nowMs = clock.monotonic();
    if (before?.kept === kept && nowMs - before.atMs < LOOK_MS) return before.shown;
    const components = record.components.map((component): ShownComponent => {
      // Each got one when it was stored.
      const { id = "" } = component;
      const source = readSource(component);
      const status = toComponentStatus(id, { source, isInMaintenance: isInMaintenance(component), open });
      return { ...component, id, status };
    });
    const statuses = components.map(({ status }) => status);
    const isUnchanged =
      before?.kept === kept && before.shown.components.every(({ status }, at) => status === statuses[at]);
    const shown = isUnchanged
      ? before.shown
      : {
          ...kept,
          components,
          indicator: toIndicator(statuses, open),
          revision: (before?.shown.revision ?? 0) + 1,
        };
    looked.set(record.id, { kept, atMs: nowMs, shown });
    return shown;
  }

  const show = (kept: KeptPage | undefined): ShownPage | undefined => kept && look(kept);

  return {
    /** Reloads stored pages and posts. Throws what the store throws, and keeps what it has. */
    reload: async (): Promise<void> => {
      const read = await store.read(async (tx) => {
        const records = await listPages(tx);
        return Promise.all(records.map((record) => readPage(tx, record)));
      });
      const known = new Map(pages.map((page) => [page.record.id, page]));
      pages = read.map((page) => {
        const before = known.get(page.record.id);
        return before !== undefined && isSame(before, page) ? before : page;
      });
      bySlug = new Map(pages.map((page) => [page.record.slug, page]));
      byHost = new Map(pages.flatMap((page) => (page.record.host === "" ? [] : [[page.record.host, page]])));
      for (const id of looked.keys()) if (!pages.some(({ record }) => record.id === id)) looked.delete(id);
    },
    /** Records of all pages, the oldest first. */
    records: (): readonly StatusPageRecord[] => pages.map(({ record }) => record),
    /** Whether any page has its own host. */
    get hasHosts(): boolean {
      return byHost.size > 0;
    },
    /** The slug of the page on a host, in lowercase and without a port. */
    findSlugOfHost: (host: string): string | undefined => byHost.get(host)?.record.slug,
    /** The page at /status: the oldest that is published. */
    first: (): ShownPage | undefined => show(pages.find(({ record }) => record.published)),
    /** Any page, also one that is not published. */
    find: (slug: string): ShownPage | undefined => show(bySlug.get(slug)),
    findById: (id: string): ShownPage | undefined => show(pages.find(({ record }) => record.id === id)),
  };
}

export type Board = ReturnType<typeof createBoard>;
