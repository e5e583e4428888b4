/** Customers for administrators: who ordered what in sum, notes, and who cannot order. */
import { AppError } from "../../kit/errors.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { listEvery } from "../../store/every-page.ts";
import type { Page, PageOptions, ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { listReviewsOf, toReviewer } from "../reviews/reviews.ts";
import type { ReviewRecord } from "../reviews/schema.ts";
import type { WishRecord } from "../wishlist/schema.ts";
import type { MessageRecord } from "../chat/schema.ts";
import { type ShownLicense, showLicense } from "../licenses/find-license.ts";
import { listBuyersLicenses } from "../licenses/license-search.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { type ExpectedVersion, assertVersion } from "../../records/versions.ts";
import { customerProfiles, customers } from "./records.ts";
import { messages } from "../chat/records.ts";
import { listCardsTo } from "../gift-cards/recipients.ts";
import type { GiftCardRecord } from "../gift-cards/schema.ts";
import type { StockRequest } from "../stock-requests/schema.ts";
import { listRequestsOf } from "../stock-requests/stock-requests.ts";
import { wishes } from "../wishlist/records.ts";
import type { CustomerBook, CustomerSummary } from "./book.ts";
import { listCustomerOrders } from "./orders-of.ts";
import type { CustomerProfile } from "./profile-schema.ts";
import { changeProfile, findProfile } from "./profiles.ts";
import { listQuestions } from "./questions-of.ts";
import type { CustomerRecord } from "./schema.ts";
import type { CustomerChange } from "./change-schema.ts";

/** A customer with what the shop knows besides. */
export interface Customer extends CustomerSummary {
  readonly record: CustomerRecord | undefined;
  /** What an import brought. */
  readonly profile: CustomerProfile | undefined;
}

/** Everything about one customer. */
export interface CustomerData {
  readonly customer: Customer;
  readonly orders: readonly OrderRecord[];
  readonly wishes: readonly WishRecord[];
  /** That were sent to the customer. */
  readonly giftCards: readonly GiftCardRecord[];
  /** For emails when a product is back in stock. */
  readonly stockRequests: readonly StockRequest[];
  readonly reviews: readonly ReviewRecord[];
  readonly messages: readonly MessageRecord[];
  readonly licenses: readonly ShownLicense[];
  /** When it was read: statuses of licenses are of this time. */
  readonly atMs: number;
}

export interface CustomerFilter {
  /** Words that occur in the email address, the imported name, or the id of the account. */
  readonly q?: string | undefined;
  readonly blocked?: boolean | undefined;
}

export type CustomerQuery = CustomerFilter & PageOptions;

type Deps = Pick<ShopDeps, "store" | "clock" | "box">;

const noSuchCustomer = (): AppError => new AppError("not_found", "This customer does not exist");

/** The record of a customer, made when it is not there yet. */
export async function putCustomer(
  tx: Tx,
  id: string,
  { nowMs, ...fields }: Partial<CustomerRecord> & { readonly nowMs: number },
): Promise<CustomerRecord> {
  const before = await tx.get(customers, id);
  return before === undefined
    ? tx.insert(customers, { note: "", createdAt: nowMs, ...fields, id, updatedAt: nowMs })
    : tx.put(customers, { ...before, ...fields, updatedAt: nowMs });
}

/** Notes and blocks by the id of their customer. */
async function readRecords(tx: ReadTx): Promise<ReadonlyMap<string, CustomerRecord>> {
  return new Map((await listEvery(tx, customers, { index: "id" })).map((one) => [one.id, one]));
}

/** The administration of customers. */
export class Customers {
  readonly #deps: Deps;
  readonly #book: CustomerBook;

  constructor(deps: Deps, book: CustomerBook) {
    this.#deps = deps;
    this.#book = book;
  }

  /** The most recent order first. Throws `bad_request` for a cursor of another list. */
  async list({ limit, cursor, ...filter }: CustomerQuery): Promise<Page<Customer>> {
    const all = await this.#readAll();
    return this.#deps.store.read(async (tx) => {
      const wanted = await this.#filter(tx, all, filter);
      const start = cursor === undefined ? 0 : wanted.findIndex(({ id }) => id === cursor) + 1;
      if (cursor !== undefined && start === 0)
        throw new AppError("bad_request", "The cursor belongs to another list, or its customer is gone");
      const items: Customer[] = [];
      for (const summary of wanted.slice(start, start + limit))
        items.push(await this.#toCustomer(tx, summary));
      const isMore = start + limit < wanted.length;
      return { items, nextCursor: isMore ? items.at(-1)?.id : undefined };
    });
  }

  /** All that a filter finds, who ordered last first; noted in the audit. */
  async exportAll(filter: CustomerFilter, actor: AuditActor): Promise<readonly Customer[]> {
    const every = await this.#readAll();
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const wanted = await this.#filter(tx, every, filter);
      const changes = [`customers: ${wanted.length}`];
      await writeAudit(tx, { actor, action: "customer.export_all", target: "customers", changes }, clock);
      const all = new Map<string, CustomerProfile>();
      for (const profile of await listEvery(tx, customerProfiles, { index: "id" }))
        all.set(profile.account ?? profile.id, profile);
      const own = await readRecords(tx);
      return wanted.map((one) => ({ ...one, record: own.get(one.id), profile: all.get(one.id) }));
    });
  }

  /** Throws `not_found`. */
  async get(id: string): Promise<Customer> {
    const summary = await this.#find(id);
    return this.#deps.store.read((tx) => this.#toCustomer(tx, summary));
  }

  /**
   * Writes a note, says whether the customer may order, or corrects imported details. Throws `not_found`, `invalid`,
   * `conflict`, `version_conflict`, `stale_version`.
   */
  async change(
    id: string,
    {
      fields: { note, blocked, version: _, ...change },
      actor,
      ...expected
    }: ExpectedVersion & { readonly fields: CustomerChange; readonly actor: AuditActor },
  ): Promise<Customer> {
    const summary = await this.#find(id);
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const before = await tx.get(customers, id);
      assertVersion(before?.version ?? 0, expected);
      const nowMs = clock.now();
      const changes = [
        ...(await changeProfile(tx, summary, { change, nowMs })),
        ...(note === undefined || note === before?.note ? [] : ["note"]),
        ...(blocked === undefined ? [] : [`blocked: ${blocked}`]),
      ];
      await writeAudit(tx, { actor, action: "customer.change", target: id, changes }, clock);
      const isBlocked = blocked ?? before?.blocked !== undefined;
      await putCustomer(tx, id, {
        note: note ?? before?.note ?? "",
        blocked: isBlocked ? "yes" : undefined,
        nowMs,
      });
      return this.#toCustomer(tx, summary);
    });
  }

  /** All that the shop has about a customer; noted in the audit. Throws `not_found`. */
  async export(id: string, actor: AuditActor): Promise<CustomerData> {
    const summary = await this.#find(id);
    const { store, clock, box } = this.#deps;
    return store.transact(async (tx) => {
      await writeAudit(tx, { actor, action: "customer.export", target: id }, clock);
      const { userId } = summary;
      const own = userId === undefined ? undefined : { prefix: [userId] };
      const buyer = { userId, emailLower: summary.email };
      // Anyone can enter any address on the contact page: only what is the customer's own is given out.
      const asked = (await listQuestions(tx, buyer)).filter(
        ({ guest }) => guest?.order !== undefined || guest?.provedAt !== undefined,
      );
      const messagesOf = [
        ...(userId === undefined ? [] : [userId]),
        ...asked.map(({ id: askedId }) => askedId),
      ];
      const written: MessageRecord[] = [];
      for (const conversationId of messagesOf)
        written.push(
          ...(await listEvery(tx, messages, {
            index: "byConversation",
            range: { prefix: [conversationId] },
          })),
        );
      const bought = await listCustomerOrders(tx, buyer);
      const owned: ShownLicense[] = [];
      for (const license of await listBuyersLicenses(tx, summary.email, bought))
        owned.push(await showLicense(tx, box, license));
      return {
        customer: await this.#toCustomer(tx, summary),
        orders: bought,
        licenses: owned,
        atMs: clock.now(),
        giftCards: await listCardsTo(tx, buyer.emailLower),
        stockRequests: (await listRequestsOf(tx, buyer.emailLower)).filter(
          ({ state }) => state === "confirmed",
        ),
        wishes: own === undefined ? [] : await listEvery(tx, wishes, { index: "byUser", range: own }),
        reviews: await listReviewsOf(tx, toReviewer(this.#deps.box, buyer)),
        messages: written.toSorted((a, b) => a.seq - b.seq),
      };
    });
  }

  async #readAll(): Promise<readonly CustomerSummary[]> {
    return [...(await this.#book.readAll()).values()].toReversed();
  }

  async #filter(
    tx: ReadTx,
    all: readonly CustomerSummary[],
    { q = "", blocked }: CustomerFilter,
  ): Promise<readonly CustomerSummary[]> {
    const words = q.toLowerCase().split(/\s+/u);
    // Of many imported customers, the notes alone would take seconds.
    const own = blocked === undefined ? undefined : await readRecords(tx);
    return all.filter(({ id, email, name, userId = "" }) => {
      const text = `${email}\n${userId}\n${name.toLowerCase()}`;
      const isAsked = words.every((word) => text.includes(word));
      return isAsked && (own === undefined || blocked === (own.get(id)?.blocked === "yes"));
    });
  }

  async #find(id: string): Promise<CustomerSummary> {
    const found = (await this.#book.readAll()).get(id);
    if (found === undefined) throw noSuchCustomer();
    return found;
  }

  async #toCustomer(tx: ReadTx, summary: CustomerSummary): Promise<Customer> {
    return {
      ...summary,
      record: await tx.get(customers, summary.id),
      profile: await findProfile(tx, summary),
    };
  }
}
