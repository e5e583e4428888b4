/** A receiver of notices on this machine. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { eventually } from "../support/eventually.ts";

export interface ReceivedNotice {
  readonly kind: string;
  readonly severity: string;
  readonly title: string;
  readonly text: string;
}

export interface Receiver {
  readonly url: string;
  /** In the order in which they came. */
  readonly notices: readonly ReceivedNotice[];
  /** Resolves when there are so many. */
  waitFor(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a receiver that takes what the default template of an HTTP channel sends. */
export async function startReceiver(): Promise<Receiver> {
  const notices: ReceivedNotice[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const notice: ReceivedNotice = JSON.parse(body);
      notices.push(notice);
      response.writeHead(200, { "content-type": "text/plain" }).end("taken with thanks");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    url: `http://127.0.0.1:${address.port}/notices`,
    notices,
    waitFor: (count) =>
      eventually(() => assert.ok(notices.length >= count, `${notices.length} notices came`)),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
