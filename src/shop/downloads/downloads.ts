/**
 * Files that go out by links of an order. A download counts once: with the first bytes that a link asks for, and not
 * again for a day, however many ranges, tabs or broken lines it takes.
 */
import { AppError } from "../../kit/errors.ts";
import { toAddressPrefix } from "../../kit/outbound/ip-address.ts";
import { createHeldCounts } from "../../kit/limits/held-counts.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { ShopError } from "../base/errors.ts";
import { readChunks } from "../files/chunks.ts";
import { findGranted, toDownloadsLeft, toGrantState } from "../files/grants.ts";
import { type DownloadLink, readDownloadLink } from "../files/links.ts";
import type { FileGrantRecord, FileVersion, StoredFileRecord } from "../files/schema.ts";
import { withHistory } from "../orders/order.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { fileGrants, storedFiles } from "../files/records.ts";
import { orders } from "../orders/records.ts";

/**
 * How long a counted link goes on answering, so that a large file can be gone on with; once its own hour is over, only
 * in the network where it began.
 */
const WINDOW_MS = 86_400_000;
/** Counted links of one file that are valid at once: more than that means they are shared. */
const MAX_LINKS = 100;
/**
 * Downloads that are under way at once: of one order, and in this process. Each holds a chunk in memory. Once half of
 * all places are taken an order gets few, so that slow readers of some orders leave room for the others.
 */
const MAX_STREAMS_EACH = 8;
const MAX_STREAMS_WHEN_BUSY = 2;
const MAX_STREAMS = 200;
const BUSY_SECONDS = 5;

type Deps = Pick<ShopDeps, "store" | "fileBlobs" | "clock" | "box" | "log">;

/** The target of a link. */
export interface Download {
  readonly link: DownloadLink;
  readonly version: FileVersion;
  readonly stored: StoredFileRecord;
}

interface Found extends Download {
  readonly grant: FileGrantRecord;
  readonly order: OrderRecord;
  readonly isCounted: boolean;
}

function notFound(): AppError {
  return new AppError("not_found", "This download link is invalid. Open the order again to get a new link");
}

/** Throws `download_ended` when the grant has ended, or all its downloads are used. */
function assertRight({ grant, order, link, isCounted }: Found, nowMs: number): void {
  const state = toGrantState(grant, order, nowMs);
  const isUsedUp = !isCounted && toDownloadsLeft(grant, link.fileId) === 0;
  if (state === "usable" && !isUsedUp) return;
  const message =
    state === "expired"
      ? "The download period for this file has ended. Contact the shop"
      : state === "ended"
        ? "This file is no longer available for download. Contact the shop"
        : "The download limit for this file is reached. Contact the shop";
  throw new ShopError("download_ended", message, { details: { state: isUsedUp ? "used_up" : state } });
}

interface Asking {
  readonly nowMs: number;
  /** Keyed hash of the network. */
  readonly network: string;
}

/** The current target of a link. @throws AppError `not_found`, `link_expired`, `download_ended` */
async function find(tx: ReadTx, link: DownloadLink | undefined, { nowMs, network }: Asking): Promise<Found> {
  const granted = link && (await findGranted(tx, link));
  const order = link && (await tx.get(orders, link.orderId));
  const stored = granted && (await tx.get(storedFiles, granted.version.storedId));
  if (link === undefined || granted === undefined || order === undefined || stored === undefined)
    throw notFound();
  const used = granted.grant.used.find(({ fileId }) => fileId === link.fileId);
  const counted = used?.links.find(({ id, until }) => id === link.id && until > nowMs);
  const isThere = counted?.network === undefined || counted.network === network;
  const isCounted = counted !== undefined && (link.untilMs > nowMs || isThere);
  if (link.untilMs <= nowMs && !isCounted)
    throw new ShopError(
      "link_expired",
      "This download link has expired. Links are valid for one hour. Open the order again to get a new one",
    );
  const found = { ...granted, link, order, stored, isCounted };
  assertRight(found, nowMs);
  return found;
}

/** Records a download, once per link; the first of a line appears in the history of its order. */
async function count(
  tx: Tx,
  { grant, order, link, version }: Found,
  { nowMs, network }: Asking,
): Promise<void> {
  const { fileId } = link;
  const used = grant.used.find((each) => each.fileId === fileId);
  const links = (used?.links ?? []).filter(({ until }) => until > nowMs);
  if (links.length >= MAX_LINKS)
    throw new AppError(
      "rate_limited",
      "The daily download limit for this file is reached. Try again tomorrow",
      {
        retryAfterSeconds: Math.ceil(WINDOW_MS / 1_000),
      },
    );
  const next = {
    fileId,
    count: (used?.count ?? 0) + 1,
    firstAt: used?.firstAt ?? nowMs,
    lastAt: nowMs,
    links: [...links, { id: link.id, until: nowMs + WINDOW_MS, network }],
  };
  await tx.put(fileGrants, { ...grant, used: [...grant.used.filter((each) => each !== used), next] });
  if (grant.used.length > 0) return;
  const note = `${version.fileName} (version ${version.number})`;
  await tx.put(orders, withHistory(order, { at: nowMs, by: "buyer", event: "first_download", note }));
}

/** Part of a content as a stream that reads on only as fast as it is taken; `onEnd` is called once, however it ends. */
function toStream(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>, void>,
  onEnd: (error?: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done !== true) {
            controller.enqueue(value);
            return;
          }
          controller.close();
          onEnd();
        } catch (error) {
          // Cut off: fewer bytes came than were promised, and the other side sees it.
          onEnd(error);
          controller.error(error);
        }
      },
      async cancel() {
        await chunks.return();
        onEnd();
      },
    },
    { highWaterMark: 0 },
  );
}

export type Downloads = ReturnType<typeof createDownloads>;

/** Creates the place where files go out. */
export function createDownloads(deps: Deps) {
  const { store, clock, box, log } = deps;
  const held = createHeldCounts();
  const toAsking = (clientAddress: string): Asking => ({
    nowMs: clock.now(),
    network: box.lookup(toAddressPrefix(clientAddress), "download-network"),
  });
  let streams = 0;

  /** Reserves a slot for a stream; the function releases it once. @throws AppError `rate_limited` */
  function takePlace(key: string): () => void {
    const most = streams < MAX_STREAMS / 2 ? MAX_STREAMS_EACH : MAX_STREAMS_WHEN_BUSY;
    if (held.of(key) >= most || streams >= MAX_STREAMS)
      throw new AppError("rate_limited", "Too many downloads are in progress. Try again soon", {
        retryAfterSeconds: BUSY_SECONDS,
      });
    held.take(key);
    streams += 1;
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      held.release(key);
      streams -= 1;
    };
  }

  function read(
    stored: StoredFileRecord,
    range: { readonly first: number; readonly last: number },
    release: () => void,
  ): ReadableStream<Uint8Array<ArrayBuffer>> {
    return toStream(readChunks(deps, stored, range), (error) => {
      release();
      if (error !== undefined) log.error("A download was interrupted", { storedFile: stored.id, error });
    });
  }

  return {
    /** The target of a link; counts nothing. @throws AppError `not_found`, `link_expired`, `download_ended` */
    find: (token: string, clientAddress: string): Promise<Download> =>
      store.read((tx) => find(tx, readDownloadLink(box, token), toAsking(clientAddress))),
    /**
     * Counts the download, and gives a part of the file, both ends inclusive.
     * @throws AppError `not_found`, `link_expired`, `download_ended`, `rate_limited`
     */
    open: async (
      { link, stored }: Download,
      range: { readonly first: number; readonly last: number },
      clientAddress: string,
    ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> => {
      await store.transact(async (tx) => {
        const asking = toAsking(clientAddress);
        const found = await find(tx, link, asking);
        if (!found.isCounted) await count(tx, found, asking);
      });
      // After the count: a client that has to wait comes back with the same link, which is not counted again.
      return read(stored, range, takePlace(link.orderId));
    },
    /** Part of a content for an administrator; counts nothing. @throws AppError `rate_limited` */
    openForAdmin: (
      stored: StoredFileRecord,
      range: { readonly first: number; readonly last: number },
    ): ReadableStream<Uint8Array<ArrayBuffer>> => read(stored, range, takePlace("admin")),
    /** Downloads that are under way in this process. */
    openStreams: (): number => streams,
  };
}
