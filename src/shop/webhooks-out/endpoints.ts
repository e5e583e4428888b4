/** Endpoints of webhooks as administrators keep them. */
import { newWebhookSecret } from "../../kit/secrets/webhook-signature.ts";
import { changedFields } from "../../kit/text/changes.ts";
import { AppError } from "../../kit/errors.ts";
import { findAddressFault } from "../../kit/outbound/allowed-networks.ts";
import { findUrlFault } from "../../kit/outbound/outbound.ts";
import { newId } from "../../kit/secrets/id.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { fieldError } from "../products/rules.ts";
import { type ExpectedVersion, assertVersion } from "../../records/versions.ts";
import { webhookDeliveries, webhookEndpoints, webhookFailing } from "./records.ts";
import { MAX_ENDPOINTS } from "./events.ts";
import type { EndpointRecord, EventType } from "./schema.ts";
import { sealSecret } from "./secrets.ts";
import { releaseAll } from "./sender.ts";

/** How long the secret before signs as well. */
const ROTATION_MS = 86_400_000;
const REMOVED_AT_ONCE = 500;

/** An endpoint's fields for administrators. */
export interface EndpointFields {
  readonly url: string;
  readonly description: string;
  readonly types: EventType[];
  readonly enabled: boolean;
}

/** An endpoint with how it fares. */
export interface EndpointState {
  readonly endpoint: EndpointRecord;
  /** Since when nothing goes through; undefined while all is well. */
  readonly failingSince: number | undefined;
  /** While it fails: when the next attempt is made. */
  readonly pausedUntil: number | undefined;
}

/** An endpoint with its secret, which is shown this once. */
export interface EndpointSecret extends EndpointState {
  readonly secret: string;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box">;

/** Endpoint by id. @throws AppError `not_found` */
export async function getEndpoint(tx: ReadTx, id: string): Promise<EndpointRecord> {
  const found = await tx.get(webhookEndpoints, id);
  if (found === undefined) throw new AppError("not_found", "This webhook does not exist");
  return found;
}

async function toState(tx: ReadTx, endpoint: EndpointRecord): Promise<EndpointState> {
  const failing = await tx.get(webhookFailing, endpoint.id);
  return { endpoint, failingSince: failing?.since, pausedUntil: failing?.pausedUntil };
}

/** Names are looked up when something is sent; an address that is never sent to is refused at once. */
function assertUrl(url: string): void {
  const host = URL.canParse(url) ? new URL(url).hostname.replaceAll(/^\[|\]$/gu, "") : "";
  const isAddress = /^[\d.]+$|:/u.test(host);
  const rules = { allowPrivate: true, privateRemedy: "" };
  const fault =
    findUrlFault(url) ?? (isAddress ? findAddressFault(host, { ...rules, addresses: [host] }) : undefined);
  if (fault === undefined) return;
  throw new AppError("invalid", "The webhook URL is not allowed", {
    errors: [fieldError("/url", fault)],
  });
}

function withFields(base: EndpointRecord, fields: Partial<EndpointFields>, nowMs: number): EndpointRecord {
  const { enabled = base.on !== undefined, url = base.url } = fields;
  const { description = base.description, types = base.types } = fields;
  const on = enabled ? "yes" : undefined;
  const offReason = enabled ? undefined : base.offReason;
  return { ...base, url, description, types, on, offReason, updatedAt: nowMs };
}

/** The administration of endpoints. */
export class WebhookEndpoints {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** All of them, in the order of their making. */
  list(): Promise<EndpointState[]> {
    return this.#deps.store.read(async (tx) => {
      const all = await listEvery(tx, webhookEndpoints, { index: "id" });
      return Promise.all(all.map((endpoint) => toState(tx, endpoint)));
    });
  }

  /** Throws `not_found`. */
  get(id: string): Promise<EndpointState> {
    return this.#deps.store.read(async (tx) => toState(tx, await getEndpoint(tx, id)));
  }

  /** Throws `invalid`, `conflict` when there are as many as there may be. */
  create(fields: EndpointFields, actor: AuditActor): Promise<EndpointSecret> {
    const { store, clock, box } = this.#deps;
    assertUrl(fields.url);
    const secret = newWebhookSecret();
    return store.transact(async (tx) => {
      if ((await tx.count(webhookEndpoints)) >= MAX_ENDPOINTS)
        throw new AppError("conflict", `You can have up to ${MAX_ENDPOINTS} webhooks. Delete one first`);
      const nowMs = clock.now();
      const id = newId("whe", nowMs);
      const base = { ...fields, id, version: 0, sealedSecret: sealSecret(box, secret) };
      const { enabled, ...blank } = { ...base, createdAt: nowMs, updatedAt: nowMs };
      const endpoint = await tx.insert(webhookEndpoints, withFields(blank, { enabled }, nowMs));
      await this.#audit(tx, { actor, action: "create", id, changes: [`host: ${new URL(fields.url).host}`] });
      return { endpoint, failingSince: undefined, pausedUntil: undefined, secret };
    });
  }

  /** A changed address, or one that is switched on again, is tried at once. Throws `not_found`, `invalid`, `version_conflict`, `stale_version`. */
  change(
    id: string,
    { fields, actor, ...expected }: ExpectedVersion & { fields: Partial<EndpointFields>; actor: AuditActor },
  ): Promise<EndpointState> {
    const { store, clock } = this.#deps;
    if (fields.url !== undefined) assertUrl(fields.url);
    return store.transact(async (tx) => {
      const before = await getEndpoint(tx, id);
      assertVersion(before.version, expected);
      const after = withFields(before, fields, clock.now());
      if (after.url !== before.url || after.on !== before.on) await tx.remove(webhookFailing, id);
      const changes = changedFields(before, after).filter((name) => name !== "updatedAt");
      await this.#audit(tx, { actor, action: "change", id, changes });
      return toState(tx, await tx.put(webhookEndpoints, after));
    });
  }

  /**
   * Ends the pause of an endpoint that failed, and makes everything that waits due now. Throws `not_found`, `conflict`
   * for an endpoint that is off.
   */
  async resume(id: string, actor: AuditActor): Promise<EndpointState> {
    const { store } = this.#deps;
    await store.transact(async (tx) => {
      const { on } = await getEndpoint(tx, id);
      if (on === undefined) throw new AppError("conflict", "The webhook is disabled. Enable it first");
      await tx.remove(webhookFailing, id);
      await this.#audit(tx, { actor, action: "resume", id, changes: [] });
    });
    await releaseAll(this.#deps, id);
    return this.get(id);
  }

  /** A new secret; the one before signs as well for a day. Throws `not_found`. */
  rotate(id: string, actor: AuditActor): Promise<EndpointSecret> {
    const { store, clock, box } = this.#deps;
    const secret = newWebhookSecret();
    return store.transact(async (tx) => {
      const before = await getEndpoint(tx, id);
      const nowMs = clock.now();
      const endpoint = await tx.put(webhookEndpoints, {
        ...before,
        sealedSecret: sealSecret(box, secret),
        sealedPrevious: before.sealedSecret,
        previousUntil: nowMs + ROTATION_MS,
        updatedAt: nowMs,
      });
      await this.#audit(tx, { actor, action: "rotate", id, changes: [] });
      return { ...(await toState(tx, endpoint)), secret };
    });
  }

  /** Removes an endpoint with all that waits for it. Throws `not_found`. */
  async remove(id: string, actor: AuditActor): Promise<void> {
    const { store } = this.#deps;
    await store.transact(async (tx) => {
      const { url } = await getEndpoint(tx, id);
      await tx.remove(webhookEndpoints, id);
      await tx.remove(webhookFailing, id);
      await this.#audit(tx, { actor, action: "delete", id, changes: [`host: ${new URL(url).host}`] });
    });
    let removed: number;
    do {
      removed = await store.transact(async (tx) => {
        const page = { prefix: [id], limit: REMOVED_AT_ONCE };
        const { items } = await tx.list(webhookDeliveries, "byEndpoint", page);
        for (const item of items) await tx.remove(webhookDeliveries, item.id);
        return items.length;
      });
    } while (removed === REMOVED_AT_ONCE);
  }

  #audit(
    tx: Tx,
    entry: { actor: AuditActor; action: string; id: string; changes: readonly string[] },
  ): Promise<void> {
    const { actor, action, id, changes } = entry;
    return writeAudit(tx, { actor, action: `webhook.${action}`, target: id, changes }, this.#deps.clock);
  }
}
