/** A stream of the chat on a real port: what a connection that ends does to it. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { serveHttp } from "../../../src/runtime/http/http.ts";
import { type RawClient, connectRaw } from "../../runtime/http/raw-client.ts";
import { type TestShop, createTestShop } from "../app-fixture.ts";
import { EventReader, write } from "./chat-fixture.ts";
import { until } from "../../support/eventually.ts";

const PATH = "/api/chat/stream";

interface Port {
  readonly app: TestShop;
  readonly url: string;
  /** Opens a stream on a connection that can be torn down: aborting a fetch closes none on every runtime. */
  readonly openRaw: () => Promise<RawClient>;
  readonly stop: () => Promise<void>;
}

async function startPort(): Promise<Port> {
  const app = await createTestShop();
  const listener = await serveHttp({ hostname: "127.0.0.1", port: 0, handler: app.handle });
  return {
    app,
    url: `http://127.0.0.1:${listener.port}${PATH}`,
    openRaw: async () => {
      const client = await connectRaw(listener.port);
      client.socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token-ann\r\n\r\n`);
      await client.until((text) => text.includes("event: conversation"));
      return client;
    },
    stop: () => listener.close({ graceMs: 5_000 }),
  };
}

const headers = { authorization: "Bearer token-ann" };

it("flushes each event, and frees its place when the client goes away", async () => {
  const { app, url, openRaw, stop } = await startPort();
  const clients = [];
  for (let i = 0; i < 5; i += 1) clients.push(await openRaw());
  await write(app, "ann", "hello");
  for (const client of clients) await client.until((text) => text.includes('"body":"hello"'));
  const more = await fetch(url, { headers });
  assert.equal(more.status, 429);
  await more.body?.cancel();
  clients[0]?.socket.destroy();
  await until(() => app.shop.chat.openPlaces() === 4);
  const again = new EventReader(await fetch(url, { headers: { ...headers, "last-event-id": "0" } }));
  assert.equal((await again.message()).body, "hello");
  await again.cancel();
  for (const client of clients) client.socket.destroy();
  await until(() => app.shop.chat.openPlaces() === 0);
  await stop();
});

it("frees the place of a waiting request whose client goes away", async () => {
  const { app, url, stop } = await startPort();
  const client = await connectRaw(Number(new URL(url).port));
  const path = "/api/chat/messages?after=0&wait=25";
  client.socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token-ann\r\n\r\n`);
  await until(() => app.shop.chat.openPlaces() === 1);
  client.socket.destroy();
  await until(() => app.shop.chat.openPlaces() === 0);
  await stop();
});

it("ends with the service, so that the listener closes in good order", async () => {
  const { app, url, openRaw, stop } = await startPort();
  const stream = new EventReader(await fetch(url, { headers }));
  await stream.state();
  const raw = await openRaw();
  const end = stream.next();
  app.shop.chat.close();
  assert.equal(await end, undefined);
  await stop();
  assert.ok((await raw.ended()).endsWith("\r\n0\r\n\r\n"));
});
