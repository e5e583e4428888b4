/** Programs that are known to be broken: the shop, and what all services share. */
import type { Mutant } from "./mutant.ts";

const notices = "src/shop/payments/notices.ts";
const outbox = "src/records/outbox.ts";

/** Months of subscribers alone. */
const renewing = { hours: 1_680, level: "rare", buyers: 0, people: 0, pauseMs: 6e10 } as const;

export const shopMutants: readonly Mutant[] = [
  {
    name: "a payment notification is acknowledged before it is stored",
    path: "src/shop/payments/services/receive.ts",
    from: "    return this.#deps.store.transact(async (tx) => {\n      const taken",
    to: '    const first = raw === "" ? "ignored" : "applied";\n    const soon = (work: Parameters<typeof this.#deps.store.transact<NoticeOutcome[]>>[0]) => {\n      void this.#deps.store.transact(work).catch(() => undefined);\n      return Promise.resolve([{ result: first, noticeId: "", reason: "" } as NoticeOutcome]);\n    };\n    return soon(async (tx) => {\n      const taken',
  },
  {
    name: "a repeated notification is applied to the order again",
    path: notices,
    from: "if (isSame(known, input)) return true;",
    to: "if (isSame(known, input)) return false;",
    more: [
      [
        "if (known !== undefined && isSame(known, input)) return",
        "if (known !== undefined && nowMs < 0) return",
      ],
      ["input.providerRef : toContradictionKey(input);", 'input.providerRef : newId("pay", nowMs);'],
      [
        "if (sameEvent !== undefined || sameReference !== undefined)\n    verdict",
        "if (nowMs < 0)\n    verdict",
      ],
    ],
  },
  {
    name: "idempotency keys are not remembered",
    path: "src/shop/checkout/idempotency.ts",
    from: "  await tx.insert(idempotency, { id, requestHash, orderId, expiresAt });\n",
    to: "",
  },
  {
    name: "stock is not checked",
    path: "src/shop/stock/stock.ts",
    from: "  await assertInStock(tx, lines);\n  for",
    to: "  for",
  },
  {
    name: "units of orders that are not paid are not released",
    path: "src/shop/stock/stock.ts",
    from: '{ field: "reserved", by: -quantity }',
    to: '{ field: "reserved", by: 0 * quantity }',
  },
  {
    name: "a coupon has no limit",
    path: "src/shop/coupons/coupons.ts",
    from: "(maxUses === undefined || used < maxUses)",
    to: "(maxUses === undefined || used < maxUses + 50)",
  },
  {
    name: "a coupon is not given back with its order",
    path: "src/shop/coupons/coupons.ts",
    from: "{ id, user: order, by: -1 }",
    to: "{ id: `${id}-`, user: order, by: -1 }",
  },
  {
    name: "a license key stays free when it is delivered",
    path: "src/shop/orders/delivery.ts",
    from: '{ ...key, state: "given", orderId, givenAt: atMs }',
    to: "{ ...key, orderId, givenAt: atMs }",
  },
  {
    name: "invoice numbers are skipped",
    path: "src/shop/invoices/numbers.ts",
    from: "last: known.last + 1",
    to: "last: known.last + (known.last % 7 === 0 ? 2 : 1)",
  },
  {
    name: "a mail counts as sent before it is sent",
    path: outbox,
    from: "return tx.put(outboxCollection, { ...found, attempts, nextAttemptAt: now + CLAIM_MS });",
    to: 'await tx.put(outboxCollection, { ...found, attempts, state: "sent", sentAt: now });\n    return { ...found, attempts };',
  },
  {
    name: "a mail that was refused for now counts as failed",
    path: outbox,
    from: "if (tries >= maxTries) return",
    to: "if (tries >= 1) return",
  },
  {
    name: "claims of dead processes last forever",
    path: outbox,
    from: "nextAttemptAt: now + CLAIM_MS });",
    to: "nextAttemptAt: now + 5_000 * CLAIM_MS });",
  },
  {
    name: "orders do not expire after a restart",
    path: "src/shop/service.ts",
    from: 'untilDone("orders-expire", 1_000, () => orderJobs.expire())',
    to: 'untilDone("orders-expire", 1_000, async () => 0)',
  },
  {
    name: "a background job ends with its first failure",
    path: "src/service/jobs.ts",
    from: "        running.delete(run);\n        schedule(job);",
    to: "        running.delete(run);\n        if (!failing.has(job)) schedule(job);",
  },
  {
    name: "a store that cannot write is an internal error",
    path: "src/kit/http/problem.ts",
    from: 'store_unavailable: "store_unavailable",',
    to: 'store_unavailable: "internal",',
  },
  {
    name: "a refund with the reference of another one is recorded",
    path: "src/shop/fulfilment/order-admin.ts",
    from: "eventId: `${type}:${reference}`,",
    to: 'eventId: `${type}:${reference}:${newId("evt")}`,',
    more: [
      ["providerRef: reference,", 'providerRef: `${reference} ${newId("evt")}`,'],
      [
        "if (known?.orderId === orderId)",
        "if (known?.orderId === reference)",
        "src/shop/fulfilment/card-refunds.ts",
      ],
    ],
  },
  {
    name: "an audit entry forgets the one before",
    path: "src/records/audit.ts",
    from: "await writeHead(tx, { ...head, count, hash });",
    to: "await writeHead(tx, { ...head, count, hash: count % 5 === 0 ? head.hash : hash });",
  },
  {
    name: "a payment after the expiry is applied without units",
    path: "src/shop/orders/effects.ts",
    from: "      return reserve(tx, order.lines);",
    to: "      return order.expiredAt === undefined ? reserve(tx, order.lines) : Promise.resolve();",
  },
  {
    name: "a webhook is not sent again when the process died while sending it",
    path: "src/shop/webhooks-out/sender.ts",
    from: "const CLAIM_MS = 60_000;",
    to: "const CLAIM_MS = 600_000_000;",
  },
  {
    name: "a webhook that got no answer counts as delivered",
    path: "src/records/webhook-request.ts",
    from: 'if (outcome.kind !== "answered") return { status: "temporary", reason: outcome.reason };',
    to: 'if (outcome.kind !== "answered") return { status: "sent" };',
  },
  {
    name: "a license has one more seat for programs that ask at once",
    path: "src/shop/licenses/license-api.ts",
    from: "const fault = findActivationFault(license, clock.now());",
    to: "const fault = findActivationFault({ ...license, used: license.used - 1 }, clock.now());",
  },
  {
    name: "a deactivated device keeps its seat",
    path: "src/shop/licenses/devices.ts",
    from: "used: Math.max(0, license.used - 1)",
    to: "used: Math.max(0, license.used)",
  },
  {
    name: "a gift card does not get back what a canceled order held",
    path: "src/shop/orders/card-payments.ts",
    from: 'await changeBalanceOf(tx, cardId, { kind: "released", amount, orderId, atMs });',
    to: 'await changeBalanceOf(tx, cardId, { kind: "released", amount: amount - 1, orderId, atMs });',
  },
  {
    name: "pictures and sold files with a changed bit are served",
    path: "src/shop/images/verified-blobs.ts",
    from: "      if (bytes === undefined || (await hashBytes(bytes)) === hash) return bytes;",
    to: '      if (bytes === undefined || hash !== "") return bytes;',
  },
  {
    // The chat is of people with accounts.
    run: { people: 1, hours: 0.3 },
    name: "a chat message that is sent again is stored again",
    path: "src/shop/chat/messages.ts",
    from: "  if (known === undefined) return undefined;\n  const isSame",
    to: "  if (known === undefined || known.seq > 0) return undefined;\n  const isSame",
    more: [
      [
        "dedupeKey: `${userId}:${sender}:${clientId}`,",
        "dedupeKey: `${userId}:${sender}:${clientId}:${seq}`,",
      ],
    ],
  },
  {
    run: { hours: 0.4 },
    name: "an import says that it has created what was there",
    path: "src/shop/imports/run-items.ts",
    from: "[outcome]: counts[outcome] + 1,",
    to: 'created: counts.created + (outcome === "failed" ? 0 : 1),',
  },
  {
    name: "a refund that is tried again has another key",
    path: "src/shop/fulfilment/refunds.ts",
    from: "key: refund.id,",
    to: "key: `${refund.id}-${refund.tries}`,",
  },
  {
    name: "a refund without an answer counts as failed",
    path: "src/shop/fulfilment/refunds.ts",
    from: 'if (result.kind === "refused" && refund.tries <= 1) {',
    to: "if (refund.tries <= 1) {",
  },
  {
    name: "a payment provider is not queried about payments of which it does not notify",
    path: "src/shop/payments/services/sessions.ts",
    from: "return [...times, last].find((at) => at > nowMs);",
    to: "return [...times, last].find((at) => at > nowMs + 86_400_000);",
  },
  {
    name: "a notification with a false signature is taken",
    path: "src/shop/payments/providers/stripe-notices.ts",
    from: "  let isRight = false;",
    to: "  let isRight = true;",
  },
  {
    name: "an order is edited from another version than the editor has read",
    path: "src/shop/fulfilment/admin-move.ts",
    from: "if (version !== undefined && version !== order.version) {",
    to: "if (version !== undefined && version > order.version) {",
  },
  {
    name: "units that an edit gives back stay reserved",
    path: "src/shop/order-edits/units.ts",
    from: "    await release(tx, less);\n",
    to: "",
  },
  {
    name: "a renewal begins a day before the paid period ends",
    run: renewing,
    path: "src/shop/subscriptions/settle.ts",
    from: "const from = isLapsed ? atMs : subscription.paidUntil;",
    to: "const from = isLapsed ? atMs : subscription.paidUntil - 86_400_000;",
  },
];
