/** One move of an order by an administrator: read, checked against the version that was looked at, and in the audit. */
import { writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { commitMove } from "../orders/effects.ts";
import type { MoveNote, Moved } from "../orders/order.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { orders } from "../orders/records.ts";
import type { Actor } from "../users/caller.ts";

export interface AdminMove {
  readonly id: string;
  readonly actor: Actor;
  readonly note: string;
  /** The version that the administrator looked at. */
  readonly version?: number | undefined;
}

export type AdminMoveDeps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl">;

/** The result of a move: a record to store, unless the ledger has stored it. */
export interface Done {
  readonly moved?: Moved;
  readonly changes: readonly string[];
}

/** The actor of a move, and its time, for the order's history. */
export function toMoveNote({ clock }: Pick<ShopDeps, "clock">, { note }: Pick<AdminMove, "note">): MoveNote {
  return { by: "admin", atMs: clock.now(), note: note === "" ? undefined : note };
}

/** Does one move in a transaction, with its entry in the audit. Throws `not_found`, `version_conflict`. */
export function moveAsAdmin(
  deps: AdminMoveDeps,
  { id, version, actor, action }: Omit<AdminMove, "note"> & { readonly action: string },
  work: (tx: Tx, order: OrderRecord) => Done | Promise<Done>,
): Promise<OrderRecord> {
  const { store, clock } = deps;
  return store.transact(async (tx) => {
    const order = await tx.get(orders, id);
    if (order === undefined) throw new AppError("not_found", "There is no such order");
    if (version !== undefined && version !== order.version) {
      throw new AppError("version_conflict", "Someone else changed the order. Reload it and try again", {
        details: { currentVersion: order.version },
      });
    }
    const { moved, changes } = await work(tx, order);
    await writeAudit(tx, { actor, action, target: id, changes }, clock);
    return moved === undefined ? ((await tx.get(orders, id)) ?? order) : commitMove(tx, deps, moved);
  });
}
