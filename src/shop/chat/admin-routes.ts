/** The support chat for administrators: conversations, messages, who has which, pictures. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { line, trimmedLine } from "../../kit/text/schemas.ts";
import type { Chat } from "./chat.ts";
import { type ConversationRecord, conversationStatusSchema } from "./schema.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { historyQuerySchema, pictureParams } from "./routes.ts";
import {
  pictureBody,
  pictureContent,
  pictureErrors,
  pictureHeaders,
  readPicture,
} from "../images/picture-views.ts";
import {
  type ConversationView,
  adminHistorySchema,
  attachmentSchema,
  conversationSchema,
  messageSchema,
  newMessageSchema,
  readSchema,
} from "./answer-schema.ts";
import {
  exampleConversation,
  exampleAttachment,
  exampleMessage,
  toAttachmentView,
  toConversationView,
  toMessageView,
} from "./views.ts";
import { createRoute } from "../edge/create-route.ts";

const params = z.object({ id: line(200).min(1).openapi({ description: "ID of the user" }) });

const listQuerySchema = pageQuerySchema.extend({
  status: conversationStatusSchema.optional(),
  unread: z
    .enum(["true", "false"])
    .transform((value) => value === "true")
    .optional()
    .openapi({ description: "Whether the conversation has messages that no administrator has read" }),
  q: trimmedLine(100)
    .optional()
    .openapi({ description: "Part of the username or of the beginning of the last message" }),
  assignee: line(120).optional().openapi({ description: "Assignee; empty: unassigned conversations" }),
});

const conversationPageSchema = pageSchema(conversationSchema).openapi("ChatConversationPage");

interface AdminChatParts {
  readonly chat: Chat;
  readonly admin: AdminGuard;
}

/** A conversation with whether its user is there now. */
function toSeenView(record: ConversationRecord, { isPresent }: Pick<Chat, "isPresent">): ConversationView {
  return { ...toConversationView(record), userPresent: isPresent(record.id) };
}

function addListRoute(app: ServiceApp, { chat, admin }: AdminChatParts): void {
  const adminListConversations = createRoute({
    ...adminRoute("admin chat", admin),
    method: "get",
    path: "/api/admin/chat/conversations",
    operationId: "adminListConversations",
    summary: "List conversations, sorted by the latest message. A filtered page can be short",
    request: { query: listQuerySchema },
    responses: {
      200: jsonResponse("A page of conversations", conversationPageSchema, {
        items: [exampleConversation],
      }),
    },
  });
  app.openapi(adminListConversations, async (c) => {
    const page = await chat.list(c.req.valid("query"));
    c.header("cache-control", "no-store");
    return c.json(
      toPageView(page, (record) => toSeenView(record, chat)),
      200,
    );
  });

  const adminGetConversation = createRoute({
    ...adminRoute("admin chat", admin),
    method: "get",
    path: "/api/admin/chat/conversations/{id}",
    operationId: "adminGetConversation",
    summary: "Get a conversation",
    request: { params },
    responses: { 200: jsonResponse("The conversation", conversationSchema, exampleConversation) },
  });
  app.openapi(adminGetConversation, async (c) => {
    c.header("cache-control", "no-store");
    return c.json(toSeenView(await chat.get(c.req.valid("param").id), chat), 200);
  });
}

function addMessageRoutes(app: ServiceApp, { chat, admin }: AdminChatParts): void {
  const adminListChatMessages = createRoute({
    ...adminRoute("admin chat", admin),
    method: "get",
    path: "/api/admin/chat/conversations/{id}/messages",
    operationId: "adminListChatMessages",
    summary: "List the messages of a conversation",
    request: { params, query: historyQuerySchema },
    responses: {
      200: jsonResponse("A page of messages with the conversation", adminHistorySchema, {
        items: [exampleMessage],
        conversation: exampleConversation,
      }),
    },
  });
  app.openapi(adminListChatMessages, async (c) => {
    const { id } = c.req.valid("param");
    const { order, after, ...page } = c.req.valid("query");
    const query = { ...page, after, order: order ?? (after === undefined ? "older" : "newer") };
    const history = await chat.history(id, query);
    const conversation = toSeenView(history.conversation ?? (await chat.get(id)), chat);
    c.header("cache-control", "no-store");
    return c.json({ ...toPageView(history, toMessageView), conversation }, 200);
  });

  const adminSendChatMessage = createRoute({
    ...adminRoute("admin chat", admin),
    method: "post",
    path: "/api/admin/chat/conversations/{id}/messages",
    operationId: "adminSendChatMessage",
    summary: "Reply to a user",
    request: { params, body: jsonBody(newMessageSchema, { body: "Yes, it is", clientId: "a-1" }) },
    responses: {
      200: jsonResponse("The message already exists with the same clientId", messageSchema, exampleMessage),
      201: jsonResponse("The message", messageSchema, exampleMessage),
    },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(adminSendChatMessage, async (c) => {
    const posted = await chat.post.byAdmin(c.req.valid("param").id, c.req.valid("json"));
    return c.json(toMessageView(posted.message), posted.isNew ? 201 : 200);
  });
}

const conversationResponses = {
  200: jsonResponse("The updated conversation", conversationSchema, exampleConversation),
};

function addReadRoute(app: ServiceApp, { chat, admin }: AdminChatParts): void {
  const route = createRoute({
    ...adminRoute("admin chat", admin),
    method: "post",
    path: "/api/admin/chat/conversations/{id}/read",
    operationId: "adminReadConversation",
    summary: "Mark messages as read by administrators up to a message. The mark never moves back",
    request: { params, body: jsonBody(readSchema, { upTo: 12 }) },
    responses: conversationResponses,
  });
  app.openapi(route, async (c) => {
    const { id } = c.req.valid("param");
    const { upTo } = c.req.valid("json");
    return c.json(toConversationView(await chat.readByAdmin(id, upTo)), 200);
  });
}

const assignSchema = z.strictObject({
  assignee: trimmedLine(120).nullable().openapi({ description: "Assignee; null: unassigned" }),
});
const statusSchema = z.strictObject({ status: conversationStatusSchema });

function addChangeRoutes(app: ServiceApp, { chat, admin }: AdminChatParts): void {
  const adminAssignConversation = createRoute({
    ...adminRoute("admin chat", admin),
    method: "post",
    path: "/api/admin/chat/conversations/{id}/assign",
    operationId: "adminAssignConversation",
    summary: "Assign or unassign a conversation",
    request: { params, body: jsonBody(assignSchema, { assignee: "Kim" }) },
    responses: conversationResponses,
  });
  app.openapi(adminAssignConversation, async (c) => {
    const { id } = c.req.valid("param");
    const { assignee } = c.req.valid("json");
    return c.json(toConversationView(await chat.assign(id, assignee, c.var.actor)), 200);
  });

  const adminSetConversationStatus = createRoute({
    ...adminRoute("admin chat", admin),
    method: "post",
    path: "/api/admin/chat/conversations/{id}/status",
    operationId: "adminSetConversationStatus",
    summary: "Resolve a conversation, or reopen it",
    request: { params, body: jsonBody(statusSchema, { status: "resolved" }) },
    responses: conversationResponses,
  });
  app.openapi(adminSetConversationStatus, async (c) => {
    const { id } = c.req.valid("param");
    const { status } = c.req.valid("json");
    return c.json(toConversationView(await chat.setStatus(id, status, c.var.actor)), 200);
  });
}

function addAttachmentRoute(app: ServiceApp, { chat, admin }: AdminChatParts): void {
  const route = createRoute({
    ...adminRoute("admin chat", admin),
    method: "post",
    path: "/api/admin/chat/attachments",
    operationId: "adminSendChatAttachment",
    summary: "Upload an image (PNG, JPEG or WebP, up to 5 MiB) to attach to a message by its ID",
    request: { body: pictureBody },
    responses: { 201: jsonResponse("The picture", attachmentSchema, exampleAttachment) },
    errors: [...pictureErrors],
  });
  app.openapi(route, async (c) => {
    const picture = await chat.attachments.addByAdmin(await readPicture(c.req));
    return c.json(toAttachmentView(picture), 201);
  });

  const adminGetChatAttachment = createRoute({
    ...adminRoute("admin chat", admin),
    method: "get",
    path: "/api/admin/chat/attachments/{id}",
    operationId: "adminGetChatAttachment",
    summary: "Get an image of any conversation",
    request: { params: pictureParams },
    responses: { 200: { description: "The image. It must not be cached", content: pictureContent } },
  });
  app.openapi(adminGetChatAttachment, async (c) => {
    const { mediaType, bytes } = await chat.attachments.get(c.req.valid("param").id, { isAdmin: true });
    const headers = { "content-type": mediaType, "cache-control": "private, no-store", ...pictureHeaders };
    return c.body(bytes, 200, headers);
  });
}

function addRemovalRoutes(app: ServiceApp, { chat, admin }: AdminChatParts): void {
  const adminRemoveChatAttachment = createRoute({
    ...adminRoute("admin chat", admin),
    method: "delete",
    path: "/api/admin/chat/attachments/{id}",
    operationId: "adminRemoveChatAttachment",
    summary: "Delete an image permanently. It disappears from its messages",
    request: { params: pictureParams },
    responses: { 204: { description: "Deleted" } },
  });
  app.openapi(adminRemoveChatAttachment, async (c) => {
    await chat.removePicture(c.req.valid("param").id, c.var.actor);
    return c.body(null, 204);
  });

  const adminRemoveConversation = createRoute({
    ...adminRoute("admin chat", admin),
    method: "delete",
    path: "/api/admin/chat/conversations/{id}",
    operationId: "adminRemoveConversation",
    summary: "Delete a conversation permanently, with its messages and images",
    request: { params },
    responses: { 204: { description: "Deleted" } },
  });
  app.openapi(adminRemoveConversation, async (c) => {
    await chat.removeConversation(c.req.valid("param").id, c.var.actor);
    return c.body(null, 204);
  });
}

/** Adds the routes below /api/admin/chat but the stream. */
export function addAdminChatRoutes(app: ServiceApp, parts: AdminChatParts): void {
  addListRoute(app, parts);
  addMessageRoutes(app, parts);
  addReadRoute(app, parts);
  addChangeRoutes(app, parts);
  addAttachmentRoute(app, parts);
  addRemovalRoutes(app, parts);
}
