/** API keys: created, found when a request shows one, changed and revoked. A key is kept as its hash alone. */
import type { LimitSource } from "../../bus/shared-limit.ts";
import { AppError } from "../../kit/errors.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import { createNetworkCheck, toAddressPrefix, toNetwork } from "../../kit/outbound/ip-address.ts";
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { newId, newSecret } from "../../kit/secrets/id.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { type Store, StoreError, type Tx } from "../../store/store.ts";
import { type AuditActor, writeAudit } from "../audit.ts";
import type { Principal } from "./principal.ts";
import { type ApiKeyRecord, apiKeys } from "./schema.ts";
import { type AdminScope, isAdminScope } from "./scopes.ts";

/** As many keys as a service may have. */
export const MAX_KEYS = 100;
/** A use is written down when the last one that was is so old. */
const USE_MS = 5 * 60_000;
const MINUTE_MS = 60_000;
/** Requests a minute. */
const REQUESTS = 600;
const FAILURES = 30;
const FAILURE_WINDOW_MS = 15 * MINUTE_MS;

const PREFIX = "key";
const CHECK_LENGTH = 6;
const HINT_LENGTH = 10;
/** `key_`, 32 random bytes in base64url, and six hex digits of their SHA-256: scanners of secrets tell it from other text. */
const KEY = /^key_[\w-]{43}[0-9a-f]{6}$/u;

/** Whether a Bearer token claims to be an API key. */
export function looksLikeKey(token: string): boolean {
  return token.startsWith(`${PREFIX}_`);
}

function newKey(): string {
  const secret = newSecret(PREFIX);
  return secret + hashSecret(secret).slice(0, CHECK_LENGTH);
}

function isWellFormed(key: string): boolean {
  const secret = key.slice(0, -CHECK_LENGTH);
  return KEY.test(key) && hashSecret(secret).startsWith(key.slice(-CHECK_LENGTH));
}

export interface ApiKeyInput {
  readonly name: string;
  readonly scopes: readonly AdminScope[];
  readonly networks: readonly string[];
  /** Epoch ms; absent: it counts until it is revoked. */
  readonly expiresAt?: number | undefined;
}

export interface ApiKeyChange {
  readonly name?: string | undefined;
  readonly networks?: readonly string[] | undefined;
  /** null: it counts until it is revoked. */
  readonly expiresAt?: number | null | undefined;
}

export interface ApiKeys {
  /** The newest first. */
  list(): Promise<readonly ApiKeyRecord[]>;
  /** The key itself is given this once. Throws `invalid`, `already_exists`, `conflict`. */
  create(
    input: ApiKeyInput,
    actor: AuditActor,
  ): Promise<{ readonly record: ApiKeyRecord; readonly key: string }>;
  /** Throws `not_found`, `invalid`, `already_exists`. */
  change(id: string, change: ApiKeyChange, actor: AuditActor): Promise<ApiKeyRecord>;
  /** Throws `not_found`. */
  revoke(id: string, actor: AuditActor): Promise<void>;
  /**
   * The principal of a key. Throws `token_invalid` for an unknown or expired key, `forbidden` from a network that it
   * does not list, `rate_limited`.
   */
  identify(key: string, clientAddress: string): Promise<Principal>;
}

export interface KeyDeps {
  readonly store: Store;
  /** For records and the audit. */
  readonly clock: Clock;
  /** For what expires. */
  readonly expiry: { now(): number };
  readonly limits: LimitSource;
  /** Notifies the administrators about a key that was created or changed, in the same transaction. */
  readonly tell?: ((tx: Tx, change: KeyNews) => Promise<unknown>) | undefined;
}

/** A change of a key, and its actor. */
export interface KeyNews {
  readonly kind: "created" | "changed";
  readonly record: Pick<ApiKeyRecord, "name" | "scopes">;
  readonly actor: AuditActor;
}

/** In their usual form, each once. */
function toNetworks(entries: readonly string[]): string[] {
  const networks = entries.map((entry) => toNetwork(entry.trim())).filter((network) => network !== undefined);
  return [...new Set(networks)];
}

function getEnd(expiresAt: number | undefined, nowMs: number): number | undefined {
  if (expiresAt === undefined || expiresAt > nowMs) return expiresAt;
  throw new AppError("invalid", "The expiry is in the past. Choose a later time, or omit it", {
    errors: [{ pointer: "/expiresAt", code: "invalid", message: "must be in the future" }],
  });
}

function refuseTaken(error: unknown, name: string): unknown {
  const isTaken = error instanceof StoreError && error.code === "unique_violation";
  return isTaken ? new AppError("already_exists", `An API key named "${name}" already exists`) : error;
}

/** Writes down uses, one a key in five minutes; a store that takes no writes must not keep the key from reading. */
function createUseNotes({ store, expiry }: KeyDeps) {
  const noted = new Map<string, number>();
  return async ({ id, lastUsedAt = -Infinity }: ApiKeyRecord, clientAddress: string): Promise<void> => {
    const now = expiry.now();
    if (now - Math.max(lastUsedAt, noted.get(id) ?? -Infinity) < USE_MS) return;
    noted.set(id, now);
    try {
      await store.transact(async (tx) => {
        const record = await tx.get(apiKeys, id);
        if (record === undefined || now - (record.lastUsedAt ?? -Infinity) < USE_MS) return;
        await tx.put(apiKeys, { ...record, lastUsedAt: now, lastUsedFrom: toAddressPrefix(clientAddress) });
      });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  };
}

function createIdentify(deps: KeyDeps): ApiKeys["identify"] {
  const { store, expiry, limits } = deps;
  const noteUse = createUseNotes(deps);
  const uses = limits.create("api-key", { limit: REQUESTS, windowMs: MINUTE_MS });
  const failures = limits.create("api-key-failures", { limit: FAILURES, windowMs: FAILURE_WINDOW_MS });

  function refuse(reason: string, clientAddress: string): never {
    const { allowed, retryAfterSeconds } = failures.hit(addressKey(clientAddress));
    if (allowed) throw new AppError("token_invalid", reason);
    throw new AppError("rate_limited", "Too many wrong API keys from this address. Wait, then try again", {
      retryAfterSeconds,
    });
  }

  return async (key, clientAddress) => {
    if (!isWellFormed(key))
      return refuse("The API key is malformed. Copy the whole key again", clientAddress);
    const record = await store.read((tx) => tx.by(apiKeys, "byHash", [hashSecret(key)]));
    if (record === undefined)
      return refuse(
        "The API key is unknown: it was revoked, or it belongs to another service",
        clientAddress,
      );
    const { id, name, expiresAt, networks } = record;
    if (expiresAt !== undefined && expiresAt <= expiry.now())
      throw new AppError(
        "token_invalid",
        `The API key "${name}" expired at ${toIsoTime(expiresAt)}. Ask an administrator to extend or replace it`,
      );
    if (networks.length > 0 && !createNetworkCheck(networks)(clientAddress))
      throw new AppError(
        "forbidden",
        `The API key "${name}" is not allowed from ${clientAddress}. Ask an administrator to add that network to the key`,
      );
    const { allowed, retryAfterSeconds } = uses.hit(id);
    if (!allowed)
      throw new AppError(
        "rate_limited",
        `The API key "${name}" exceeded ${REQUESTS} requests per minute. Wait, then try again`,
        {
          retryAfterSeconds,
        },
      );
    await noteUse(record, clientAddress);
    return { kind: "key", name: `key ${name}`, scopes: new Set(record.scopes.filter(isAdminScope)) };
  };
}

export function createApiKeys(deps: KeyDeps): ApiKeys {
  const { store, clock, expiry, tell } = deps;
  return {
    list: async () => {
      const { items } = await store.read((tx) => tx.list(apiKeys, "id", { limit: MAX_KEYS }));
      return items.toSorted((a, b) => b.createdAt - a.createdAt);
    },
    create: async ({ name, scopes, networks, expiresAt }, actor) => {
      const createdAt = expiry.now();
      const end = getEnd(expiresAt, createdAt);
      const key = newKey();
      const record = {
        id: newId("aky", createdAt),
        hash: hashSecret(key),
        hint: key.slice(0, HINT_LENGTH),
        name,
        nameKey: name.toLowerCase(),
        scopes: [...new Set(scopes)],
        networks: toNetworks(networks),
        owner: actor.name,
        createdAt,
        expiresAt: end,
      };
      try {
        const stored = await store.transact(async (tx) => {
          if ((await tx.count(apiKeys)) >= MAX_KEYS)
            throw new AppError("conflict", `You can have up to ${MAX_KEYS} API keys. Revoke some first`);
          const changes = [`scopes: ${scopes.join(" ")}`];
          await writeAudit(tx, { actor, action: "api-key.create", target: name, changes }, clock);
          await tell?.(tx, { kind: "created", record, actor });
          return tx.insert(apiKeys, record);
        });
        return { record: stored, key };
      } catch (error) {
        throw refuseTaken(error, name);
      }
    },
    change: async (id, change, actor) => {
      const { name, networks, expiresAt } = change;
      const end = getEnd(expiresAt ?? undefined, expiry.now());
      try {
        return await store.transact(async (tx) => {
          const record = await tx.get(apiKeys, id);
          if (record === undefined) throw new AppError("not_found", "This API key does not exist");
          const { expiresAt: oldEnd, ...kept } = record;
          const next = expiresAt === undefined ? oldEnd : end;
          const changes = Object.keys(change);
          await writeAudit(tx, { actor, action: "api-key.change", target: record.name, changes }, clock);
          await tell?.(tx, { kind: "changed", record, actor });
          return tx.put(apiKeys, {
            ...kept,
            ...(name === undefined ? {} : { name, nameKey: name.toLowerCase() }),
            ...(networks === undefined ? {} : { networks: toNetworks(networks) }),
            ...(next === undefined ? {} : { expiresAt: next }),
          });
        });
      } catch (error) {
        throw refuseTaken(error, name ?? "");
      }
    },
    revoke: (id, actor) =>
      store.transact(async (tx) => {
        const record = await tx.get(apiKeys, id);
        if (record === undefined) throw new AppError("not_found", "This API key does not exist");
        await tx.remove(apiKeys, id);
        await writeAudit(tx, { actor, action: "api-key.revoke", target: record.name }, clock);
      }),
    identify: createIdentify(deps),
  };
}
