/** An empty shop and a browser, with a payment service, a mail server and a receiver of webhooks on this machine. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type Server, createServer } from "node:http";
import { text } from "node:stream/consumers";
import { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { createBepusdtGateway } from "../../shop/payments/gateways/bepusdt.ts";
import type { Gateway } from "../../shop/payments/gateways/gateway.ts";
import { launchBrowser } from "../../support/browser/launch.ts";
import { type Programs, createPrograms } from "../../support/program.ts";
import { type SmtpPeer, startSmtpPeer } from "../../support/smtp-peer.ts";
import { ADMIN_TOKEN } from "../site.ts";
import { type PageOptions, type WatchedPage, withPage } from "../watched-page.ts";

/** The only ones that the mail server lets in. */
export const MAIL_LOGIN = { user: "shop", password: "a password of the mail server" };

/** A message that came to the receiver. */
interface ReceivedEvent {
  readonly type: string;
  readonly signature: string;
}

export interface SettingsRoom {
  /** Sends a request as administrator; resolves with the answer. */
  admin<T = unknown>(method: string, path: string, body?: object): Promise<T>;
  gateway(): Gateway;
  smtp(): SmtpPeer;
  receiver(): { readonly url: string; readonly events: readonly ReceivedEvent[] };
  page(
    options: Omit<PageOptions, "baseURL"> & { name: string },
    work: (watched: WatchedPage) => Promise<void>,
  ): Promise<void>;
}

async function serve(
  answer: (request: Request) => Promise<Response>,
): Promise<[url: string, server: Server]> {
  let url = "";
  const server = createServer((request, response) => {
    const { method = "GET" } = request;
    void text(request)
      .then((body) => {
        const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
        return answer(
          new Request(url + (request.url ?? ""), {
            method,
            headers: Object.fromEntries(headers) as Record<string, string>,
            ...(body === "" ? {} : { body }),
          }),
        );
      })
      .then(async (said) => {
        const type = said.headers.get("content-type") ?? "text/plain";
        response.writeHead(said.status, { "content-type": type }).end(await said.text());
      });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  url = `http://127.0.0.1:${address.port}`;
  return [url, server];
}

async function close(server: Server | undefined): Promise<void> {
  if (server === undefined) return;
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}

/** Prepares it before the tests of a suite, and stops it after them. */
export function createSettingsRoom(): SettingsRoom {
  let browser: Browser;
  let programs: Programs;
  let smtp: SmtpPeer;
  let gateway: Gateway;
  let servers: Server[] = [];
  let [url, receiverUrl] = ["", ""];
  const events: ReceivedEvent[] = [];

  before(async () => {
    [browser, programs, smtp] = await Promise.all([
      launchBrowser(),
      createPrograms(["shop"]),
      startSmtpPeer({ credentials: MAIL_LOGIN }),
    ]);
    const [origin, service] = await serve((request) => gateway.answer(request));
    gateway = createBepusdtGateway({ origin, now: () => Date.now() });
    const [address, receiver] = await serve(async (request) => {
      const message: unknown = await request.json();
      const type = typeof message === "object" && message !== null && "type" in message ? message.type : "";
      events.push({ type: String(type), signature: request.headers.get("webhook-signature") ?? "" });
      return new Response("taken with thanks");
    });
    servers = [service, receiver];
    receiverUrl = `${address}/events`;
    const env = { LOG_LEVEL: "warn", ADMIN_TOKEN, NOTIFY_PRIVATE: "1", SMTP_PRIVATE: "1" };
    url = await programs.shopUrl(programs.run(env));
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
    await smtp?.close();
    for (const server of servers) await close(server);
  });

  return {
    admin: async <T>(method: string, path: string, body?: object) => {
      const response = await fetch(url + path, {
        method,
        headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const said = await response.text();
      assert.ok(response.ok, `${method} ${path}: ${response.status} ${said}`);
      // What a test needs of an answer is checked where it is used.
      return JSON.parse(said === "" ? "null" : said) as T;
    },
    gateway: () => gateway,
    smtp: () => smtp,
    receiver: () => ({ url: receiverUrl, events }),
    page: (options, work) => withPage(browser, { ...options, baseURL: url }, work),
  };
}
