/** Keeps a withdrawal that was received: its marks, its deadline, the mails, the flag and the event of its order. */
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { findPeriodEnd } from "../eu/periods.ts";
import { listWithdrawals, withdrawals } from "./records.ts";
import { commitMove } from "../orders/effects.ts";
import { noteWithdrawal } from "../orders/flags.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { readSite } from "../site/settings.ts";
import { addEvent } from "../webhooks-out/events.ts";
import { toOrderData } from "../webhooks-out/record-events.ts";
import { mailReceived } from "./mails.ts";
import { findMarks } from "./marks.ts";
import type { Statement, WithdrawalRecord } from "./schema.ts";

/** The trader gives the money back within 14 days (Article 13(1)). */
const REFUND_DAYS = 14;

type Deps = Pick<ShopDeps, "clock" | "box" | "outbox" | "publicUrl">;

/** A statement as it was received. */
export interface Received {
  readonly id: string;
  readonly statement: Statement;
  readonly order: OrderRecord | undefined;
  /** The author of the record. */
  readonly by: "buyer" | "admin";
  /** Epoch milliseconds; a letter may have come before it was written down. */
  readonly receivedAt: number;
  /** A decoy is written in place of the acknowledgment. */
  readonly isDecoy: boolean;
}

/** Queues its webhook event: the buyer's own text stays here. */
async function addWithdrawalEvent(
  tx: Tx,
  deps: Deps,
  { record, order }: { record: WithdrawalRecord; order: OrderRecord },
): Promise<void> {
  const { id, lines, marks, receivedAt } = record;
  const withdrawal = { id, lines, marks, receivedAt: toIsoTime(receivedAt) };
  const data = { order: toOrderData(order), withdrawal };
  await addEvent(tx, deps, { type: "order.withdrawal", thread: order.id, data });
}

async function keep(tx: Tx, { id, statement, order, by, receivedAt }: Received): Promise<WithdrawalRecord> {
  const { eu, timeZone, languages } = await readSite(tx);
  const { publicHolidays } = eu;
  const before = order === undefined ? [] : await listWithdrawals(tx, order.id);
  return tx.insert(withdrawals, {
    ...statement,
    id,
    language: statement.language ?? order?.language ?? languages[0] ?? "en",
    orderId: order?.id,
    state: "received",
    waiting: "yes",
    unmatched: order === undefined ? "yes" : undefined,
    marks: findMarks(order, statement, { eu, timeZone, nowMs: receivedAt, before }),
    receivedAt,
    refundBy: findPeriodEnd(receivedAt, REFUND_DAYS, { timeZone, publicHolidays }),
    history: [{ at: receivedAt, by, event: "received" }],
  });
}

/** Keeps it, acknowledges it by mail, and says so on its order. */
export async function receiveWithdrawal(tx: Tx, deps: Deps, received: Received): Promise<WithdrawalRecord> {
  const { order, by, isDecoy } = received;
  const record = await keep(tx, received);
  await mailReceived(tx, deps, { record, order, isDecoy });
  if (order !== undefined) {
    const note = record.marks.length === 0 ? undefined : record.marks.join(", ");
    const noted = noteWithdrawal(order, { by, atMs: deps.clock.now(), note });
    await addWithdrawalEvent(tx, deps, { record, order: await commitMove(tx, deps, noted) });
  }
  return record;
}
