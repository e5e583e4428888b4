/** Registered applications: their secrets and the audiences they may have JWTs made for. */
import { createSecretCheck, hashSecret } from "../../kit/secrets/admin-token.ts";
import { changedFields } from "../../kit/text/changes.ts";
import { AppError } from "../../kit/errors.ts";
import { newSecret } from "../../kit/secrets/id.ts";
import type { Page, ReadTx, Tx } from "../../store/store.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Actor } from "../caller.ts";
import type { AuthDeps } from "../deps.ts";
import type { ClientRecord } from "../ledger-schema.ts";
import { clients } from "../records.ts";

/** What stands for a missing or malformed name in the ledger; no application may be called so. */
const RESERVED: ReadonlySet<string> = new Set(["unknown", "invalid"]);
/** Compared with when there is no such application. */
const NO_HASH = "0".repeat(64);

export interface ClientChange {
  readonly name?: string;
  readonly audiences?: readonly string[];
  readonly enabled?: boolean;
}

/** An application with its secret, which is shown this once. */
export interface ClientWithSecret {
  readonly client: ClientRecord;
  readonly secret: string;
}

async function getClient(tx: ReadTx, id: string): Promise<ClientRecord> {
  const client = await tx.get(clients, id);
  if (client === undefined) throw new AppError("not_found", `There is no application "${id}"`);
  return client;
}

async function isClientSecret(tx: ReadTx, id: string, secret: string): Promise<boolean> {
  const client = await tx.get(clients, id);
  return createSecretCheck([client?.secretHash ?? NO_HASH])(secret) && client?.enabled === true;
}

async function insertClient(
  tx: Tx,
  fields: { id: string; name: string; audiences: readonly string[]; secret: string },
  nowMs: number,
): Promise<ClientRecord> {
  const { id, name, audiences, secret } = fields;
  if ((await tx.get(clients, id)) !== undefined)
    throw new AppError("already_exists", `There is an application "${id}" already`);
  return tx.insert(clients, {
    id,
    name,
    secretHash: hashSecret(secret),
    audiences: [...audiences],
    enabled: true,
    createdAt: nowMs,
    editVersion: 1,
  });
}

function createChange({ store, clock }: Pick<AuthDeps, "store" | "clock">) {
  return (
    id: string,
    { change, version, actor }: { change: ClientChange; version?: number; actor: Actor },
  ): Promise<ClientRecord> =>
    store.transact(async (tx) => {
      const client = await getClient(tx, id);
      if (version !== undefined && version !== client.editVersion) {
        throw new AppError(
          "stale_version",
          "Someone changed the application in the meantime; read it again",
          {
            details: { currentVersion: client.editVersion },
          },
        );
      }
      const next = {
        ...client,
        name: change.name ?? client.name,
        audiences: [...(change.audiences ?? client.audiences)],
        enabled: change.enabled ?? client.enabled,
        editVersion: client.editVersion + 1,
      };
      const changes = changedFields(client, next).filter((name) => name !== "editVersion");
      await writeAudit(tx, { actor, action: "client.change", target: id, changes }, clock);
      return tx.put(clients, next);
    });
}

export type Clients = ReturnType<typeof createClients>;

/** Makes the administration of applications. */
export function createClients(deps: Pick<AuthDeps, "store" | "clock">) {
  const { store, clock } = deps;
  return {
    /** By id. Throws `bad_cursor`. */
    list: ({ limit, cursor }: { limit: number; cursor?: string }): Promise<Page<ClientRecord>> =>
      store.read((tx) => tx.list(clients, "id", { limit, cursor })),
    /** Throws `not_found`. */
    get: (id: string): Promise<ClientRecord> => store.read((tx) => getClient(tx, id)),
    /** Whether this is the secret, in constant time; false for an application that is switched off. */
    check: (id: string, secret: string): Promise<boolean> =>
      store.read((tx) => isClientSecret(tx, id, secret)),
    /** Throws `already_exists`, and `invalid` for a reserved id. */
    create: async (
      fields: { id: string; name: string; audiences: readonly string[] },
      actor: Actor,
    ): Promise<ClientWithSecret> => {
      if (RESERVED.has(fields.id)) {
        const message = "stands for applications that do not tell their name";
        throw new AppError("invalid", `The id "${fields.id}" ${message}`, {
          errors: [{ pointer: "/id", code: "reserved", message }],
        });
      }
      return store.transact(async (tx) => {
        const secret = newSecret("sec");
        const client = await insertClient(tx, { ...fields, secret }, clock.now());
        await writeAudit(tx, { actor, action: "client.create", target: client.id }, clock);
        return { client, secret };
      });
    },
    /** Throws `not_found`, `stale_version`. */
    change: createChange(deps),
    /** Gives a new secret; the one before is dead at once. Throws `not_found`. */
    rotateSecret: (id: string, actor: Actor): Promise<ClientWithSecret> =>
      store.transact(async (tx) => {
        const before = await getClient(tx, id);
        const secret = newSecret("sec");
        const { editVersion } = before;
        const client = await tx.put(clients, {
          ...before,
          secretHash: hashSecret(secret),
          editVersion: editVersion + 1,
        });
        await writeAudit(tx, { actor, action: "client.rotate-secret", target: id }, clock);
        return { client, secret };
      }),
    /** Throws `not_found`. */
    remove: (id: string, actor: Actor): Promise<void> =>
      store.transact(async (tx) => {
        await getClient(tx, id);
        await tx.remove(clients, id);
        await writeAudit(tx, { actor, action: "client.delete", target: id }, clock);
      }),
  };
}
