/**
 * Staff who write drafts, place, edit, refund by line, cancel, and deliver orders, against a shop that may be killed at
 * any moment. What to do next is read from the shop, so that a request without an answer is repeated only if needed.
 */
import assert from "node:assert/strict";
import { z } from "zod";
import { type KillLoad, NotNow, admin, expect, send as sendByHttp } from "./kill-load.ts";

const draftSchema = z.object({
  id: z.string(),
  version: z.number(),
  state: z.string(),
  items: z.array(z.object({ quantity: z.number() }).loose()),
  quoted: z.object({ total: z.number() }),
  orderId: z.string().optional(),
});
const orderSchema = z.object({
  id: z.string(),
  version: z.number(),
  status: z.string(),
  total: z.number(),
  amountPaid: z.number(),
  amountRefunded: z.number(),
  amountDue: z.number(),
  history: z.array(z.object({ event: z.string() })),
  lines: z.array(z.object({ id: z.string(), title: z.string(), quantity: z.number() })),
});
type OrderView = z.infer<typeof orderSchema>;

/** Sends one request; the body of the answer is JSON. */
export type Send = typeof sendByHttp;

/** One order of staff, from its draft to its end. */
interface Job {
  readonly number: number;
  readonly key: string;
  draftId?: string;
  orderId?: string;
  /** Versions of the draft and of the order in the last answer. */
  draftVersion: number;
  orderVersion: number;
  isDone: boolean;
}

const DRAFTS = "/api/admin/draft-orders";
const OWN = "Engraving";
const DAY_MS = 86_400_000;

function addressOf(name: string, street: number): object {
  return { name, line1: `Street ${street}`, city: "Berlin", postalCode: "10115", country: "DE" };
}

function has(order: OrderView, event: string): boolean {
  return order.history.some((entry) => entry.event === event);
}

/** How an order is edited, by its number: dearer, cheaper, another price and address, and with one more product. */
function toEdit({ number, key }: Job, { lines }: OrderView, productId: string): object {
  const [first] = lines;
  switch (number % 4) {
    case 0:
      return { lines: [{ lineId: first?.id, quantity: 4 }] };
    case 1:
      return { lines: [{ lineId: first?.id, quantity: 1 }], shipping: { fee: 250 } };
    case 2:
      return {
        lines: [{ lineId: first?.id, unitPrice: 999, reason: "agreed" }],
        billingAddress: addressOf(key, 2),
      };
    default:
      return { items: [{ productId, quantity: 1 }], shippingAddress: addressOf(key, 3) };
  }
}

/** Every second order ends after a refund of a line, and every fifth is refunded and canceled. */
const isLineRefunded = ({ number }: Job): boolean => number % 2 === 0;
const isCanceled = ({ number }: Job): boolean => number % 5 === 0;

export interface StaffLoad extends Omit<KillLoad, "run" | "counts"> {
  /** Brings all orders to their end, one after another. Throws what a request meets. */
  finish(url: string): Promise<void>;
  counts(): { readonly drafts: number; readonly edits: number; readonly "line refunds": number };
}

/** Creates a load of so many staff; site and provider are set by the load of the buyers, which is prepared first. */
export function createStaffLoad({
  staff,
  most,
  first = 0,
  stepMs = 40,
  send = sendByHttp,
}: {
  readonly staff: number;
  /** Orders at most. */
  readonly most: number;
  /** The number of the first order: it decides how an order is placed, edited, and ended. */
  readonly first?: number;
  readonly stepMs?: number;
  readonly send?: Send;
}): StaffLoad {
  const jobs: Job[] = [];
  let productId = "";

  async function get<T extends z.ZodType>(url: string, path: string, schema: T): Promise<z.infer<T>> {
    return schema.parse(await expect(send(url, path, { method: "GET", headers: admin }), 200));
  }

  /** Sends a change; the answer is the record after it. */
  function post(url: string, path: string, body: object): Promise<unknown> {
    return expect(send(url, path, { headers: admin, body }), 200, 201);
  }

  function begin(): Job {
    const number = first + jobs.length;
    const job = { number, key: `staff-${number}`, draftVersion: 0, orderVersion: 0, isDone: false };
    jobs.push(job);
    return job;
  }
  const count = { drafts: 0, edits: 0, "line refunds": 0 };

  async function draft(url: string, job: Job): Promise<void> {
    const { key, number } = job;
    if (job.draftId === undefined) {
      const body = {
        email: `${key}@example.org`,
        shippingAddress: addressOf(key, 1),
        items: [
          { productId, quantity: 2 },
          { title: OWN, quantity: 2, unitPrice: 333, taxClass: "reduced", isSent: false },
        ],
        shipping: { fee: 490 },
      };
      const made = draftSchema.parse(await post(url, DRAFTS, body));
      Object.assign(job, { draftId: made.id, draftVersion: made.version });
      count.drafts += 1;
      return;
    }
    const path = `${DRAFTS}/${job.draftId}`;
    const now = await get(url, path, draftSchema);
    assert.ok(now.version >= job.draftVersion, `an acknowledged change of draft ${now.id} was lost`);
    const { version, quoted, items } = now;
    if (now.orderId !== undefined) {
      job.orderId = now.orderId;
      return;
    }
    if (items[0]?.quantity !== 3) {
      const changed = { items: items.map((item, index) => (index === 0 ? { ...item, quantity: 3 } : item)) };
      const headers = { ...admin, "if-match": `"${version}"` };
      const sent = send(url, path, { method: "PATCH", headers, body: changed });
      job.draftVersion = draftSchema.parse(await expect(sent, 200)).version;
      return;
    }
    const known = { version, expectedTotal: quoted.total };
    const dueOn = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10);
    const placed = orderSchema.parse(
      number % 3 === 0
        ? await post(url, `${path}/mark-paid`, { ...known, method: "cash", reference: `cash-${key}` })
        : await post(url, `${path}/invoice`, { ...known, dueOn }),
    );
    Object.assign(job, { orderId: placed.id, orderVersion: placed.version });
  }

  /** The next request of an order; undefined where nothing is left to do. */
  async function next(url: string, job: Job, order: OrderView): Promise<[string, object] | undefined> {
    const { key, number } = job;
    const { status, total, amountPaid, amountRefunded, amountDue: due, lines } = order;
    // Edited before the payment, between two payments, or after it.
    const isEditFirst = number % 7 === 0;
    if (due > 0 && !(isEditFirst && !has(order, "edited"))) {
      const isPart = number % 3 === 2 && amountPaid === 0;
      const amount = isPart ? Math.ceil(due / 2) : due;
      return ["mark-paid", { amount, reference: `pay-${key}-${amountPaid}` }];
    }
    if (!has(order, "edited")) {
      const body = toEdit(job, order, productId);
      const path = `/api/admin/orders/${order.id}/edit-preview`;
      const { total: expectedTotal } = z.object({ total: z.number() }).parse(await post(url, path, body));
      return ["edit", { ...body, expectedTotal, version: order.version, mail: false }];
    }
    if (amountPaid > total && amountRefunded === 0)
      return ["refund", { amount: amountPaid - total, reference: `over-${key}` }];
    // After the refund of a line the shop keeps less than the total.
    if (isLineRefunded(job) && amountPaid === total) {
      const line = lines.find(({ title }) => title === OWN);
      return ["refund", { lines: [{ lineId: line?.id, quantity: 1 }], reference: `line-${key}` }];
    }
    if (isCanceled(job)) {
      if (amountPaid > 0) return ["refund", { amount: amountPaid, reference: `all-${key}` }];
      return status === "canceled" ? undefined : ["cancel", {}];
    }
    return status === "delivered" ? undefined : ["deliver", {}];
  }

  /** Does one thing, or finds that all is done. */
  async function advance(url: string, job: Job): Promise<void> {
    if (job.orderId === undefined) return draft(url, job);
    const order = await get(url, `/api/admin/orders/${job.orderId}`, orderSchema);
    assert.ok(order.version >= job.orderVersion, `an acknowledged change of order ${order.id} was lost`);
    job.orderVersion = order.version;
    const wanted = await next(url, job, order);
    if (wanted === undefined) {
      job.isDone = true;
      return;
    }
    const [action, body] = wanted;
    const answer = orderSchema.parse(await post(url, `/api/admin/orders/${order.id}/${action}`, body));
    job.orderVersion = answer.version;
    if (action === "edit") count.edits += 1;
    if (action === "refund" && "lines" in body) count["line refunds"] += 1;
  }

  return {
    prepare: async (url) => {
      const body = { title: "Mug", price: 1_200, status: "published", deliveryType: "shipping" };
      const made = await expect(send(url, "/api/admin/products", { headers: admin, body }), 201);
      ({ id: productId } = z.object({ id: z.string() }).parse(made));
      const path = `/api/admin/products/${productId}/stock`;
      await expect(send(url, path, { headers: admin, body: { onHand: 1_000_000, reason: "Delivery" } }), 200);
    },
    go: async (url, isOver) => {
      let refused = 0;
      const work = async (): Promise<void> => {
        let open: Job | undefined;
        while (!isOver() && jobs.length < most) {
          await new Promise((resolve) => setTimeout(resolve, stepMs));
          if (open === undefined || open.isDone) {
            open = begin();
          }
          try {
            await advance(url, open);
          } catch (error) {
            // What fetch throws for a broken connection, or a limit of time.
            const hasNoAnswer = error instanceof TypeError || error instanceof DOMException;
            if (!(error instanceof NotNow) && !hasNoAnswer) throw error;
            refused += 1;
          }
        }
      };
      await Promise.all(Array.from({ length: staff }, work));
      return refused;
    },
    verify: async (url) => {
      const queue = [...jobs];
      const check = async (): Promise<void> => {
        for (let job = queue.pop(); job !== undefined; job = queue.pop()) {
          job.isDone = false;
          while (!job.isDone) await advance(url, job);
          const { status } = await get(url, `/api/admin/orders/${job.orderId ?? ""}`, orderSchema);
          assert.equal(status, isCanceled(job) ? "canceled" : "delivered", job.key);
        }
      };
      await Promise.all(Array.from({ length: staff }, check));
    },
    finish: async (url) => {
      for (;;) {
        const job = jobs.find(({ isDone }) => !isDone) ?? (jobs.length < most ? begin() : undefined);
        if (job === undefined) return;
        await advance(url, job);
      }
    },
    counts: () => ({ ...count }),
  };
}
