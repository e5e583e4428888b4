/** Resources that administrators register, and what applications may request at them. */
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { changedFields, describeName } from "../../kit/text/changes.ts";
import { listEvery, pagesOf } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { clients } from "../applications/records.ts";
import { resources } from "./records.ts";
import {
  type Requestable,
  type ResourceFields,
  type ResourceRecord,
  builtInResources,
  isBuiltIn,
} from "./schema.ts";

/** Applications that are looked at together. */
const STEP = 200;

/** What an administrator changes; the identifier stays, since tokens name it. */
export type ResourceChange = Partial<Omit<ResourceFields, "identifier">>;

/** A resource as people are asked about it. */
export interface ShownResource {
  readonly id: string;
  readonly title: string;
  readonly scopes: readonly { readonly name: string; readonly title: string }[];
}

async function getResource(tx: ReadTx, id: string): Promise<ResourceRecord> {
  const found = await tx.get(resources, id);
  if (found === undefined) throw new AppError("not_found", `There is no resource "${id}"`);
  return found;
}

function refuseAt(pointer: string, message: string): AppError {
  return new AppError("invalid", `The resource ${message}`, {
    errors: [{ pointer, code: "unknown_resource", message }],
  });
}

/** Refuses resources and scopes that there are not. Throws `invalid`, naming the field. */
export async function assertRequestable(tx: ReadTx, asked: Requestable, pointer: string): Promise<void> {
  for (const [index, { id, scopes }] of asked.entries()) {
    const known = isBuiltIn(id)
      ? builtInResources[id]
      : (await tx.by(resources, "byIdentifier", [id]))?.scopes.map(({ name }) => name);
    const at = `${pointer}/${index}`;
    if (known === undefined) throw refuseAt(`${at}/id`, `"${id}" is not registered; register it first`);
    const other = scopes.findIndex((scope) => !known.includes(scope));
    if (other === -1) continue;
    const has = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
    throw refuseAt(`${at}/scopes/${other}`, `"${id}" does not have the scope "${scopes[other]}"; ${has}`);
  }
}

/** An application that lists what is gone would go on getting it. */
async function assertUnused(tx: ReadTx, identifier: string, kept?: readonly string[]): Promise<void> {
  for await (const page of pagesOf(tx, clients, { index: "id", pageSize: STEP }))
    for (const client of page) {
      const listed = client.resources.find(({ id }) => id === identifier);
      const gone = listed?.scopes.find((scope) => kept?.includes(scope) === false);
      if (listed === undefined || (kept !== undefined && gone === undefined)) continue;
      const what = gone === undefined ? "the resource" : `the scope "${gone}"`;
      throw new AppError(
        "conflict",
        `The application "${client.id}" may request ${what}; remove it from the application first`,
      );
    }
}

export type Resources = ReturnType<typeof createResources>;

export function createResources({ store, clock }: Pick<AuthDeps, "store" | "clock">) {
  return {
    /** All of them, by identifier. */
    list: (): Promise<ResourceRecord[]> =>
      store.read(async (tx) => {
        const all = await listEvery(tx, resources, { index: "id" });
        return all.toSorted((one, other) => one.identifier.localeCompare(other.identifier));
      }),
    /** Titles of registered ones among these, for the question to a person. */
    describe: (ids: readonly string[]): Promise<ShownResource[]> =>
      store.read(async (tx) => {
        const found = await Promise.all(
          ids.filter((id) => !isBuiltIn(id)).map((id) => tx.by(resources, "byIdentifier", [id])),
        );
        return found.flatMap((one) =>
          one === undefined ? [] : [{ id: one.identifier, title: one.title, scopes: one.scopes }],
        );
      }),
    /** Throws `already_exists`. */
    create: (fields: ResourceFields, actor: Actor): Promise<ResourceRecord> =>
      store.transact(async (tx) => {
        const { identifier, title } = fields;
        if ((await tx.by(resources, "byIdentifier", [identifier])) !== undefined)
          throw new AppError("already_exists", `The resource "${identifier}" is registered already`);
        const nowMs = clock.now();
        const id = newId("rsc", nowMs);
        const made = await tx.insert(resources, { ...fields, id, createdAt: nowMs, editVersion: 1 });
        const changes = [`identifier: ${identifier}`, ...describeName(title)];
        await writeAudit(tx, { actor, action: "resource.create", target: id, changes }, clock);
        return made;
      }),
    /** Throws `not_found`, `stale_version`, and `conflict` for a scope less that an application lists. */
    change: (
      id: string,
      { change, version, actor }: { change: ResourceChange; version?: number; actor: Actor },
    ): Promise<ResourceRecord> =>
      store.transact(async (tx) => {
        const before = await getResource(tx, id);
        if (version !== undefined && version !== before.editVersion)
          throw new AppError("stale_version", "Someone changed the resource in the meantime; read it again", {
            details: { currentVersion: before.editVersion },
          });
        const next = { ...before, ...change, editVersion: before.editVersion + 1 };
        const names = next.scopes.map(({ name }) => name);
        if (before.scopes.some(({ name }) => !names.includes(name)))
          await assertUnused(tx, before.identifier, names);
        const changes = changedFields(before, next).filter((name) => name !== "editVersion");
        await writeAudit(tx, { actor, action: "resource.change", target: id, changes }, clock);
        return tx.put(resources, next);
      }),
    /** Throws `not_found`, and `conflict` while an application lists it. */
    remove: (id: string, actor: Actor): Promise<void> =>
      store.transact(async (tx) => {
        const { identifier } = await getResource(tx, id);
        await assertUnused(tx, identifier);
        await tx.remove(resources, id);
        const changes = [`identifier: ${identifier}`];
        await writeAudit(tx, { actor, action: "resource.delete", target: id, changes }, clock);
      }),
  };
}
