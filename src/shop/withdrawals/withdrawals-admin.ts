/** Withdrawals as administrators see and settle them: accepted, goods back, money back; or declined. */
import { writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { scanMatches } from "../../store/matching-page.ts";
import type { Page, PageOptions, ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { commitMove } from "../orders/effects.ts";
import { resolveFlags } from "../orders/flags.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { listWithdrawals, withdrawals } from "./records.ts";
import { orders } from "../orders/records.ts";
import { readSite } from "../site/settings.ts";
import type { Actor } from "../users/caller.ts";
import { mailDecided } from "./mails.ts";
import { findMarks, suggestRefund } from "./marks.ts";
import { receiveWithdrawal } from "./receive.ts";
import type { Statement, WithdrawalRecord, WithdrawalState } from "./schema.ts";

/** A withdrawal with what else is known of it. */
export interface WithdrawalDetails {
  readonly record: WithdrawalRecord;
  readonly order: OrderRecord | undefined;
  /** The amount to refund, minor units; absent without an order. */
  readonly suggestedRefund: number | undefined;
}

export interface WithdrawalMove {
  readonly id: string;
  readonly actor: Actor;
  /** For the buyer's mail where there is one. */
  readonly note: string;
  /** The version that the administrator looked at. */
  readonly version?: number | undefined;
}

/** A withdrawal that came by letter, telephone or mail, as an administrator writes it down. */
export interface WithdrawalNote extends Pick<Statement, "what" | "lines"> {
  readonly orderId: string;
  readonly actor: Actor;
  /** When it came, epoch milliseconds; now unless set. */
  readonly receivedAt?: number | undefined;
}

const steps = {
  accept: { from: ["received"], to: "accepted", mail: "withdrawal_accepted" },
  decline: { from: ["received", "accepted"], to: "declined", mail: "withdrawal_declined" },
  return: { from: ["accepted"], to: "returned", mail: undefined },
  close: { from: ["accepted", "returned"], to: "closed", mail: undefined },
} as const satisfies Record<string, { from: readonly WithdrawalState[]; to: WithdrawalState; mail: unknown }>;

/** An administrator's step in a withdrawal. */
export type WithdrawalStep = keyof typeof steps;

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl">;

async function getWithdrawal(tx: ReadTx, id: string): Promise<WithdrawalRecord> {
  const record = await tx.get(withdrawals, id);
  if (record === undefined) throw new AppError("not_found", "This withdrawal does not exist");
  return record;
}

async function readDetails(tx: ReadTx, record: WithdrawalRecord): Promise<WithdrawalDetails> {
  const order = record.orderId === undefined ? undefined : await tx.get(orders, record.orderId);
  return { record, order, suggestedRefund: order && suggestRefund(order, record) };
}

function assertStep(record: WithdrawalRecord, step: WithdrawalStep, version: number | undefined): void {
  if (version !== undefined && version !== record.version)
    throw new AppError("version_conflict", "Someone else changed the withdrawal. Reload it and try again", {
      details: { currentVersion: record.version },
    });
  const from: readonly WithdrawalState[] = steps[step].from;
  if (!from.includes(record.state))
    throw new AppError(
      "conflict",
      `The state of the withdrawal cannot change from ${record.state} to ${steps[step].to}`,
    );
}

/** When it was received: not before the order was placed, and not in the future. */
function toReceivedAt(order: OrderRecord, receivedAt: number | undefined, nowMs: number): number {
  if (receivedAt === undefined) return nowMs;
  if (receivedAt >= order.createdAt && receivedAt <= nowMs) return receivedAt;
  throw new AppError("invalid", "The time of receipt must be after the order and not in the future", {
    errors: [{ pointer: "/receivedAt", code: "invalid", message: "must be between the order and now" }],
  });
}

/** Clears the flag of the order when this was its last waiting withdrawal. */
async function settleFlag(tx: Tx, deps: Deps, record: WithdrawalRecord): Promise<void> {
  const { orderId, id } = record;
  const order = orderId === undefined ? undefined : await tx.get(orders, orderId);
  if (orderId === undefined || !order?.attention.includes("withdrawal")) return;
  const all = await listWithdrawals(tx, orderId);
  if (all.some((other) => other.id !== id && other.waiting === "yes")) return;
  const by = { by: "admin", atMs: deps.clock.now() };
  await commitMove(tx, deps, resolveFlags(order, { ...by, flags: ["withdrawal"] }));
}

async function writeDown(
  tx: Tx,
  deps: Deps,
  { orderId, actor, what, lines, receivedAt }: WithdrawalNote,
): Promise<WithdrawalDetails> {
  const order = await tx.get(orders, orderId);
  if (order === undefined) throw new AppError("not_found", "There is no such order");
  const nowMs = deps.clock.now();
  const { number: orderNumber, email, language, billingAddress, shippingAddress } = order;
  const name = billingAddress?.name ?? shippingAddress?.name ?? email;
  const record = await receiveWithdrawal(tx, deps, {
    id: newId("wdr", nowMs),
    order,
    by: "admin",
    isDecoy: false,
    receivedAt: toReceivedAt(order, receivedAt, nowMs),
    statement: { name, orderNumber, email, what, lines, language },
  });
  const changes = [`order: ${orderId}`];
  await writeAudit(tx, { actor, action: "withdrawal.write", target: record.id, changes }, deps.clock);
  return readDetails(tx, record);
}

export type WithdrawalsAdmin = ReturnType<typeof createWithdrawalsAdmin>;

export function createWithdrawalsAdmin(deps: Deps) {
  const { store, clock } = deps;

  /** A withdrawal of no known order, given to the one that a person found. */
  async function assign(tx: Tx, record: WithdrawalRecord, orderId: string): Promise<WithdrawalRecord> {
    const order = await tx.get(orders, orderId);
    if (order === undefined) throw new AppError("not_found", "There is no such order");
    if (record.orderId !== undefined && record.orderId !== orderId)
      throw new AppError("conflict", "The withdrawal belongs to another order");
    const { eu, timeZone } = await readSite(tx);
    const before = (await listWithdrawals(tx, orderId)).filter(({ id }) => id !== record.id);
    const marks = findMarks(order, record, { eu, timeZone, nowMs: record.receivedAt, before });
    return { ...record, orderId, unmatched: undefined, marks };
  }

  return {
    /** The newest first; those that wait, the oldest first. Throws `bad_cursor`. */
    list: ({
      isWaiting,
      state,
      orderId,
      ...page
    }: PageOptions & {
      readonly isWaiting?: boolean | undefined;
      readonly state?: WithdrawalState | undefined;
      readonly orderId?: string | undefined;
    }): Promise<Page<WithdrawalDetails>> =>
      store.read(async (tx) => {
        const reverse = isWaiting !== true;
        const [index, prefix]: [keyof typeof withdrawals.ordered, string[]] =
          orderId !== undefined
            ? ["byOrder", [orderId]]
            : isWaiting === true
              ? ["byWaiting", ["yes"]]
              : state === undefined
                ? ["byReceived", []]
                : ["byState", [state]];
        const found = await scanMatches({
          read: (range) => tx.list(withdrawals, index, { ...range, prefix, reverse }),
          isWanted: (one: WithdrawalRecord) =>
            (isWaiting !== true || one.waiting === "yes") && (state === undefined || one.state === state),
          ...page,
        });
        const items: WithdrawalDetails[] = [];
        for (const record of found.items) items.push(await readDetails(tx, record));
        return { ...found, items };
      }),
    /** Keeps what came in another way than by the page of the shop. Throws `not_found`, `invalid`. */
    write: (note: WithdrawalNote): Promise<WithdrawalDetails> =>
      store.transact((tx) => writeDown(tx, deps, note)),
    /** Throws `not_found`. */
    get: (id: string): Promise<WithdrawalDetails> =>
      store.read(async (tx) => readDetails(tx, await getWithdrawal(tx, id))),
    /** Throws `not_found` (also for an order that is not there), `conflict`, `version_conflict`. */
    move: (
      step: WithdrawalStep,
      { id, actor, note, version, orderId }: WithdrawalMove & { readonly orderId?: string | undefined },
    ): Promise<WithdrawalDetails> =>
      store.transact(async (tx) => {
        const found = await getWithdrawal(tx, id);
        assertStep(found, step, version);
        const before = orderId === undefined ? found : await assign(tx, found, orderId);
        const { to: state, mail } = steps[step];
        const isOver = state === "closed" || state === "declined";
        const entry = { at: clock.now(), by: "admin", event: step, note: note === "" ? undefined : note };
        const record = await tx.put(withdrawals, {
          ...before,
          state,
          waiting: isOver ? undefined : "yes",
          unmatched: isOver ? undefined : before.unmatched,
          history: [...before.history, entry],
        });
        if (isOver) await settleFlag(tx, deps, record);
        const details = await readDetails(tx, record);
        if (mail !== undefined)
          await mailDecided(tx, deps, { kind: mail, record, order: details.order, note });
        const changes = [`from: ${found.state}`, ...(orderId === undefined ? [] : [`order: ${orderId}`])];
        await writeAudit(tx, { actor, action: `withdrawal.${step}`, target: id, changes }, clock);
        return details;
      }),
  };
}
