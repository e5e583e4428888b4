/** A real auth center on a port, which knows the install's services, and browsers that go through it. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { keepOwnClient } from "../../src/auth/applications/own-clients.ts";
import { loadConfig } from "../../src/config.ts";
import { silentLog } from "../../src/kit/observe/log.ts";
import type { AccountCenter } from "../../src/kit/outbound/account-center.ts";
import { openAccountCenter } from "../../src/service/account-center.ts";
import { type OwnClient, listOwnAddresses, toClientSecret } from "../../src/service/own-clients.ts";
import { type TestApp, createTestApp } from "../auth/app-fixture.ts";
import { readOnward } from "../auth/oidc/onward.ts";
import type { Browser } from "../auth/pages/browser.ts";

const SECRET = "a secret of a service, long enough for its box";

export interface OwnCenter {
  auth: TestApp;
  /** Whether it answers at all; true at first. */
  isUp: boolean;
  /** The center as a service at http://localhost asks it. */
  connect(service: OwnClient): Promise<AccountCenter>;
  /** Leads a browser that is signed in at the center to the service's callback; gives that path with its query. */
  passThrough(browser: Browser, begun: Response): Promise<string>;
  /** Forgets all users. */
  reset(): Promise<void>;
  close(): void;
}

/** The cookie pairs that an answer sets. */
export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** Opens one on a port of 127.0.0.1. */
export async function openOwnCenter(): Promise<OwnCenter> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      if (!center.isUp) return response.destroy();
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const { method = "GET" } = request;
      const init = { method, headers, ...(body === "" ? {} : { body }) };
      const answer = await center.auth.raw(request.url ?? "", init);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      return response.end(await answer.text());
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The address of a listener on a port, not of a pipe.
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const place = "http://localhost";
  const config = loadConfig({
    AUTH_URL: url,
    AUTH_PUBLIC_URL: place,
    PUBLIC_URL: place,
    SHOP_PUBLIC_URL: place,
    MONITOR_SECRET: SECRET,
    SHOP_SECRET: SECRET,
  });
  const center: OwnCenter = {
    auth: await createTestApp(),
    isUp: true,
    connect: async (service) => {
      const kept = await keepOwnClient(center.auth.auth, {
        id: service,
        name: service,
        secret: toClientSecret(SECRET),
        postLogoutRedirectUris: [],
        logoutUrl: `${url}/backchannel-logout`,
        redirectUris: listOwnAddresses(config, service).map(({ appUrl }) => `${appUrl}/callback`),
      });
      assert.equal(kept, "kept");
      const context = { config, clock: center.auth.clock, log: silentLog };
      return openAccountCenter(context, service);
    },
    passThrough: async (browser, begun) => {
      assert.equal(begun.status, 302);
      const { pathname, search } = new URL(begun.headers.get("location") ?? "");
      const onward = new URL(readOnward(await browser.get(pathname + search)));
      return onward.pathname + onward.search;
    },
    reset: async () => {
      center.auth = await createTestApp();
    },
    close: () => void server.close(),
  };
  return center;
}
