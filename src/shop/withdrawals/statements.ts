/**
 * The withdrawal function (Article 11a of Directive 2011/83/EU) in two steps: a statement, which nothing keeps, and
 * its confirmation, which is received, kept and acknowledged whatever it says. Strangers get the same answers and
 * the same mail whether there is such an order or not.
 */
import { z } from "zod";
import { AppError } from "../../kit/errors.ts";
import { type RateLimit, addressKey } from "../../kit/limits/rate-limit.ts";
import { newId } from "../../kit/secrets/id.ts";
import { toInvalidError } from "../../kit/text/validation.ts";
import type { ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { toMailbox } from "../base/mailbox.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { withdrawals } from "./records.ts";
import { orders } from "../orders/records.ts";
import { receiveWithdrawal } from "./receive.ts";
import { type Statement, type WithdrawalRecord, statementSchema } from "./schema.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PURPOSE = "withdrawal";
/** How long a statement can be confirmed. */
const CONFIRM_MS = DAY_MS;
const STATEMENTS_AN_HOUR = 60;
const CONFIRMATIONS_AN_HOUR = 20;
const ORDER_A_DAY = 10;
/** Acknowledgements that a mailbox gets in a day for orders that are not proved to be its own. */
const STRANGE_MAILS_A_DAY = 3;
/** Statements that wait and belong to no order. */
const MAX_UNMATCHED = 1_000;

const sealedSchema = z.object({ id: z.string(), at: z.number(), statement: statementSchema });

/** A statement with what confirms it. */
export interface PreparedStatement {
  readonly statement: Statement;
  /** To be sent with the second step. */
  readonly confirmation: string;
  readonly expiresAt: number;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl" | "limits">;

function refuse(retryAfterSeconds: number): never {
  throw new AppError(
    "rate_limited",
    "Too many withdrawals from this address. Try again later, or contact the shop",
    {
      retryAfterSeconds,
    },
  );
}

/** The order that a statement means: the number and its own address have to be right. */
async function findOrder(
  tx: ReadTx,
  { orderNumber, email }: Pick<Statement, "orderNumber" | "email">,
): Promise<OrderRecord | undefined> {
  const order = await tx.by(orders, "byNumber", [orderNumber.toUpperCase()]);
  return order?.emailLower === email.toLowerCase() ? order : undefined;
}

/** Limits of statements and confirmations, and of their emails. */
function createLimits({ limits }: Pick<Deps, "limits">) {
  const statements = limits.create("withdrawals", { limit: STATEMENTS_AN_HOUR, windowMs: HOUR_MS });
  const confirmations = limits.create("withdrawals-confirmed", {
    limit: CONFIRMATIONS_AN_HOUR,
    windowMs: HOUR_MS,
  });
  const perOrder = limits.create("withdrawals-order", { limit: ORDER_A_DAY, windowMs: DAY_MS });
  const strangers = limits.create("withdrawals-mailbox", { limit: STRANGE_MAILS_A_DAY, windowMs: DAY_MS });
  const assertAllowed = (limit: RateLimit, key: string): void => {
    const { allowed, retryAfterSeconds } = limit.hit(key);
    if (!allowed) refuse(retryAfterSeconds);
  };
  return {
    countStatement: (address: string): void => assertAllowed(statements, addressKey(address)),
    countConfirmation: (address: string): void => assertAllowed(confirmations, addressKey(address)),
    /** Whether it may be emailed: the owner of a paid order has a separate quota, which no one else uses up. */
    mayMail: (order: OrderRecord | undefined, email: string): boolean => {
      const isProved = order !== undefined && order.amountPaid + order.amountRefunded > 0;
      if (!isProved) return strangers.hit(toMailbox(email)).allowed;
      assertAllowed(perOrder, order.id);
      return true;
    },
  };
}

/** Throws `rate_limited` when too many wait that belong to no order. */
async function assertRoom(tx: ReadTx): Promise<void> {
  const count = await tx.count(withdrawals, "byUnmatched", { prefix: ["yes"] });
  if (count >= MAX_UNMATCHED) refuse(DAY_MS / 1_000);
}

/** Creates the two steps. */
export function createStatements(deps: Deps) {
  const { store, clock, box } = deps;
  const counted = createLimits(deps);

  function open(confirmation: string): z.infer<typeof sealedSchema> {
    try {
      const parsed = sealedSchema.parse(JSON.parse(box.open(confirmation, PURPOSE)));
      if (clock.now() - parsed.at < CONFIRM_MS) return parsed;
    } catch {
      // Not ours, or changed: the same answer as for an old one.
    }
    throw toInvalidError("json", [
      { path: ["confirmation"], message: "has expired. Prepare the withdrawal again" },
    ]);
  }

  return {
    /** The first step: nothing is kept, whatever it names. @throws AppError `rate_limited` */
    prepare: (statement: Statement, address: string): PreparedStatement => {
      counted.countStatement(address);
      const at = clock.now();
      const sealed = { id: newId("wdr", at), at, statement };
      return {
        statement,
        confirmation: box.seal(JSON.stringify(sealed), PURPOSE),
        expiresAt: at + CONFIRM_MS,
      };
    },
    /**
     * The second step: it is received and acknowledged; once more changes nothing.
     * @throws AppError `invalid` for a confirmation that is not ours or a day old, `rate_limited`
     */
    confirm: async (confirmation: string, address: string): Promise<WithdrawalRecord> => {
      const sealed = open(confirmation);
      const { statement } = sealed;
      const before = await store.read(async (tx) => ({
        known: await tx.get(withdrawals, sealed.id),
        order: await findOrder(tx, statement),
      }));
      if (before.known !== undefined) return before.known;
      counted.countConfirmation(address);
      // Counted once, however often the transaction runs.
      const isMailed = counted.mayMail(before.order, statement.email);
      return store.transact(async (tx) => {
        const known = await tx.get(withdrawals, sealed.id);
        if (known !== undefined) return known;
        const order = await findOrder(tx, statement);
        if (order === undefined) await assertRoom(tx);
        const received = { ...sealed, order, receivedAt: clock.now(), isDecoy: !isMailed };
        return receiveWithdrawal(tx, deps, { ...received, by: "buyer" });
      });
    },
  };
}

export type Statements = ReturnType<typeof createStatements>;
