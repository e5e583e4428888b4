/** For tests of the chat: a reader of its streams, and the orders and products that messages can be about. */
import assert from "node:assert/strict";
import { orders } from "../../../src/shop/orders/records.ts";
import { products } from "../../../src/shop/products/records.ts";
import type { Store } from "../../../src/store/store.ts";
import { type RequestOptions, type TestShop, ADMIN_TOKEN, read } from "../app-fixture.ts";

export interface Message {
  readonly id: string;
  readonly seq: number;
  readonly conversationId: string;
  readonly sender: string;
  readonly body: string;
  readonly clientId: string;
  readonly attachments: readonly { id: string; url: string; width: number; mediaType: string }[];
  readonly orderId?: string;
  readonly createdAt: string;
}

export interface State {
  readonly id?: string;
  readonly username?: string;
  readonly status: string;
  readonly unreadUser: number;
  readonly unreadAdmin: number;
  readonly readByUser: number;
  readonly readByAdmin: number;
  readonly lastSeq: number;
  readonly assignee?: string;
  readonly preview?: string;
}

export interface History {
  readonly items: Message[];
  readonly nextCursor?: string;
  readonly conversation: State;
}

/** One block of a stream, as a browser would take it apart. */
export interface StreamEvent {
  readonly id?: string;
  readonly event?: string;
  readonly comment?: string;
  readonly data?: unknown;
}

function parseBlock(block: string): StreamEvent {
  const event: { -readonly [K in keyof StreamEvent]: StreamEvent[K] } = {};
  for (const line of block.split("\n")) {
    if (line.startsWith(":")) event.comment = line.slice(1).trim();
    const [, name, value] = /^(id|event|data): (.*)$/u.exec(line) ?? [];
    if (name === "id" && value !== undefined) event.id = value;
    if (name === "event" && value !== undefined) event.event = value;
    if (name === "data" && value !== undefined) event.data = JSON.parse(value);
  }
  return event;
}

/** An open stream. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(response: Response) {
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/u);
    assert.ok(response.body);
    this.#reader = response.body.getReader();
  }

  /** The next block; undefined at the end. */
  async next(): Promise<StreamEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end !== -1) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return parseBlock(block);
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  /** The next one of this kind; others are passed over. */
  async nextOf(event: string): Promise<StreamEvent> {
    for (;;) {
      const found = await this.next();
      assert.ok(found, `the stream ended before an event "${event}"`);
      if (found.event === event) return found;
    }
  }

  async message(): Promise<Message> {
    const { id, data } = await this.nextOf("message");
    const message = data as Message;
    assert.equal(id, String(message.seq));
    return message;
  }

  async state(): Promise<State> {
    const { id, data } = await this.nextOf("conversation");
    assert.equal(id, undefined);
    return data as State;
  }

  /** Goes away, as a client does. */
  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}

/** Opens a stream as a user, or without a name as administrator. */
export async function openStream(
  app: Pick<TestShop, "send">,
  as: string | undefined,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly query?: string } = {},
): Promise<EventReader> {
  const path = as === undefined ? "/api/admin/chat/stream" : "/api/chat/stream";
  const headers = { ...(as === undefined ? { "x-admin-token": ADMIN_TOKEN } : {}), ...options.headers };
  return new EventReader(await app.send("GET", `${path}${options.query ?? ""}`, { as, headers }));
}

/** A user writes. */
export async function write(
  app: Pick<TestShop, "send">,
  as: string,
  body: string,
  more: object = {},
): Promise<Message> {
  const options: RequestOptions = { as, body: { body, ...more } };
  return read<Message>(await app.send("POST", "/api/chat/messages", options), 201);
}

/** An administrator answers a user. */
export async function reply(
  app: Pick<TestShop, "admin">,
  to: string,
  body: string,
  more: object = {},
): Promise<Message> {
  const path = `/api/admin/chat/conversations/usr_${to}/messages`;
  return read<Message>(await app.admin("POST", path, { body, ...more }), 201);
}

/** Stores an order of a user's as a checkout would leave it. */
export async function insertOrder(
  store: Store,
  { id, userId, email, createdAt = 1 }: { id: string; userId: string; email: string; createdAt?: number },
): Promise<void> {
  const line = {
    id: "line_1",
    productId: "prd_1",
    stockId: "prd_1",
    stockMode: "unlimited" as const,
    title: "Mug",
    sku: "",
    options: {},
    quantity: 1,
    unitPrice: 100,
    subtotal: 100,
    discount: 0,
    total: 100,
    deliveryType: "manual" as const,
    inputs: {},
    instructions: "",
    secretIds: [],
  };
  await store.transact((tx) =>
    tx.insert(orders, {
      id,
      number: `N-${id}`,
      userId,
      email,
      emailLower: email,
      language: "en",
      status: "pending_payment",
      paymentStatus: "unpaid",
      attention: [],
      currency: "EUR",
      subtotal: 100,
      discount: 0,
      shipping: 0,
      total: 100,
      amountPaid: 0,
      amountRefunded: 0,
      lines: [line],
      history: [],
      note: "",
      paymentMethod: "demo",
      expiresAt: createdAt + 1,
      createdAt,
      updatedAt: createdAt,
    }),
  );
}

/** Stores a product. */
export async function insertProduct(
  store: Store,
  { id, status }: { id: string; status: "draft" | "published" },
): Promise<void> {
  await store.transact((tx) =>
    tx.insert(products, {
      id,
      slug: id.replaceAll("_", "-"),
      status,
      title: "Mug",
      summary: "",
      description: "",
      images: [],
      tags: [],
      price: 100,
      currency: "EUR",
      sku: "",
      variants: [],
      stockMode: "unlimited",
      minQuantity: 1,
      maxQuantity: 10,
      deliveryType: "manual",
      inputs: [],
      instructions: "",
      translations: {},
      sortOrder: 0,
      createdAt: 1,
      updatedAt: 1,
    }),
  );
}
