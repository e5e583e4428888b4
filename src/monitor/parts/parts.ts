/** The parts of all servers: taken from reports, listed, charted. */
import { AppError } from "../../kit/errors.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { Store } from "../../store/store.ts";
import {
  type PartKindName,
  type PartReading,
  listPartMetrics,
  partKindNames,
  partKindOf,
  partSource,
  readParts,
} from "../base/part-metrics.ts";
import type { ChartedReport } from "../base/report-schema.ts";
import type { SettingsFields } from "../base/schema.ts";
import type { KeyedServer } from "../base/server-key.ts";
import { type LeftOut, type Part, PartBook, toSeriesName } from "./part-book.ts";
import type { PartHistory } from "./part-history.ts";
import { serverParts } from "./records.ts";

/** Parts of a server are taken from its reports this often; what comes with details, whenever it comes. */
const EVERY_MS = 10_000;
/** Servers whose parts one transaction stores. */
const BATCH = 50;

export interface PartsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly history: PartHistory;
}

export interface PartQuestion {
  readonly kind: PartKindName;
  readonly name: string;
  readonly metrics: readonly string[];
  /** Epoch ms, inclusive. */
  readonly from: number;
  /** Epoch ms, exclusive. */
  readonly to: number;
  readonly points: number;
}

export class Parts {
  readonly #deps: PartsDeps;
  readonly #books = new Map<string, PartBook>();
  /** Whether parts are taken from reports. */
  #isOn = true;

  constructor(deps: PartsDeps) {
    this.#deps = deps;
  }

  /** Learns which parts a server has; before it, none is taken from its reports. */
  async open(server: KeyedServer): Promise<void> {
    await this.#find(server);
  }

  /** Part readings of a report, unless the stored ones are recent enough. `at`: time of collection, epoch ms. */
  read(serverId: string, report: ChartedReport, at: number): readonly PartReading[] | undefined {
    const book = this.#isOn ? this.#books.get(serverId) : undefined;
    if (book === undefined) return undefined;
    const isDue = Math.abs(at - book.takenAt) >= EVERY_MS;
    const { details } = report;
    if (!isDue && details === undefined) return undefined;
    if (isDue) book.takenAt = at;
    const readings: PartReading[] = [];
    for (const kind of partKindNames)
      if (partKindOf(kind).isDetail ? details !== undefined : isDue)
        readings.push(...(readParts(report, kind) ?? []));
    return readings.length === 0 ? undefined : readings;
  }

  /** Counts what {@link read} gave, once its report is stored. */
  insert(serverId: string, readings: readonly PartReading[], at: number): void {
    const book = this.#books.get(serverId);
    if (book === undefined) return;
    const { clock, history } = this.#deps;
    const now = clock.now();
    for (const reading of readings) {
      const part = book.take(reading, Math.min(at, now), now);
      if (part !== undefined) history.add(part.seriesId, at, reading.values);
    }
  }

  /** The parts of a server by kind and name, and what of it has no history. */
  async list(server: KeyedServer): Promise<{ parts: readonly Part[]; leftOut: readonly LeftOut[] }> {
    const book = await this.#find(server);
    const parts = [...book.list()].sort(
      (a, b) => partKindNames.indexOf(a.kind) - partKindNames.indexOf(b.kind) || (a.name < b.name ? -1 : 1),
    );
    return { parts, leftOut: book.leftOut(this.#deps.clock.now()) };
  }

  /**
   * One series a metric, in the order asked.
   * @throws AppError `not_found` of a part that the server does not have, `invalid` of a metric that the kind has not
   */
  async query(server: KeyedServer, { kind, name, metrics, ...range }: PartQuestion) {
    const part = (await this.#find(server)).find(kind, name);
    if (part === undefined) throw new AppError("not_found", `The server has no ${kind} "${name}"`);
    const sources = metrics.map((metric) => {
      const source = partSource(kind, metric);
      if (source === undefined) {
        const known = listPartMetrics(kind).map((one) => one.metric);
        throw new AppError(
          "invalid",
          `"${metric}" is not a metric of a ${kind}. Use one of ${known.join(", ")}`,
        );
      }
      return source;
    });
    if (!(range.to > range.from))
      return metrics.map((metric) => ({ metric, tier: "1m", stepMs: 0, points: [] }));
    const { seriesId, since } = part;
    const found = await this.#deps.history.query({ seriesId, sources, since, ...range });
    return found.map((series, at) => ({ metric: metrics[at] ?? "", ...series }));
  }

  /** Forgets a server that was deleted. */
  drop(serverId: string, { createdAt }: { readonly createdAt: number }): void {
    const { store, history, log } = this.#deps;
    const server = { id: serverId, createdAt };
    const forget = async (): Promise<void> => {
      const book = await this.#find(server);
      this.#books.delete(serverId);
      await history.drop(server, book.list().map(toSeriesName));
      await store.transact(async (tx) => {
        const stored = await tx.get(serverParts, serverId);
        if (stored?.createdAt === createdAt) await tx.remove(serverParts, serverId);
      });
    };
    forget().catch((error: unknown) => {
      log.warn("The parts of a deleted server could not be removed", { server: serverId, error });
    });
  }

  /** Applies the current settings. */
  take({ retention, partHistory }: Pick<SettingsFields, "retention" | "partHistory">): void {
    this.#isOn = partHistory;
    this.#deps.history.retain(retention);
  }

  /** What the history of parts takes on disk, in bytes; estimated for the servers that reported since the start. */
  diskUse(): ReturnType<PartHistory["diskUse"]> {
    let count = 0;
    for (const book of this.#books.values()) count += book.list().length;
    return this.#deps.history.diskUse(count);
  }

  /** Stores which parts there are, and their history when that is due; call it every half minute or so. */
  async maintain(): Promise<void> {
    await this.#save();
    await this.#deps.history.maintain();
  }

  /** Stores all that is not stored yet. */
  async close(): Promise<void> {
    try {
      await this.#save();
      await this.#deps.history.flush();
    } catch (error) {
      this.#deps.log.warn("The parts of servers could not be stored", { error });
    }
  }

  async #save(): Promise<void> {
    const changed = [...this.#books.values()].filter(({ isChanged }) => isChanged);
    for (let from = 0; from < changed.length; from += BATCH)
      await this.#saveSome(changed.slice(from, from + BATCH));
  }

  async #saveSome(books: readonly PartBook[]): Promise<void> {
    const records = books.map((book) => ({
      id: book.serverId,
      createdAt: book.createdAt,
      parts: book.toStored(),
    }));
    try {
      const stored = await this.#deps.store.transact(async (tx) => {
        const versions: number[] = [];
        for (const record of records) {
          const before = await tx.get(serverParts, record.id);
          const after =
            before === undefined
              ? await tx.insert(serverParts, record)
              : await tx.put(serverParts, { ...record, version: before.version });
          versions.push(after.version);
        }
        return versions;
      });
      books.forEach((book, at) => (book.version = stored[at] ?? book.version));
    } catch (error) {
      for (const book of books) book.isChanged = true;
      throw error;
    }
  }

  /** The parts as the store has them, where another process knows more than this one. */
  async #find(server: KeyedServer): Promise<PartBook> {
    const record = await this.#deps.store.read((tx) => tx.get(serverParts, server.id));
    const stored =
      record?.createdAt === server.createdAt ? record : { version: record?.version ?? 0, parts: [] };
    const known = this.#books.get(server.id);
    if (known?.createdAt === server.createdAt && (known.isChanged || known.version >= stored.version))
      return known;
    const book = new PartBook(server, stored);
    this.#books.set(server.id, book);
    return book;
  }
}
