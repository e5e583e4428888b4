/** The chat as server-sent events (WHATWG HTML section 9.2). */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { ChatFeed, FeedBatch, FeedOptions } from "./chat-feed.ts";
import type { Listener } from "./hub.ts";
import type { Chat } from "./chat.ts";
import type { ConversationRecord } from "./schema.ts";
import type { UserCheck } from "../users/user-check.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { seqQuerySchema } from "./answer-schema.ts";
import { toConversationView, toMessageView, toStateView } from "./views.ts";
import { type UserGuard, userRoute } from "../edge/user-guard.ts";
import { createRoute } from "../edge/create-route.ts";

const RETRY_MS = 3_000;
/** The beginning of a stream: it shows at once that it is open. */
const OPENING = `retry: ${RETRY_MS}\n: open\n\n`;
const HEARTBEAT = ": beat\n\n";

const exampleStream = [
  OPENING,
  'event: conversation\ndata: {"status":"open","unreadUser":1,"unreadAdmin":0,"readByUser":11,"readByAdmin":11,"lastSeq":12}\n\n',
  'id: 12\nevent: message\ndata: {"id":"msg_000000000012","seq":12,"sender":"admin","body":"Yes, it is"}\n\n',
].join("");

const headersSchema = z.object({
  "last-event-id": z
    .literal("")
    .or(seqQuerySchema)
    .optional()
    .openapi({ description: "`id` of the last received message. The stream continues after it" }),
});
const querySchema = z.object({
  lastEventId: seqQuerySchema.optional().openapi({ description: "Used if the header is absent" }),
});

type ToConversation = (conversation: ConversationRecord | undefined) => object | undefined;

/** The frames of a batch: compact JSON has no line ends, so each value is one data line. */
function toFrames(batch: FeedBatch, toConversation: ToConversation): string {
  const messages = batch.messages.map(
    (message) => `id: ${message.seq}\nevent: message\ndata: ${JSON.stringify(toMessageView(message))}\n\n`,
  );
  const states = batch.conversations.map(
    (conversation) => `event: conversation\ndata: ${JSON.stringify(toConversation(conversation))}\n\n`,
  );
  const frames = [...messages, ...states].join("");
  return frames === "" ? HEARTBEAT : frames;
}

/** The frames of a feed, made when the reader asks for more; the feed ends with the stream. */
function toStream(
  feed: ChatFeed,
  { toConversation, log }: { toConversation: ToConversation; log: Log },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let isOpening = true;
  return new ReadableStream(
    {
      async pull(controller) {
        if (isOpening) {
          isOpening = false;
          controller.enqueue(encoder.encode(OPENING));
          return;
        }
        const batch = await feed.next().catch((error: unknown) => {
          // The reader comes back with Last-Event-ID and misses nothing.
          log.warn("A chat stream ended because the database cannot be read", { error });
          feed.close();
          return undefined;
        });
        if (batch === undefined) controller.close();
        else controller.enqueue(encoder.encode(toFrames(batch, toConversation)));
      },
      cancel() {
        feed.close();
      },
    },
    { highWaterMark: 0 },
  );
}

const streamResponses = {
  200: {
    description:
      "Endless stream of `message` events (with the message's `seq` as `id`) and `conversation` events (without ID), with a comment every 15 s. " +
      "If it ends, reconnect with Last-Event-ID",
    content: { "text/event-stream": { schema: z.string(), example: exampleStream } },
  },
};

const streamErrors = ["invalid", "rate_limited", "unavailable", "store_unavailable"] as const;

interface StreamParts {
  readonly chat: Chat;
  readonly log: Log;
  readonly user: UserGuard;
  readonly userCheck: UserCheck;
  readonly admin: AdminGuard;
}

/** Opens the stream of a request. */
async function answer(
  request: Request,
  { chat, log }: Pick<StreamParts, "chat" | "log">,
  options: FeedOptions & { listener: Listener; toConversation: ToConversation },
): Promise<Response> {
  const { listener, toConversation, ...rest } = options;
  const headers = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    // Proxies of the nginx kind would wait for a full buffer.
    "x-accel-buffering": "no",
  };
  // The response to a HEAD request has no reader that would end the stream.
  if (request.method === "HEAD") return new Response(null, { headers });
  const feed = await chat.open(listener, rest);
  const { signal } = request;
  // A client that goes away before its answer begins cancels no body.
  if (signal.aborted) feed.close();
  else signal.addEventListener("abort", () => feed.close(), { once: true });
  return new Response(toStream(feed, { toConversation, log }), { headers });
}

/** Checks the user of the token again; while the auth center is unavailable, the stream goes on. */
function createRecheck(check: UserCheck, request: Request, userId: string): () => Promise<boolean> {
  const shown = ["authorization", "cookie"].map((name) => [name, request.headers.get(name)] as const);
  const headers = new Headers(shown.filter((pair): pair is [string, string] => pair[1] !== null));
  return async () => {
    const result = await check.validateRequest({ headers });
    return result.status === "auth_unavailable" || (result.status === "valid" && result.user.id === userId);
  };
}

/** The number after which a stream goes on; the header wins, for a browser sends it when it reconnects. */
function toLastSeq(header: number | "" | undefined, query: number | undefined): number | undefined {
  return header === undefined || header === "" ? query : header;
}

function addUserStream(app: ServiceApp, parts: StreamParts): void {
  const route = createRoute({
    ...userRoute("chat", parts.user, "messages"),
    method: "get",
    path: "/api/chat/stream",
    operationId: "streamChat",
    summary: "Stream the messages and counters of the caller's conversation (server-sent events)",
    request: { headers: headersSchema, query: querySchema },
    responses: { ...streamResponses },
    errors: [...streamErrors],
  });
  app.openapi(route, (c) => {
    const { id: userId, impersonatedBy } = c.var.user;
    // A reader with an open stream counts as present, and gets no email about a reply.
    if (impersonatedBy !== undefined)
      throw new AppError(
        "forbidden",
        "The stream is not available while impersonating a user. Use /api/chat/messages instead",
      );
    return answer(c.req.raw, parts, {
      listener: { kind: "user", userId },
      lastSeq: toLastSeq(c.req.valid("header")["last-event-id"], c.req.valid("query").lastEventId),
      isAllowed: createRecheck(parts.userCheck, c.req.raw, userId),
      toConversation: toStateView,
    });
  });
}

function addAdminStream(app: ServiceApp, parts: StreamParts): void {
  const route = createRoute({
    ...adminRoute("admin chat", parts.admin),
    method: "get",
    path: "/api/admin/chat/stream",
    operationId: "adminStreamChat",
    summary:
      "Stream the messages of all conversations, and conversations: first the 100 newest unread ones, then every change",
    request: { headers: headersSchema, query: querySchema },
    responses: { ...streamResponses },
    errors: [...streamErrors],
  });
  app.openapi(route, (c) =>
    answer(c.req.raw, parts, {
      listener: { kind: "admin" },
      lastSeq: toLastSeq(c.req.valid("header")["last-event-id"], c.req.valid("query").lastEventId),
      toConversation: (conversation) => conversation && toConversationView(conversation),
    }),
  );
}

/** Adds /api/chat/stream and /api/admin/chat/stream. */
export function addChatStreamRoutes(app: ServiceApp, parts: StreamParts): void {
  addUserStream(app, parts);
  addAdminStream(app, parts);
}
