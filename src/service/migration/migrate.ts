/** Moves the records of services from one place to another, and compares both sides. */
import { type Content, type Summary, countRecords, findDifferences, summarizeContent } from "./content.ts";
import type { Place, StoreName } from "./place.ts";

/** The result for one service's store. */
export interface Migrated {
  readonly service: string;
  readonly state: "moved" | "already the same" | "not in the source";
  readonly summary: Summary;
  /** Where the target's former files are kept. */
  readonly keptIn?: string;
}

export interface MigrateOptions {
  readonly from: Place;
  readonly to: Place;
  readonly replace: boolean;
  readonly services: readonly StoreName[];
}

function toText(summary: Summary, collection: string): string {
  const { records = 0, versions = 0, hash = "nothing" } = summary.get(collection) ?? {};
  return `${records} records, versions ${versions}, content ${hash.slice(0, 12)}`;
}

/** The contents of a service's store; undefined if there never was one. */
async function summarizePlace(place: Place, store: StoreName): Promise<Summary | undefined> {
  const content = await place.open(store);
  try {
    return content && (await summarizeContent(content, store.collections));
  } finally {
    await content?.close();
  }
}

/** One service's store in the source. */
interface Source {
  readonly store: StoreName;
  readonly content: Content;
  readonly summary: Summary;
}

async function migrateStore({ store, content, summary }: Source, options: MigrateOptions): Promise<Migrated> {
  const { to, replace } = options;
  const service = store.name;
  const present = await summarizePlace(to, store);
  const there = present ?? new Map();
  if (present !== undefined && findDifferences(summary, there).length === 0)
    return { service, state: "already the same", summary };
  if (countRecords(there) > 0 && !replace) {
    throw new Error(
      `${to.label} already contains ${countRecords(there)} other records of the ${service} (the source has ${countRecords(summary)}). Nothing was changed. Choose an empty target, or add --replace`,
    );
  }
  const keptIn = await to.write(store, content);
  const back = (await summarizePlace(to, store)) ?? new Map();
  const different = findDifferences(summary, back);
  if (different.length > 0) {
    const sides = different.map(
      (name) => `"${name}" (${toText(summary, name)}; there ${toText(back, name)})`,
    );
    throw new Error(
      `The copy in ${to.label} differs in ${sides.join(", ")}. Do not use it. The source is unchanged. Run the command again with --replace`,
    );
  }
  return { service, state: "moved", summary, keptIn };
}

/**
 * Moves every service's records and compares both sides afterwards. The source is held meanwhile.
 * @throws Error when the source holds nothing, a side is in use, the target holds other records, or the sides differ
 */
export async function migrate(options: MigrateOptions): Promise<Migrated[]> {
  const { from, services } = options;
  const opened: Content[] = [];
  try {
    // All of the source is read before anything is written.
    const sources = new Map<string, Source>();
    for (const store of services) {
      const content = await from.open(store);
      if (content === undefined) continue;
      opened.push(content);
      sources.set(store.name, {
        store,
        content,
        summary: await summarizeContent(content, store.collections),
      });
    }
    if (sources.size === 0) throw new Error(`${from.label} does not contain records of Trivet`);
    const results: Migrated[] = [];
    for (const { name } of services) {
      const source = sources.get(name);
      results.push(
        source === undefined
          ? { service: name, state: "not in the source", summary: new Map() }
          : await migrateStore(source, options),
      );
    }
    return results;
  } finally {
    for (const content of opened) await content.close();
  }
}
