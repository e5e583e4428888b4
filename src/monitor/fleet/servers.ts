/**
 * The servers that are watched: create, replace, delete, reorder, keys. Every change and its audit entry are one
 * transaction.
 */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { describeChanges, describeName } from "../../kit/text/changes.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import { newId, newSecret } from "../../kit/secrets/id.ts";
import type { Store, Tx } from "../../store/store.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { removeDays } from "../usage/months.ts";
import { putInOrder, readInOrder } from "./display-order.ts";
import type { Parents } from "../base/parents.ts";
import { owners } from "../base/records.ts";
import { servers } from "./records.ts";
import { type SettingsPatch, applyPatch } from "../../records/settings-patch.ts";
import { type ChangedBy, assertVersion } from "../../records/versions.ts";
import {
  type AgentKey,
  type ServerFields,
  type ServerRecord,
  serverFieldsSchema,
  toStreamId,
} from "../base/schema.ts";

/** Servers that one monitor holds at most. */
export const MAX_SERVERS = 10_000;

export interface CreatedServer {
  readonly server: ServerRecord;
  /** Shown this once; only its hash is kept. */
  readonly agentKey: string;
}

export interface TrafficCorrection {
  /** May be called more than once. */
  readonly toOffset: (record: ServerRecord) => number;
  readonly version?: number | undefined;
}

/** Replaces a server; `hidden` and `disabled` are unchanged if omitted: an omission must not publish it. */
export type ServerReplacement = Omit<ServerFields, "hidden" | "disabled"> & {
  readonly hidden?: boolean | undefined;
  readonly disabled?: boolean | undefined;
};

/** A machine's facts. */
export type MachineFacts = Partial<Pick<ServerRecord, "hostname" | "host" | "addresses" | "peerAddress">>;

/** Some of what an administrator sets. */
export type ServerPatch = SettingsPatch & {
  readonly billing?: ServerFields["billing"] | null | undefined;
  readonly mute?: ServerFields["mute"] | null | undefined;
};

export interface Servers {
  /** Every server in display order. */
  listAll(): Promise<readonly ServerRecord[]>;
  find(id: string): Promise<ServerRecord | undefined>;
  /** Throws `already_exists` when the given id is taken, `conflict` when the monitor is full. */
  create(
    fields: ServerFields,
    options: { id?: string | undefined; actor: AuditActor },
  ): Promise<CreatedServer>;
  /**
   * Replaces the editable fields. Throws `not_found`, and `version_conflict` when `version` is given and is not the
   * current `editVersion`.
   */
  replace(id: string, change: ChangedBy & { fields: ServerReplacement }): Promise<ServerRecord>;
  /** Changes some of the editable fields; null takes `billing` or `mute` away. Throws what `replace` throws, and `invalid`. */
  change(id: string, change: ChangedBy & { patch: ServerPatch }): Promise<ServerRecord>;
  /**
   * Sets the correction of the current traffic cycle to the bytes that `toOffset` returns. Throws what `replace`
   * throws.
   */
  correctTraffic(id: string, change: TrafficCorrection & { actor: AuditActor }): Promise<ServerRecord>;
  /** Throws `not_found`. */
  remove(id: string, actor: AuditActor): Promise<void>;
  /** Puts the servers in the order of `ids`, which must name each exactly once; else throws `invalid` and nothing moves. */
  reorder(ids: readonly string[], actor: AuditActor): Promise<void>;
  /** Creates a new key; the current one works `graceSeconds` more. Throws `not_found`. */
  rotateKey(id: string, options: { graceSeconds: number; actor: AuditActor }): Promise<CreatedServer>;
  /** Keeps what an agent reported of its machine, when it differs from what is kept. */
  noteFacts(id: string, facts: MachineFacts): Promise<void>;
}

/** Creates an agent key and its stored hash. */
export function newAgentKey(): { agentKey: string; kept: AgentKey } {
  const agentKey = newSecret("agk");
  return { agentKey, kept: { hash: hashSecret(agentKey), prefix: agentKey.slice(0, 8) } };
}

async function getServer(tx: Pick<Tx, "get">, id: string): Promise<ServerRecord> {
  const record = await tx.get(servers, id);
  if (record === undefined) throw new AppError("not_found", `There is no server "${id}"`);
  return record;
}

/** Inserts a server with a new key at the end of the display order, inside the caller's transaction. */
export async function insertServer(
  tx: Tx,
  input: { id?: string | undefined; fields: ServerFields; key: AgentKey; hostname?: string },
  clock: Clock,
): Promise<ServerRecord> {
  if ((await tx.count(servers)) >= MAX_SERVERS) {
    throw new AppError("conflict", `You can have up to ${MAX_SERVERS} servers. Delete one first`);
  }
  const last = await tx.list(servers, "byDisplayOrder", { limit: 1, reverse: true });
  const now = clock.now();
  return tx.insert(servers, {
    ...input.fields,
    id: input.id ?? newId("srv"),
    editVersion: 1,
    displayOrder: (last.items[0]?.displayOrder ?? 0) + 1,
    keys: [input.key],
    keyRotatedAt: now,
    hostname: input.hostname ?? "",
    createdAt: now,
    updatedAt: now,
    ...(input.fields.traffic.usedOffsetBytes === 0 ? {} : { trafficOffsetAt: now }),
  });
}

/** Replaces the keys of a server inside the caller's transaction; the current key works `graceSeconds` more. */
export async function replaceKey(
  tx: Tx,
  change: { id: string; key: AgentKey; graceSeconds: number },
  clock: Clock,
): Promise<ServerRecord> {
  const record = await getServer(tx, change.id);
  const now = clock.now();
  const graceEnd = now + change.graceSeconds * 1_000;
  const old = record.keys
    .map((key) => ({ ...key, expiresAt: Math.min(key.expiresAt ?? graceEnd, graceEnd) }))
    .filter((key) => key.expiresAt > now);
  return tx.put(servers, {
    ...record,
    keys: [change.key, ...old].slice(0, 8),
    keyRotatedAt: now,
    updatedAt: now,
  });
}

/** Creates a server inside the transaction of the caller. Throws what `create` throws. */
export async function addServer(
  tx: Tx,
  input: { id: string | undefined; fields: ServerFields; key: AgentKey },
  { clock, actor, parents }: { clock: Clock; actor: AuditActor; parents?: Parents | undefined },
): Promise<ServerRecord> {
  const { id } = input;
  if (id !== undefined && (await tx.get(servers, id)) !== undefined) {
    throw new AppError(
      "already_exists",
      `A server with the ID "${id}" already exists. Choose another ID or omit it`,
    );
  }
  const server = await insertServer(tx, input, clock);
  await parents?.assert(tx, server);
  const changes = describeName(server.name);
  await writeAudit(tx, { actor, action: "server.create", target: server.id, changes }, clock);
  return server;
}

/** All fields, as they are after a replacement. */
function toReplaced(before: ServerRecord, fields: ServerReplacement): ServerFields {
  const { hidden = before.hidden, disabled = before.disabled } = fields;
  return { ...fields, hidden, disabled };
}

/** All fields, as they are after a change of some; what belongs together is replaced as a whole. */
function toChanged(before: ServerRecord, { billing, mute, ...patch }: ServerPatch): ServerFields {
  const kept = {
    ...before,
    billing: billing === undefined ? before.billing : (billing ?? undefined),
    mute: mute === undefined ? before.mute : (mute ?? undefined),
  };
  return applyPatch(serverFieldsSchema.strip(), kept, patch);
}

async function replaceServer(
  tx: Tx,
  { id, toFields, by }: { id: string; toFields: (before: ServerRecord) => ServerFields; by: ChangedBy },
  { clock, parents }: { clock: Clock; parents?: Parents },
): Promise<ServerRecord> {
  const before = await getServer(tx, id);
  assertVersion(before.editVersion, by, "server");
  const fields = toFields(before);
  if (JSON.stringify(fields.dependsOn) !== JSON.stringify(before.dependsOn))
    await parents?.assert(tx, { ...fields, id });
  // Facts of the machine are kept; optional members must be removable.
  const { billing: _billing, mute: _mute, dependsOn: _dependsOn, ...kept } = before;
  const now = clock.now();
  const isSameOffset = fields.traffic.usedOffsetBytes === before.traffic.usedOffsetBytes;
  const after = await tx.put(servers, {
    ...kept,
    ...fields,
    editVersion: before.editVersion + 1,
    ...(isSameOffset ? {} : { trafficOffsetAt: now }),
    updatedAt: now,
  });
  // Administrators' notes may be confidential.
  const changes = describeChanges(before, fields, ["note"]);
  await writeAudit(tx, { actor: by.actor, action: "server.replace", target: id, changes }, clock);
  return after;
}

async function correctTraffic(
  tx: Tx,
  change: TrafficCorrection & { id: string },
  { clock, actor }: { clock: Clock; actor: AuditActor },
): Promise<ServerRecord> {
  const before = await getServer(tx, change.id);
  assertVersion(before.editVersion, change, "server");
  const now = clock.now();
  const after = await tx.put(servers, {
    ...before,
    editVersion: before.editVersion + 1,
    traffic: { ...before.traffic, usedOffsetBytes: change.toOffset(before) },
    trafficOffsetAt: now,
    updatedAt: now,
  });
  const changes = ["traffic"];
  await writeAudit(tx, { actor, action: "server.correct-traffic", target: change.id, changes }, clock);
  return after;
}

/** Creates the servers' logic on a store. */
export function createServers(deps: { store: Store; clock: Clock; parents?: Parents }): Servers {
  const { store, clock, parents } = deps;
  return {
    listAll: () => store.read(readInOrder),
    find: (id) => store.read((tx) => tx.get(servers, id)),
    create: (fields, { id, actor }) => {
      const { agentKey, kept } = newAgentKey();
      return store.transact(async (tx) => {
        const server = await addServer(tx, { id, fields, key: kept }, { clock, actor, parents });
        return { server, agentKey };
      });
    },
    replace: (id, { fields, ...by }) =>
      store.transact((tx) =>
        replaceServer(tx, { id, by, toFields: (before) => toReplaced(before, fields) }, deps),
      ),
    change: (id, { patch, ...by }) =>
      store.transact((tx) =>
        replaceServer(tx, { id, by, toFields: (before) => toChanged(before, patch) }, deps),
      ),
    correctTraffic: (id, { actor, ...change }) =>
      store.transact((tx) => correctTraffic(tx, { id, ...change }, { clock, actor })),
    remove: (id, actor) =>
      store.transact(async (tx) => {
        const changes = describeName((await getServer(tx, id)).name);
        await tx.remove(servers, id);
        await parents?.drop(tx, new Set([id]));
        await removeDays(tx, id);
        await tx.remove(owners, toStreamId(id));
        await writeAudit(tx, { actor, action: "server.delete", target: id, changes }, clock);
      }),
    reorder: (ids, actor) =>
      store.transact(async (tx) => {
        await putInOrder(tx, ids);
        await writeAudit(tx, { actor, action: "server.reorder", target: "servers" }, clock);
      }),
    rotateKey: (id, { graceSeconds, actor }) => {
      const { agentKey, kept } = newAgentKey();
      return store.transact(async (tx) => {
        const server = await replaceKey(tx, { id, key: kept, graceSeconds }, clock);
        await writeAudit(tx, { actor, action: "server.rotate-key", target: id }, clock);
        return { server, agentKey };
      });
    },
    noteFacts: async (id, facts) => {
      await store.transact(async (tx) => {
        const record = await tx.get(servers, id);
        if (record !== undefined) await tx.put(servers, { ...record, ...facts });
      });
    },
  };
}
