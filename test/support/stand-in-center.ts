/** A fake auth center on loopback with configurable responses, which records requests. */
import { toIsoTime } from "../../src/kit/text/iso-time.ts";
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AuthResult } from "../../src/clients/js/client.ts";
import { START } from "./fixed-clock.ts";

export type Respond = (res: ServerResponse, req: IncomingMessage) => void;

/** Answers with a JSON body. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Respond {
  return (res) => {
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
}

export const user = {
  id: "u1",
  username: "mia",
  displayName: "Mia Å",
  emailVerified: true,
  role: "user",
  groups: ["family"],
};
const held = { sessionId: "s1", clientId: "web", expiresAt: START + 900_000, amr: ["pwd"], aal: 1 };
/** The body of the center's 200, and what the client makes of it. */
export const answer = { valid: true, user, ...held, expiresAt: toIsoTime(held.expiresAt) };
const firstParty = {
  authenticatedAt: undefined,
  administers: undefined,
  adminScopes: undefined,
  audience: undefined,
  scopes: undefined,
};
export const valid: AuthResult = { status: "valid", user, ...held, ...firstParty };
export const refused: AuthResult = { status: "refused" };

export const problem = { "content-type": "application/problem+json" };
export const sayValid = json(200, answer);
export const sayRefused = json(401, { status: 401, code: "token_invalid" }, problem);
export const sayBusy = json(503, { status: 503, code: "unavailable" }, { ...problem, "retry-after": "7" });

/** The reason of an answer that is none, else its status. */
export function toReason(result: AuthResult): string {
  return result.status === "auth_unavailable" ? result.reason : result.status;
}

export interface StandInCenter {
  readonly url: string;
  respond: Respond;
  seen: IncomingMessage[];
  /** Keeps responses back from now on. */
  hold(): void;
  /** Sends the responses that were held back, with `respond` as of their requests. Later ones are sent at once. */
  takeHeld(): () => void;
  /** Resolves when the next request has arrived. */
  nextRequest(): Promise<void>;
  /** Valid answers at once, nothing seen. */
  reset(): void;
  close(): Promise<void>;
}

/** Opens one on a port of 127.0.0.1. */
export async function openCenter(): Promise<StandInCenter> {
  let kept: (() => void)[] | undefined;
  let arrived: () => void = () => undefined;
  const server = createServer((req, res) => {
    const { respond } = center;
    center.seen.push(req);
    if (kept === undefined) respond(res, req);
    else kept.push(() => respond(res, req));
    arrived();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const center: StandInCenter = {
    url: `http://127.0.0.1:${address.port}`,
    respond: sayValid,
    seen: [],
    hold() {
      kept = [];
    },
    takeHeld() {
      const taken = kept ?? [];
      kept = undefined;
      return () => {
        for (const go of taken) go();
      };
    },
    nextRequest: () =>
      new Promise((resolve) => {
        arrived = resolve;
      }),
    reset() {
      center.respond = sayValid;
      center.seen = [];
      kept = undefined;
      arrived = () => undefined;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return center;
}
