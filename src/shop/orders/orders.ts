/** Orders as their buyers see and move them. */
import { AppError } from "../../kit/errors.ts";
import type { RateLimit } from "../../kit/limits/rate-limit.ts";
import type { Page, PageOptions, ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { type OpenWithdrawal, findOpenWithdrawal, isWithdrawable } from "../eu/right-of-withdrawal.ts";
import { type LineUnits, type StatedWithdrawal, listLeft } from "../eu/withdrawn-units.ts";
import { type BuyersFile, readBuyersFiles } from "../files/buyers-files.ts";
import { listWithdrawals } from "../withdrawals/records.ts";
import { orders } from "./records.ts";
import { readSite } from "../site/settings.ts";
import { type HandedOver, readHandedOver } from "./delivery.ts";
import { commitMove } from "./effects.ts";
import { type MoveNote, cancelOrder, moveOrder } from "./order.ts";
import { claimPayment, renewToken } from "./flags.ts";
import { type Payment, toPayment } from "./payment.ts";
import type { OrderLine, OrderRecord } from "./schema.ts";
import { isOrderToken, mayShowPayment } from "./token.ts";

const DAY_MS = 86_400_000;
/** New tokens of one order in a day. */
const RENEWALS_A_DAY = 3;

/** The caller: a user, the holder of the order's token, or an administrator. */
export interface OrderAccess {
  readonly userId?: string | undefined;
  readonly orderToken?: string | undefined;
  readonly isAdmin?: boolean;
  /** False: an administrator of the auth center in the user's place, who sees no delivered goods; true by default. */
  readonly isOwner?: boolean;
  /** Only the payment status is requested, which the token of payment URLs shows, too. */
  readonly isForPayment?: boolean;
}

/** An order with what its buyer got and still has to pay. */
export interface BuyersOrder {
  readonly order: OrderRecord;
  readonly handedOver: readonly HandedOver[];
  readonly payment: Payment | undefined;
  /** The right to withdraw from it; absent where there is none. */
  readonly withdrawal?: OpenWithdrawal | undefined;
  /** Withdrawals, oldest first. */
  readonly stated: readonly StatedWithdrawal[];
  /** Units that were not withdrawn. */
  readonly left: readonly LineUnits<OrderLine>[];
  /** By the line; each read makes other links. */
  readonly files?: ReadonlyMap<string, readonly BuyersFile[]>;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl" | "limits">;

/** Whether the caller may see an order. */
function maySee(box: ShopDeps["box"], order: OrderRecord, access: OrderAccess): boolean {
  if (access.isAdmin === true) return true;
  const { orderToken, isForPayment = false } = access;
  const isRight = isForPayment ? mayShowPayment : isOrderToken;
  if (orderToken !== undefined && isRight(box, order, orderToken)) return true;
  return order.userId !== undefined && order.userId === access.userId;
}

/** The buyers' logic of orders; each call throws `not_found` also for another's order. */
export class Orders {
  readonly #deps: Deps;
  readonly #renewals: RateLimit;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#renewals = deps.limits.create("order-tokens", { limit: RENEWALS_A_DAY, windowMs: DAY_MS });
  }

  /** A user's orders, the newest first. Throws `bad_cursor`. */
  listOwn(userId: string, page: PageOptions): Promise<Page<OrderRecord>> {
    const options = { ...page, prefix: [userId], reverse: true };
    return this.#deps.store.read((tx) => tx.list(orders, "byUser", options));
  }

  get(id: string, access: OrderAccess): Promise<BuyersOrder> {
    return this.#deps.store.read(async (tx) => {
      const found = await this.#toBuyers(tx, await this.#find(tx, id, access));
      return access.isOwner === false ? { ...found, handedOver: [], files: new Map() } : found;
    });
  }

  /** The same by the number that people know it by. */
  getByNumber(number: string, access: OrderAccess): Promise<BuyersOrder> {
    return this.#deps.store.read(async (tx) => {
      const known = await tx.by(orders, "byNumber", [number.toUpperCase()]);
      const found = await this.#toBuyers(tx, this.#show(known, access));
      return access.isOwner === false ? { ...found, handedOver: [], files: new Map() } : found;
    });
  }

  /** Cancels an order that waits for payment; once more changes nothing. Throws `illegal_transition`. */
  cancel(id: string, access: OrderAccess): Promise<BuyersOrder> {
    return this.#deps.store.transact(async (tx) => {
      const order = await this.#find(tx, id, access);
      if (order.status === "canceled") return this.#toBuyers(tx, order);
      return this.#toBuyers(tx, await commitMove(tx, this.#deps, cancelOrder(order, this.#byBuyer())));
    });
  }

  /** The buyer has what was ordered: delivered becomes completed; once more changes nothing. Throws `illegal_transition`. */
  confirm(id: string, access: OrderAccess): Promise<OrderRecord> {
    return this.#deps.store.transact(async (tx) => {
      const order = await this.#find(tx, id, access);
      if (order.status === "completed") return order;
      return tx.put(orders, moveOrder(order, "complete", this.#byBuyer()));
    });
  }

  /** The buyer says that the payment was made; the administrator gets a mail, nothing else changes. Throws `illegal_transition`. */
  claimPayment(id: string, access: OrderAccess, note: string): Promise<OrderRecord> {
    return this.#deps.store.transact(async (tx) => {
      const order = await this.#find(tx, id, access);
      const claimed = claimPayment(order, { ...this.#byBuyer(), note });
      return claimed === undefined ? order : commitMove(tx, this.#deps, claimed);
    });
  }

  /** Replaces the order's token and mails the new one to the buyer. Throws `conflict` (nothing is mailed), `rate_limited`. */
  async renewToken(id: string, access: OrderAccess): Promise<OrderRecord> {
    await this.#deps.store.read((tx) => this.#find(tx, id, access));
    const { allowed, retryAfterSeconds } = this.#renewals.hit(id);
    if (!allowed) {
      const message = "The order token was replaced too often today. Try again later, or contact the shop";
      throw new AppError("rate_limited", message, { retryAfterSeconds });
    }
    return this.#deps.store.transact(async (tx) =>
      commitMove(tx, this.#deps, renewToken(await this.#find(tx, id, access), this.#byBuyer())),
    );
  }

  #byBuyer(): MoveNote {
    return { by: "buyer", atMs: this.#deps.clock.now() };
  }

  /** An order that the caller may see. Throws `not_found`. */
  async #find(tx: ReadTx, id: string, access: OrderAccess): Promise<OrderRecord> {
    return this.#show(await tx.get(orders, id), access, id);
  }

  /** An order for who may see it; another's looks like none. Throws `not_found`. */
  #show(order: OrderRecord | undefined, access: OrderAccess, id = ""): OrderRecord {
    if (order !== undefined && maySee(this.#deps.box, order, access)) return order;
    const message =
      access.isAdmin === true ? `There is no order "${id}"` : "This order does not exist or is not yours";
    throw new AppError("not_found", message);
  }

  async #readFiles(tx: ReadTx, order: OrderRecord): Promise<BuyersOrder["files"]> {
    const { box, clock } = this.#deps;
    const hasFiles = order.lines.some(({ deliveryType }) => deliveryType === "files");
    return hasFiles ? readBuyersFiles(tx, { box, nowMs: clock.now() }, order) : new Map();
  }

  /** An order with all that its buyer may know. */
  async #toBuyers(tx: ReadTx, order: OrderRecord): Promise<BuyersOrder> {
    const site = await readSite(tx);
    const stated = await listWithdrawals(tx, order.id);
    const left = listLeft(order, stated);
    const withdrawal = findOpenWithdrawal(order, { ...site, nowMs: this.#deps.clock.now() });
    const isLeft = left.some(({ line }) => isWithdrawable(line));
    return {
      order,
      payment: toPayment(this.#deps, order, site),
      withdrawal: withdrawal && { ...withdrawal, isOpen: withdrawal.isOpen && isLeft },
      stated,
      left,
      handedOver: await readHandedOver(tx, this.#deps.box, order),
      files: await this.#readFiles(tx, order),
    };
  }
}
