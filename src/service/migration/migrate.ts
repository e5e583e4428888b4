/** Moves the records of services from one place to another, and compares both sides. */
import { type Content, type Summary, countRecords, findDifferences, summarizeContent } from "./content.ts";
import type { Place, StoreName } from "./place.ts";

/** What became of one service's store. */
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

async function migrateStore(store: StoreName, content: Content, options: MigrateOptions): Promise<Migrated> {
  const { to, replace } = options;
  const service = store.name;
  const summary = summarizeContent(content);
  const present = await to.read(store);
  const there = summarizeContent(present ?? new Map());
  if (present !== undefined && findDifferences(summary, there).length === 0)
    return { service, state: "already the same", summary };
  if (countRecords(there) > 0 && !replace) {
    throw new Error(
      `${to.label} holds ${countRecords(there)} other records of the ${service} (the source has ${countRecords(summary)}): nothing was changed. Choose an empty target, or add --replace`,
    );
  }
  const keptIn = await to.write(store, content);
  const back = summarizeContent((await to.read(store)) ?? new Map());
  const different = findDifferences(summary, back);
  if (different.length > 0) {
    const sides = different.map(
      (name) => `"${name}" (${toText(summary, name)}; there ${toText(back, name)})`,
    );
    throw new Error(
      `What was read back from ${to.label} differs in ${sides.join(", ")}: do not use it. The source is unchanged; run it again with --replace`,
    );
  }
  return { service, state: "moved", summary, keptIn };
}

/**
 * Moves every service's records and compares both sides afterwards.
 * @throws Error when the source holds nothing, a side is in use, the target holds other records, or the sides differ
 */
export async function migrate(options: MigrateOptions): Promise<Migrated[]> {
  const { from, services } = options;
  // All of the source is read before anything is written.
  const contents: (Content | undefined)[] = [];
  for (const store of services) contents.push(await from.read(store));
  if (contents.every((content) => content === undefined))
    throw new Error(`${from.label} holds no records of Trivet`);
  const results: Migrated[] = [];
  for (const [at, store] of services.entries()) {
    const content = contents[at];
    if (content === undefined)
      results.push({ service: store.name, state: "not in the source", summary: new Map() });
    else results.push(await migrateStore(store, content, options));
  }
  return results;
}
