/** Questions of guests: from anyone with an email address, and from the buyer of an order. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { pageQuerySchema, toPageView } from "../../kit/http/paging.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { languageTag, line, text } from "../../kit/text/schemas.ts";
import type { ShopDeps } from "../base/deps.ts";
import { createRoute } from "../edge/create-route.ts";
import type { Orders } from "../orders/orders.ts";
import {
  type OrderAccessDeps,
  accessErrors,
  orderIdParams,
  orderRoute,
  readAccess,
} from "../orders/routes.ts";
import { type OrderRecord, emailSchema } from "../orders/schema.ts";
import { MAX_BODY, clientIdSchema, historySchema, messageSchema } from "./answer-schema.ts";
import type { Chat } from "./chat.ts";
import { toOrderConversationId } from "./questions.ts";
import { exampleMessage, exampleState, toMessageView, toStateView } from "./views.ts";

/** What a guest writes about an order. */
export const guestMessageSchema = z.strictObject({
  body: text(MAX_BODY).trim().min(1),
  clientId: clientIdSchema.optional(),
});

/** A question from anyone. */
export const questionSchema = z
  .strictObject({
    email: emailSchema.clone().openapi({
      description: "Where the reply goes. It is verified by the link in the reply",
    }),
    ...guestMessageSchema.shape,
    productId: line(100).min(1).optional(),
    language: languageTag.optional().openapi({ description: "Of emails" }),
  })
  .openapi("Question");

interface QuestionParts extends OrderAccessDeps, Pick<ShopDeps, "hasAccounts"> {
  readonly chat: Chat;
  readonly orders: Pick<Orders, "get">;
}

const exampleOrderMessage = {
  ...exampleMessage,
  conversationId: "gst_ord_01jd5v6m0c8f3k2n7q4x9y1z5a",
  orderId: "ord_01jd5v6m0c8f3k2n7q4x9y1z5a",
  productId: undefined,
};

function addAskRoute(app: ServiceApp, { chat }: QuestionParts): void {
  const route = createRoute({
    method: "post",
    path: "/api/questions",
    operationId: "askQuestion",
    tags: ["chat"],
    "x-access": "public",
    summary: "Ask the shop a question without an account. The reply is sent by email",
    request: {
      body: jsonBody(questionSchema, {
        email: "ann@example.org",
        body: "Is the red mug dishwasher-safe?",
        productId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
        language: "en",
      }),
    },
    responses: {
      204: { description: "The question was stored, or was stored before with the same clientId" },
    },
    errors: [...writeErrors, "conflict", "rate_limited"],
  });
  app.openapi(route, async (c) => {
    const { language = "en", ...question } = c.req.valid("json");
    await chat.questions.ask({ ...question, language }, c.var.clientAddress);
    return c.body(null, 204);
  });
}

function assertGuests({ userId, id }: OrderRecord, { hasAccounts = true }: QuestionParts): void {
  if (userId === undefined || !hasAccounts) return;
  throw new AppError(
    "conflict",
    `This order belongs to an account. Sign in and send the message with POST /api/chat/messages and the orderId "${id}"`,
  );
}

function addOrderRoutes(app: ServiceApp, parts: QuestionParts): void {
  const { chat, orders } = parts;
  const list = createRoute({
    ...orderRoute("get"),
    path: "/api/orders/{id}/messages",
    operationId: "listOrderMessages",
    summary: "List the messages about an order that was placed without an account, newest first",
    request: { params: orderIdParams, query: pageQuerySchema },
    responses: {
      200: jsonResponse("A page of messages with the state of the conversation", historySchema, {
        items: [exampleOrderMessage],
        conversation: exampleState,
      }),
    },
    errors: [...accessErrors, "conflict", "bad_request", "store_unavailable"],
  });
  app.openapi(list, async (c) => {
    const { order } = await orders.get(c.req.valid("param").id, await readAccess(c, parts));
    assertGuests(order, parts);
    const query = { ...c.req.valid("query"), order: "older" as const };
    const history = await chat.history(toOrderConversationId(order.id), query);
    c.header("cache-control", "no-store");
    const conversation = toStateView(history.conversation);
    return c.json({ ...toPageView(history, toMessageView), conversation }, 200);
  });

  const send = createRoute({
    ...orderRoute("post"),
    path: "/api/orders/{id}/messages",
    operationId: "sendOrderMessage",
    summary: "Ask the shop about an order that was placed without an account. Replies are sent by email, too",
    request: {
      params: orderIdParams,
      body: jsonBody(guestMessageSchema, { body: "When does my order ship?", clientId: "7d9f2a4e-1" }),
    },
    responses: {
      200: jsonResponse(
        "The message already exists with the same clientId",
        messageSchema,
        exampleOrderMessage,
      ),
      201: jsonResponse("The message", messageSchema, exampleOrderMessage),
    },
    errors: [...writeErrors, ...accessErrors, "conflict"],
  });
  app.openapi(send, async (c) => {
    const access = await readAccess(c, parts);
    const { order } = await orders.get(c.req.valid("param").id, access);
    const conversationId = toOrderConversationId(order.id);
    if (access.isAdmin === true)
      throw new AppError(
        "forbidden",
        `Administrators reply with POST /api/admin/chat/conversations/${conversationId}/messages`,
      );
    assertGuests(order, parts);
    const { language } = order;
    const { message, isNew } = await chat.questions.askAboutOrder(order, {
      ...c.req.valid("json"),
      language,
    });
    return c.json(toMessageView(message), isNew ? 201 : 200);
  });
}

/** Adds POST /api/questions and /api/orders/{id}/messages. */
export function addQuestionRoutes(app: ServiceApp, parts: QuestionParts): void {
  addAskRoute(app, parts);
  addOrderRoutes(app, parts);
}
