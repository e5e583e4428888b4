/** Downloads of an order, and their changes by administrators. */
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import type { ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import {
  type GrantedFile,
  type GrantState,
  listGrantedFiles,
  listGrants,
  toGrantId,
  toGrantState,
} from "../files/grants.ts";
import type { FileGrantRecord } from "../files/schema.ts";
import { assertVersion } from "../../records/versions.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { fileGrants } from "../files/records.ts";
import { orders } from "../orders/records.ts";

/** The right of a line with its files. */
export interface LineDownloads {
  readonly grant: FileGrantRecord;
  readonly state: GrantState;
  readonly files: readonly GrantedFile[];
}

/** Changes of a grant; null removes a limit. */
export interface GrantChange {
  /** The right that was looked at. */
  readonly version?: number | undefined;
  readonly ifMatch?: number | undefined;
  /** Counts from 0 again. */
  readonly resetCount?: boolean | undefined;
  readonly maxDownloads?: number | null | undefined;
  /** Epoch milliseconds. */
  readonly expiresAt?: number | null | undefined;
  readonly isEnded?: boolean | undefined;
}

async function getOrder(tx: ReadTx, orderId: string): Promise<OrderRecord> {
  const order = await tx.get(orders, orderId);
  if (order === undefined) throw new AppError("not_found", "There is no such order");
  return order;
}

async function toLine(
  tx: ReadTx,
  grant: FileGrantRecord,
  { order, nowMs }: { readonly order: OrderRecord; readonly nowMs: number },
): Promise<LineDownloads> {
  return { grant, state: toGrantState(grant, order, nowMs), files: await listGrantedFiles(tx, grant) };
}

/** null takes away, undefined leaves as it is. */
function pick<T>(wanted: T | null | undefined, present: T | undefined): T | undefined {
  return wanted === undefined ? present : (wanted ?? undefined);
}

function changeGrant(
  grant: FileGrantRecord,
  { resetCount, maxDownloads, expiresAt, isEnded }: GrantChange,
  nowMs: number,
): FileGrantRecord {
  const endedAt = isEnded === true ? (grant.endedAt ?? nowMs) : undefined;
  return {
    ...grant,
    maxDownloads: pick(maxDownloads, grant.maxDownloads),
    expiresAt: pick(expiresAt, grant.expiresAt),
    endedAt: isEnded === undefined ? grant.endedAt : endedAt,
    used: resetCount === true ? grant.used.map((used) => ({ ...used, count: 0, links: [] })) : grant.used,
  };
}

export type OrderDownloads = ReturnType<typeof createOrderDownloads>;

export function createOrderDownloads({ store, clock }: Pick<ShopDeps, "store" | "clock">) {
  return {
    /** The rights of an order's lines. @throws AppError `not_found` */
    list: (orderId: string): Promise<LineDownloads[]> =>
      store.read(async (tx) => {
        const order = await getOrder(tx, orderId);
        const lines: LineDownloads[] = [];
        for (const grant of await listGrants(tx, orderId))
          lines.push(await toLine(tx, grant, { order, nowMs: clock.now() }));
        return lines;
      }),
    /** Changes the right of a line. @throws AppError `not_found`, `version_conflict`, `stale_version` */
    change: (
      orderId: string,
      { lineId, actor, ...change }: GrantChange & { readonly lineId: string; readonly actor: AuditActor },
    ): Promise<LineDownloads> =>
      store.transact(async (tx) => {
        const order = await getOrder(tx, orderId);
        const before = await tx.get(fileGrants, toGrantId(orderId, lineId));
        if (before === undefined) throw new AppError("not_found", "This order line has no files to download");
        assertVersion(before.version, change);
        const nowMs = clock.now();
        const grant = await tx.put(fileGrants, changeGrant(before, change, nowMs));
        const { version: _version, ifMatch: _ifMatch, ...fields } = change;
        const changes = [`line: ${lineId}`, ...Object.keys(fields)];
        await writeAudit(tx, { actor, action: "order.downloads", target: orderId, changes }, clock);
        return toLine(tx, grant, { order, nowMs });
      }),
  };
}
