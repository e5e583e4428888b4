/** Requests that come twice. */
import { ShopError } from "../base/errors.ts";
import type { ReadTx, Store, Tx } from "../../store/store.ts";
import type { Caller } from "../users/caller.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { idempotency } from "./records.ts";
import { orders } from "../orders/records.ts";

/** How long a repeat gets the first answer. */
const KEPT_MS = 24 * 3_600_000;
const SWEEP_BATCH = 200;

/** A UUID has more, and 16 random bytes in base64url as many. */
const MIN_KEY_LENGTH = 22;
const MIN_KEY_CHARACTERS = 10;

type Deps = Pick<ShopDeps, "box" | "clock">;

/** Whether a key looks like 128 bits of chance, so that knowing it proves that one sent the first request. */
export function isUnguessable(key: string): boolean {
  return key.length >= MIN_KEY_LENGTH && new Set(key).size >= MIN_KEY_CHARACTERS;
}

interface Request {
  readonly caller: Caller;
  readonly repeatable: { readonly key: string; readonly requestHash: string } | undefined;
}

const ids = new WeakMap<object, string>();

/** A key counts for one user; guests share a space, in which a key must be guessed and the body be the same. Made once for each request. */
function toId({ box }: Deps, caller: Caller, repeatable: NonNullable<Request["repeatable"]>): string {
  const known = ids.get(repeatable);
  if (known !== undefined) return known;
  const id = box.lookup(JSON.stringify([caller.user?.id ?? "", repeatable.key]), "idempotency");
  ids.set(repeatable, id);
  return id;
}

/** The order that the same request made before. Throws `idempotency_key_reused` when the request was another one. */
export async function findRepeat(
  tx: ReadTx,
  deps: Deps,
  { caller, repeatable }: Request,
): Promise<OrderRecord | undefined> {
  if (repeatable === undefined) return undefined;
  const record = await tx.get(idempotency, toId(deps, caller, repeatable));
  if (record === undefined || record.expiresAt <= deps.clock.now()) return undefined;
  if (record.requestHash !== repeatable.requestHash)
    throw new ShopError(
      "idempotency_key_reused",
      "This Idempotency-Key was used for another order. Use a new key for a new order",
    );
  return tx.get(orders, record.orderId);
}

/** Remembers what a key was used for. */
export async function rememberKey(
  tx: Tx,
  deps: Deps,
  { caller, repeatable, orderId }: Request & { readonly orderId: string },
): Promise<void> {
  if (repeatable === undefined) return;
  const id = toId(deps, caller, repeatable);
  const { requestHash } = repeatable;
  const expiresAt = deps.clock.now() + KEPT_MS;
  await tx.remove(idempotency, id);
  await tx.insert(idempotency, { id, requestHash, orderId, expiresAt });
}

/** Removes keys whose time is over, at most 200; resolves with how many. */
export async function sweepKeys(store: Store, nowMs: number): Promise<number> {
  return store.transact(async (tx) => {
    const { items } = await tx.list(idempotency, "byExpiresAt", { to: [nowMs + 1], limit: SWEEP_BATCH });
    for (const { id } of items) await tx.remove(idempotency, id);
    return items.length;
  });
}
