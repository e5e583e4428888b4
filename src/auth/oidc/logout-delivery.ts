/**
 * Notifies applications that a sign-in has ended (OpenID Connect Back-Channel Logout 1.0 sections 2.4 to 2.8): queued
 * in the same transaction, retried for a day.
 */
import type { Clock } from "../../kit/time/clock.ts";
import type { Outbound } from "../../kit/outbound/outbound.ts";
import { newId } from "../../kit/secrets/id.ts";
import { writeAudit } from "../../records/audit.ts";
import {
  type DeliveryOutcome,
  type DeliveryQueue,
  createDelivery,
  toBackOffMs,
} from "../../records/delivery.ts";
import { toDeliveryOutcome } from "../../records/webhook-request.ts";
import type { ClientRecord } from "../applications/schema.ts";
import type { AuthDeps } from "../base/deps.ts";
import { clients } from "../applications/records.ts";
import { logouts } from "../sessions/records.ts";
import type { Jwts } from "../sessions/jwt.ts";
import type { LogoutRecord } from "../sessions/schema.ts";

/** Longer than a request can take; after it a message whose process died is free again. */
const CLAIM_MS = 60_000;
/** Waiting messages that are looked at in one run, so that one dead application hides no other. */
const LOOK = 500;
const AT_ONCE = 4;
const SWEPT_AT_ONCE = 200;
/** As an ID token of the same key must not pass for it, it is short-lived (section 2.4). */
const TOKEN_SECONDS = 120;
const EVENT = "http://schemas.openid.net/event/backchannel-logout";

export interface LogoutDeps extends Pick<AuthDeps, "store" | "log"> {
  /** Wall time. */
  readonly clock: Clock;
  /** Time for whatever expires. */
  readonly expiry: Clock;
  readonly jwts: Pick<Jwts, "sign">;
  readonly issuer: string;
  /** Undefined: nothing is sent, and all waits. */
  readonly outbound: Outbound | undefined;
}

interface Message extends Pick<LogoutRecord, "userId" | "sid"> {
  readonly client: ClientRecord;
}

function createSender({ jwts, issuer, clock }: LogoutDeps, outbound: Outbound) {
  return {
    send: async ({ client, userId, sid }: Message): Promise<DeliveryOutcome> => {
      const claims = {
        iss: issuer,
        sub: userId,
        aud: client.id,
        sid,
        jti: newId("lgo", clock.now()),
        events: { [EVENT]: {} },
      };
      const how = { alg: client.idTokenAlgorithm, typ: "logout+jwt", seconds: TOKEN_SECONDS };
      const body = new URLSearchParams({ logout_token: await jwts.sign(claims, how) }).toString();
      const contentType = "application/x-www-form-urlencoded";
      const url = client.backchannelLogoutUri;
      return toDeliveryOutcome(
        await outbound.send({ method: "POST", url, contentType, body }),
        "application",
      );
    },
  };
}

/** The records as the delivery sees them. */
function createQueue({ store, expiry }: LogoutDeps): DeliveryQueue<Message> {
  /** Applications whose last message did not go through: each gets one try in a run. */
  const failing = new Set<string>();
  return {
    listDue: async ({ limit }) => {
      const { items } = await store.read((tx) =>
        tx.list(logouts, "byDue", { to: [expiry.now() + 1], limit: LOOK }),
      );
      const tried = new Set<string>();
      const due = items.filter(({ clientId }) => {
        const isTurn = !failing.has(clientId) || !tried.has(clientId);
        tried.add(clientId);
        return isTurn;
      });
      return due.slice(0, limit).map(({ id, clientId }) => ({ id, kind: "logout", to: clientId }));
    },
    claim: (id) =>
      store.transact(async (tx) => {
        const nowMs = expiry.now();
        const found = await tx.get(logouts, id);
        // The sweep removes and reports expired ones.
        if (found === undefined || found.nextAttemptAt > nowMs || found.expiresAt <= nowMs) return "taken";
        const client = await tx.get(clients, found.clientId);
        if (client === undefined || client.backchannelLogoutUri === "") {
          await tx.remove(logouts, id);
          return "dropped";
        }
        const { userId, sid } = found;
        const attempts = found.attempts + 1;
        await tx.put(logouts, { ...found, attempts, nextAttemptAt: nowMs + CLAIM_MS });
        return { id, kind: "logout", attempts, message: { client, userId, sid } };
      }),
    settle: ({ id, attempts }, outcome) =>
      store.transact(async (tx) => {
        const found = await tx.get(logouts, id);
        if (found === undefined) return;
        if (outcome.status === "sent") {
          failing.delete(found.clientId);
          await tx.remove(logouts, id);
          return;
        }
        failing.add(found.clientId);
        if (found.attempts !== attempts) return;
        const nextAttemptAt = expiry.now() + toBackOffMs(attempts);
        await tx.put(logouts, { ...found, nextAttemptAt, lastError: outcome.reason });
      }),
  };
}

/** Discards notifications that were undeliverable for a day, and writes one audit entry per application. */
function createSweep({ store, clock, expiry }: LogoutDeps) {
  return (): Promise<number> =>
    store.transact(async (tx) => {
      const range = { to: [expiry.now() + 1], limit: SWEPT_AT_ONCE };
      const { items } = await tx.list(logouts, "byExpiresAt", range);
      for (const { id } of items) await tx.remove(logouts, id);
      const actor = { name: "auth", requestId: "" };
      for (const target of new Set(items.map(({ clientId }) => clientId))) {
        const own = items.filter(({ clientId }) => clientId === target);
        const reason = own.at(-1)?.lastError ?? "The logout notification could not be sent";
        const changes = [`sign-outs: ${own.length}`, `reason: ${reason}`];
        await writeAudit(
          tx,
          { actor, action: "client.logout-undelivered", target, result: "refused", changes },
          clock,
        );
      }
      return items.length;
    });
}

export type LogoutDelivery = ReturnType<typeof createLogoutDelivery>;

export function createLogoutDelivery(deps: LogoutDeps) {
  const { log, outbound } = deps;
  const sender = outbound && createSender(deps, outbound);
  const words = { noun: "logout", waits: "sending is disabled here", unreadable: "" } as const;
  return {
    ...createDelivery({ queue: createQueue(deps), log, words, atOnce: AT_ONCE, sender: () => sender }),
    /** Removes up to 200 messages whose time is over, tells administrators, and says how many there were. */
    sweep: createSweep(deps),
  };
}
