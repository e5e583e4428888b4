/** The support chat for users: messages, how far they are read, pictures. Every route is about the caller's own conversation. */
import { z } from "@hono/zod-openapi";
import type { AdminTokenCheck } from "../../records/admin-token-check.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { pageQuerySchema, toPageView } from "../../kit/http/paging.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { line } from "../../kit/text/schemas.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { AttachmentReader } from "./attachments.ts";
import type { Chat } from "./chat.ts";
import { isPictureKey } from "./guest-links.ts";
import type { UserCheck } from "../users/user-check.ts";
import { adminSecurity } from "../edge/admin-guard.ts";
import {
  pictureBody,
  pictureContent,
  pictureErrors,
  pictureHeaders,
  readPicture,
} from "../images/picture-views.ts";
import {
  attachmentSchema,
  conversationStateSchema,
  historySchema,
  messageSchema,
  newMessageSchema,
  readSchema,
  seqQuerySchema,
} from "./answer-schema.ts";
import {
  exampleAttachment,
  exampleMessage,
  exampleMessageBody,
  exampleState,
  toAttachmentView,
  toMessageView,
  toStateView,
} from "./views.ts";
import { APPLICATION_SCOPE } from "../../records/rights/application-scopes.ts";
import { type UserGuard, bearerSecurity, findUser, userErrors, userRoute } from "../edge/user-guard.ts";
import { createRoute } from "../edge/create-route.ts";

export const historyQuerySchema = pageQuerySchema.extend({
  order: z.enum(["older", "newer"]).optional().openapi({
    description: 'Sort order. "older": newest message first; "newer": oldest first, the default with `after`',
  }),
  after: seqQuerySchema.optional().openapi({ description: "Only messages with a higher `seq`" }),
});

const waitQuerySchema = historyQuerySchema
  .extend({
    wait: z.coerce.number().int().min(0).max(25).default(0).openapi({
      description: "Seconds to wait for a message after `after`, for clients that cannot use the stream",
    }),
  })
  .refine(({ wait, after }) => wait === 0 || after !== undefined, {
    path: ["after"],
    error: "is required with wait",
  });

export const pictureParams = z.object({ id: z.string().min(1).max(100) });

interface ChatParts extends Pick<ShopDeps, "box"> {
  readonly chat: Chat;
  readonly user: UserGuard;
  readonly userCheck: UserCheck;
  readonly checkToken: AdminTokenCheck;
}

function addHistoryRoute(app: ServiceApp, { chat, user }: ChatParts): void {
  const route = createRoute({
    ...userRoute("chat", user, "messages"),
    method: "get",
    path: "/api/chat/messages",
    operationId: "listChatMessages",
    summary: "List the caller's messages, optionally waiting for a new one",
    request: { query: waitQuerySchema },
    responses: {
      200: jsonResponse("A page of messages with the state of the conversation", historySchema, {
        items: [exampleMessage],
        conversation: exampleState,
      }),
    },
    errors: ["bad_request", "invalid", "rate_limited", "unavailable"],
  });
  app.openapi(route, async (c) => {
    const { wait, order, after, ...page } = c.req.valid("query");
    const query = { ...page, after, order: order ?? (after === undefined ? "older" : "newer") };
    const { id } = c.var.user;
    const history =
      wait === 0
        ? await chat.history(id, query)
        : await chat.waitForHistory(id, query, { waitMs: wait * 1_000, signal: c.req.raw.signal });
    c.header("cache-control", "no-store");
    const conversation = toStateView(history.conversation);
    return c.json({ ...toPageView(history, toMessageView), conversation }, 200);
  });
}

function addPostRoute(app: ServiceApp, { chat, user, userCheck }: ChatParts): void {
  const route = createRoute({
    ...userRoute("chat", user, "messages"),
    method: "post",
    path: "/api/chat/messages",
    operationId: "sendChatMessage",
    summary: "Send a message to the shop. Reopens a resolved conversation",
    request: { body: jsonBody(newMessageSchema, exampleMessageBody) },
    responses: {
      200: jsonResponse("The message already exists with the same clientId", messageSchema, exampleMessage),
      201: jsonResponse("The message", messageSchema, exampleMessage),
    },
    errors: [...writeErrors, "conflict", "rate_limited"],
  });
  app.openapi(route, async (c) => {
    const { message, isNew } = await chat.post.byUser(c.var.user, {
      ...c.req.valid("json"),
      readAddresses: () => userCheck.readAddresses(c.req.raw),
    });
    return c.json(toMessageView(message), isNew ? 201 : 200);
  });
}

function addReadRoute(app: ServiceApp, { chat, user }: ChatParts): void {
  const route = createRoute({
    ...userRoute("chat", user, "messages"),
    method: "post",
    path: "/api/chat/read",
    operationId: "readChat",
    summary: "Mark messages as read up to a message. The mark never moves back",
    request: { body: jsonBody(readSchema, { upTo: 12 }) },
    responses: { 200: jsonResponse("The updated conversation", conversationStateSchema, exampleState) },
  });
  app.openapi(route, async (c) => {
    const { upTo } = c.req.valid("json");
    return c.json(toStateView(await chat.readByUser(c.var.user.id, upTo)), 200);
  });
}

function addAttachmentRoute(app: ServiceApp, { chat, user }: ChatParts): void {
  const route = createRoute({
    ...userRoute("chat", user, "messages"),
    method: "post",
    path: "/api/chat/attachments",
    operationId: "sendChatAttachment",
    summary: "Upload an image (PNG, JPEG or WebP, up to 5 MiB) to attach to a message by its ID",
    request: { body: pictureBody },
    responses: { 201: jsonResponse("The picture", attachmentSchema, exampleAttachment) },
    errors: [...pictureErrors, "conflict", "rate_limited"],
  });
  app.openapi(route, async (c) => {
    const picture = await chat.attachments.addByUser(c.var.user, await readPicture(c.req));
    return c.json(toAttachmentView(picture), 201);
  });

  const removeChatAttachment = createRoute({
    ...userRoute("chat", user, "messages"),
    method: "delete",
    path: "/api/chat/attachments/{id}",
    operationId: "removeChatAttachment",
    summary: "Delete an image that is not attached to a message",
    request: { params: pictureParams },
    responses: { 204: { description: "Deleted" } },
    errors: ["invalid", "not_found", "conflict", "store_unavailable"],
  });
  app.openapi(removeChatAttachment, async (c) => {
    await chat.attachments.removeOwn(c.req.valid("param").id, c.var.user);
    return c.body(null, 204);
  });
}

function addPictureRoute(app: ServiceApp, { chat, userCheck, checkToken, box }: ChatParts): void {
  async function readReader(
    c: AccessContext,
    { id, key }: { readonly id: string; readonly key: string | undefined },
  ): Promise<AttachmentReader> {
    if (key !== undefined && isPictureKey(box, id, key)) return { isHolder: true };
    const adminToken = c.req.header("x-admin-token");
    if (adminToken !== undefined) {
      checkToken(adminToken, c.var.clientAddress);
      return { isAdmin: true };
    }
    const user = await findUser(userCheck, c.req.raw, "messages");
    if (user !== undefined) return { userId: user.id };
    throw new AppError(
      "unauthenticated",
      "A sign-in is required. Sign in at the auth center, or send the administrator token",
    );
  }
  const route = createRoute({
    tags: ["chat"],
    "x-access": "user",
    [APPLICATION_SCOPE]: "messages",
    security: [...bearerSecurity, ...adminSecurity],
    method: "get",
    path: "/api/chat/attachments/{id}",
    operationId: "getChatAttachment",
    summary: "Get an image of a conversation, for its user or an administrator",
    request: {
      params: pictureParams,
      query: z.object({
        key: line(100)
          .optional()
          .openapi({ description: "Of the URL on a guest's pages, in place of a sign-in" }),
      }),
    },
    responses: {
      200: {
        description: "The image. It is private and must not be cached",
        content: pictureContent,
      },
    },
    errors: [...userErrors, "rate_limited", "invalid", "not_found", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const { id } = c.req.valid("param");
    const { key } = c.req.valid("query");
    const { mediaType, bytes } = await chat.attachments.get(id, await readReader(c, { id, key }));
    return c.body(bytes, 200, {
      "content-type": mediaType,
      "cache-control": "private, no-store",
      ...pictureHeaders,
    });
  });
}

interface AccessContext {
  readonly req: { readonly raw: Request; header(name: string): string | undefined };
  readonly var: { readonly clientAddress: string };
}

/** Adds the routes below /api/chat but the stream. */
export function addChatRoutes(app: ServiceApp, parts: ChatParts): void {
  addPictureRoute(app, parts);
  addHistoryRoute(app, parts);
  addPostRoute(app, parts);
  addReadRoute(app, parts);
  addAttachmentRoute(app, parts);
}
