/** Gift cards for administrators: lists, changes, and the amount that the shop owes to their holders. */
import { z } from "@hono/zod-openapi";
import { csvStyles } from "../../kit/files/csv-line.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, toPageView } from "../../kit/http/paging.ts";
import {
  csvSeparatorSchema,
  ifMatchHeader,
  jsonBody,
  jsonResponse,
  readIfMatch,
  writeErrors,
} from "../../kit/http/schemas.ts";
import { toByteStream } from "../../kit/text/byte-lines.ts";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";
import type { PageOptions } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import {
  type GiftCardItem,
  type GiftCardView,
  cardEntryView,
  cardSumsSchema,
  cardView,
  giftCardPageSchema,
  giftCardCodeSchema,
  giftCardSchema,
} from "./answer-schema.ts";
import { giftCardAdjustmentSchema, giftCardChangeSchema, newGiftCardSchema } from "./change-schema.ts";
import { type BookedCard, type GiftCardsAdmin, giftCardStates, toState } from "./gift-cards-admin.ts";
import { exportBalances, exportCards } from "./export.ts";
import { sumCards } from "./report.ts";
import type { GiftCardRecord } from "./schema.ts";

const TAG = "admin gift cards";
const PATH = "/api/admin/gift-cards";
const exampleTime = "2026-11-21T09:00:00.000+00:00";
const item: GiftCardItem = {
  id: "gft_01jd5v6m0c8f3k2n7q4x9y1z5a",
  version: 2,
  lastFour: "3K2N",
  currency: "EUR",
  initial: 5_000,
  balance: 3_000,
  source: "order",
  orderId: "ord_01jd5v6m0c8f3k2n7q4x9y1z5a",
  lineId: "lin_01jd5v6m0c8f3k2n7q4x9y1z5a",
  recipientEmail: "ben@example.org",
  recipientName: "Ben",
  message: "Happy birthday!",
  note: "",
  mailedAt: exampleTime,
  createdAt: exampleTime,
  updatedAt: exampleTime,
  state: "active",
};
const example: GiftCardView = {
  ...item,
  hasCode: true,
  entries: [
    { id: "gce_01jd5v6m0c8f3k2n7q4x9y1z5a", kind: "issued", amount: 5_000, balance: 5_000, at: exampleTime },
    {
      id: "gce_01jd5v6m0c8f3k2n7q4x9y1z5b",
      kind: "redeemed",
      amount: -2_000,
      balance: 3_000,
      at: exampleTime,
    },
  ],
};
const sums = { issued: 5_000, redeemed: -2_000, released: 0, refunded: 0, voided: 0, adjusted: 0 };

const filterSchema = z.object({
  q: z.string().max(254).optional().openapi({
    description: "The whole code, its last four characters, or a part of the recipient or of the note",
  }),
  state: z.enum(giftCardStates).optional(),
  orderId: z.string().min(1).max(100).optional().openapi({ description: "Cards that an order sold" }),
});
const querySchema = pageQuerySchema.extend(filterSchema.shape);
const periodSchema = z.object({
  from: isoTimeMs
    .optional()
    .openapi({ type: "string", format: "date-time", description: "Default: the beginning" }),
  to: isoTimeMs
    .optional()
    .openapi({ type: "string", format: "date-time", description: "Exclusive. Default: now" }),
});

interface Parts {
  readonly giftCardsAdmin: GiftCardsAdmin;
  readonly admin: AdminGuard;
  readonly deps: Pick<ShopDeps, "store" | "clock">;
}

function toItem(card: GiftCardRecord, nowMs: number): GiftCardItem {
  return { ...cardView.show(card), state: toState(card, nowMs) };
}

function toView({ card, entries }: BookedCard, nowMs: number): GiftCardView {
  const shown = toItem(card, nowMs);
  return Object.assign(shown, {
    hasCode: card.sealed !== undefined,
    entries: entries.map(cardEntryView.show),
  });
}

const csv: Record<string, { schema: { type: "string" } }> = { "text/csv": { schema: { type: "string" } } };

function addReadRoutes(app: ServiceApp, { giftCardsAdmin, admin, deps: { store, clock } }: Parts): void {
  const list = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: PATH,
    operationId: "adminListGiftCards",
    summary: "List gift cards, newest first",
    request: { query: querySchema },
    responses: { 200: jsonResponse("A page of gift cards", giftCardPageSchema, { items: [item] }) },
    errors: ["bad_request", "invalid", "store_unavailable"],
  });
  app.openapi(list, async (c) => {
    const page = await giftCardsAdmin.list(c.req.valid("query"));
    return c.json(
      toPageView(page, (card) => toItem(card, clock.now())),
      200,
    );
  });

  const liability = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/liability`,
    operationId: "adminSumGiftCards",
    summary: "What the shop owes to holders of gift cards, and how it changed in a period, by currency",
    description: "opening + issued + redeemed + released + refunded + voided + adjusted = closing.",
    request: { query: periodSchema },
    responses: {
      200: jsonResponse("The sums", cardSumsSchema, {
        items: [{ currency: "EUR", opening: 10_000, ...sums, closing: 13_000 }],
      }),
    },
    errors: ["bad_request", "invalid", "store_unavailable"],
  });
  app.openapi(liability, async (c) => {
    const { from, to } = c.req.valid("query");
    return c.json({ items: await sumCards(store, { fromMs: from, toMs: to }) }, 200);
  });

  const get = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/{id}`,
    operationId: "adminGetGiftCard",
    summary: "Get a gift card with the changes of its balance",
    request: { params: idParams(item.id) },
    responses: { 200: jsonResponse("The gift card", giftCardSchema, example) },
  });
  app.openapi(get, async (c) => {
    const booked = await giftCardsAdmin.get(c.req.valid("param").id);
    c.header("etag", `"${booked.card.version}"`);
    return c.json(toView(booked, clock.now()), 200);
  });

  const reveal = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/{id}/code`,
    operationId: "adminRevealGiftCard",
    [FRESH_PROOF]: true,
    summary: "Show the code of a gift card; the audit log notes it",
    request: { params: idParams(item.id) },
    responses: {
      200: jsonResponse("The code", giftCardCodeSchema, {
        code: "7KQ4-MPXA-2C8F-3K2N",
      }),
    },
    errors: ["invalid", "not_found", "conflict", "store_unavailable"],
  });
  app.openapi(reveal, async (c) => {
    c.header("cache-control", "no-store");
    return c.json({ code: await giftCardsAdmin.reveal(c.req.valid("param").id, c.var.actor) }, 200);
  });
}

function addExportRoutes(app: ServiceApp, { admin, giftCardsAdmin, deps: { store, clock } }: Parts): void {
  const exporting = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/export`,
    operationId: "adminExportGiftCards",
    summary: "Export the changes of all balances in a period as CSV, oldest first",
    request: { query: periodSchema.extend({ separator: csvSeparatorSchema }) },
    responses: {
      200: { description: "The changes", content: csv },
    },
    errors: ["bad_request", "invalid", "store_unavailable"],
  });
  app.openapi(exporting, async (c) => {
    const { from, to, separator } = c.req.valid("query");
    const lines = exportCards(store, { fromMs: from, toMs: to }, csvStyles[separator]);
    return c.body(await toByteStream(lines), 200, {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="gift-cards.csv"',
    });
  });
  const balances = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/balances`,
    operationId: "adminExportGiftCardBalances",
    summary: "Export gift cards with their balances as CSV, newest first",
    description: "Codes are masked: the shop has only their hashes.",
    request: { query: filterSchema.extend({ separator: csvSeparatorSchema }) },
    responses: { 200: { description: "The gift cards", content: csv } },
    errors: ["bad_request", "invalid", "store_unavailable"],
  });
  app.openapi(balances, async (c) => {
    const { separator, ...found } = c.req.valid("query");
    const list = (page: PageOptions) => giftCardsAdmin.list({ ...found, ...page });
    const lines = exportBalances({ list }, clock.now(), csvStyles[separator]);
    return c.body(await toByteStream(lines), 200, {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="gift-card-balances.csv"',
    });
  });
}

function addWriteRoutes(app: ServiceApp, { giftCardsAdmin, admin, deps: { clock } }: Parts): void {
  const create = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: PATH,
    operationId: "adminCreateGiftCard",
    [FRESH_PROOF]: true,
    summary: "Issue a gift card without an order, such as after a complaint",
    request: {
      body: jsonBody(newGiftCardSchema.extend({}).openapi("NewGiftCard"), {
        amount: 1_000,
        recipientEmail: "ben@example.org",
        note: "Parcel arrived late",
      }),
    },
    responses: { 201: jsonResponse("The gift card", giftCardSchema, example) },
    errors: writeErrors,
  });
  app.openapi(create, async (c) => {
    const booked = await giftCardsAdmin.create(c.req.valid("json"), c.var.actor);
    return c.json(toView(booked, clock.now()), 201);
  });

  const change = createRoute({
    ...adminRoute(TAG, admin),
    method: "patch",
    path: `${PATH}/{id}`,
    operationId: "adminChangeGiftCard",
    summary: "Disable or enable a gift card, or change its expiry or note",
    request: {
      params: idParams(item.id),
      headers: ifMatchHeader,
      body: jsonBody(
        giftCardChangeSchema.extend({ version: z.int().min(1).optional() }).openapi("GiftCardChange"),
        { disabled: true, version: 2 },
      ),
    },
    responses: { 200: jsonResponse("The changed gift card", giftCardSchema, example) },
  });
  app.openapi(change, async (c) => {
    const ifMatch = readIfMatch(c.req.header("if-match"));
    const body = c.req.valid("json");
    const booked = await giftCardsAdmin.change(c.req.valid("param").id, {
      ...body,
      ifMatch,
      actor: c.var.actor,
    });
    c.header("etag", `"${booked.card.version}"`);
    return c.json(toView(booked, clock.now()), 200);
  });

  const adjust = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: `${PATH}/{id}/adjust`,
    operationId: "adminAdjustGiftCard",
    [FRESH_PROOF]: true,
    summary: "Add to the balance of a gift card, or take off it, with a reason",
    request: {
      params: idParams(item.id),
      body: jsonBody(
        giftCardAdjustmentSchema.extend({ version: z.int().min(1).optional() }).openapi("GiftCardAdjustment"),
        { amount: -500, reason: "Paid out in the store", version: 2 },
      ),
    },
    responses: { 200: jsonResponse("The changed gift card", giftCardSchema, example) },
    errors: [...writeErrors, "not_found", "version_conflict"],
  });
  app.openapi(adjust, async (c) => {
    const body = c.req.valid("json");
    const booked = await giftCardsAdmin.adjust(c.req.valid("param").id, { ...body, actor: c.var.actor });
    return c.json(toView(booked, clock.now()), 200);
  });
}

/** Adds the routes below /api/admin/gift-cards; literal paths before those of one card. */
export function addAdminGiftCardRoutes(app: ServiceApp, parts: Parts): void {
  addExportRoutes(app, parts);
  addReadRoutes(app, parts);
  addWriteRoutes(app, parts);
}
