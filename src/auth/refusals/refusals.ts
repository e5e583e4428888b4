/**
 * The last refusals of each application: held in memory and written every few seconds, the same one once with a count,
 * because anyone may send requests in the name of an application and must not fill the store with them.
 */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { AppError } from "../../kit/errors.ts";
import type { Page, Tx } from "../../store/store.ts";
import type { Caller } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { clients, refusals } from "../applications/records.ts";
import { users } from "../accounts/records.ts";
import { MAX_SENT, type RefusalReason, type RefusalRecord } from "../applications/refusal-schema.ts";
import { MAX_KEPT } from "../applications/kept-refusals.ts";

/** Where refusals of names that are not registered are kept; no application may be called so. */
export const UNKNOWN_CLIENT = "unknown";
const MAX_KEPT_OF_NETWORK = 20;
const KEPT_MS = 30 * 86_400_000;
/** Different ones that wait to be written; more are not kept. */
const MAX_WAITING = 200;
const MAX_WAITING_OF_CLIENT = 50;
const BATCH = 50;

/** A refusal as it is made. */
export interface Refused {
  readonly reason: RefusalReason;
  /** The invalid value that the application sent. Never a secret, a code or a token. */
  readonly sent?: string | undefined;
  readonly userId?: string | undefined;
}

/** A refusal with the name of whom it met. */
export interface ShownRefusal extends RefusalRecord {
  readonly username?: string;
}

type Waiting = Omit<RefusalRecord, "version">;

/** The oldest of the network that fills the list, or of all. */
function findSurplus(kept: readonly RefusalRecord[]): RefusalRecord | undefined {
  const oldestFirst = kept.toSorted((one, other) => one.at - other.at);
  const counts = new Map<string, number>();
  for (const { ipPrefix } of kept) counts.set(ipPrefix, (counts.get(ipPrefix) ?? 0) + 1);
  const loud = oldestFirst.find(({ ipPrefix }) => (counts.get(ipPrefix) ?? 0) > MAX_KEPT_OF_NETWORK);
  return loud ?? (kept.length > MAX_KEPT ? oldestFirst[0] : undefined);
}

async function write(tx: Tx, waiting: Waiting): Promise<void> {
  const { id, clientId, at, times } = waiting;
  // An application that was removed meanwhile leaves nothing behind.
  if (clientId !== UNKNOWN_CLIENT && (await tx.get(clients, clientId)) === undefined) return;
  const before = await tx.get(refusals, id);
  if (before !== undefined) {
    const isLater = at >= before.at;
    await tx.put(refusals, { ...before, ...(isLater ? waiting : {}), times: before.times + times });
    return;
  }
  await tx.insert(refusals, waiting);
  const { items } = await tx.list(refusals, "byClient", { prefix: [clientId], limit: 2 * MAX_KEPT });
  const surplus = findSurplus(items);
  if (surplus !== undefined) await tx.remove(refusals, surplus.id);
}

/** Printable characters, up to the stored length. */
function toShown(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{fffd}").slice(0, MAX_SENT);
}

export type Refusals = ReturnType<typeof createRefusals>;

/** Creates the list. `clock` is wall time. */
export function createRefusals({ store, clock, expiry }: Pick<AuthDeps, "store" | "clock" | "expiry">) {
  const waiting = new Map<string, Waiting>();

  function hasRoom(clientId: string): boolean {
    if (waiting.size >= MAX_WAITING) return false;
    let count = 0;
    for (const one of waiting.values()) if (one.clientId === clientId) count += 1;
    return count < MAX_WAITING_OF_CLIENT;
  }

  function add(one: Waiting): void {
    const known = waiting.get(one.id);
    if (known !== undefined) waiting.set(one.id, { ...one, times: known.times + one.times });
    else if (hasRoom(one.clientId)) waiting.set(one.id, one);
  }

  async function flush(): Promise<void> {
    // As many as there are now: what comes in meanwhile waits for the next time.
    for (let left = waiting.size; left > 0; left -= BATCH) {
      const taken = [...waiting.values()].slice(0, BATCH);
      for (const { id } of taken) waiting.delete(id);
      try {
        await store.transact(async (tx) => {
          for (const one of taken) await write(tx, one);
        });
      } catch (error) {
        for (const one of taken) add(one);
        throw error;
      }
    }
  }

  return {
    /** Keeps a refusal of an application, {@link UNKNOWN_CLIENT} for a name that is not registered. Does no I/O. */
    note: (clientId: string, { reason, sent = "", userId }: Refused, caller: Caller): void => {
      const { ipPrefix, userAgent, requestId: reference } = caller;
      const shown = toShown(sent);
      const same = hashSecret(JSON.stringify([reason, shown, ipPrefix, userId])).slice(0, 32);
      const expiresAt = expiry.now() + KEPT_MS;
      add({
        id: `${clientId}:${same}`,
        clientId,
        at: clock.now(),
        reason,
        sent: shown,
        ipPrefix,
        userAgent,
        times: 1,
        userId,
        reference,
        expiresAt,
      });
    },
    /** Those of an application, the newest first. Throws `not_found`, `bad_cursor`. */
    list: async (
      clientId: string,
      { limit, cursor }: { limit: number; cursor?: string },
    ): Promise<Page<ShownRefusal>> => {
      // Where nothing can be written, what is there can be read; the job says what is wrong.
      await flush().catch(() => undefined);
      return store.read(async (tx) => {
        if (clientId !== UNKNOWN_CLIENT && (await tx.get(clients, clientId)) === undefined)
          throw new AppError("not_found", `There is no application "${clientId}"`);
        const range = { prefix: [clientId], limit, cursor, reverse: true };
        const page = await tx.list(refusals, "byClient", range);
        const items = await Promise.all(
          page.items.map(async (item): Promise<ShownRefusal> => {
            const user = item.userId === undefined ? undefined : await tx.get(users, item.userId);
            return user === undefined ? item : { ...item, username: user.username };
          }),
        );
        return { ...page, items };
      });
    },
    /** Writes what waits; what cannot be written waits on. Throws what the store throws. */
    flush,
  };
}
