/** Resources that administrators register, and what applications may request at them. */
import { AppError } from "../../kit/errors.ts";
import { describeName } from "../../kit/text/changes.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import { createResource } from "../../records/resource.ts";
import type { AuthDeps } from "../base/deps.ts";
import { clients } from "../applications/records.ts";
import { resources } from "./records.ts";
import {
  type Requestable,
  type ResourceChange,
  type ResourceFields,
  type ResourceRecord,
  builtInResources,
  isBuiltIn,
} from "./schema.ts";

/** Applications that are looked at together. */
const STEP = 200;

/** A resource as shown for consent. */
export interface ShownResource {
  readonly id: string;
  readonly title: string;
  readonly scopes: readonly { readonly name: string; readonly title: string }[];
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
    if (known === undefined) throw refuseAt(`${at}/id`, `"${id}" is not registered. Register it first`);
    const other = scopes.findIndex((scope) => !known.includes(scope));
    if (other === -1) continue;
    const has = known.length === 0 ? "the resource has no scopes" : `the resource has ${known.join(", ")}`;
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
        `The application "${client.id}" may request ${what}. Remove it from the application first`,
      );
    }
}

export type Resources = ReturnType<typeof createResources>;

/** Creates the administration of resources. */
export function createResources(deps: Pick<AuthDeps, "store" | "clock">) {
  const { store } = deps;
  const resource = createResource(deps, {
    collection: resources,
    noun: "resource",
    idPrefix: "rsc",
    auditName: "resource",
    unique: { index: "byIdentifier", keyOf: ({ identifier }) => [identifier], field: "identifier" },
    orders: {},
    create: (fields: ResourceFields, { id, nowMs }) => ({
      ...fields,
      id,
      version: 0,
      createdAt: nowMs,
      editVersion: 1,
    }),
    change: (before, fields: ResourceChange) => ({ ...before, ...fields }),
    check: async (tx, { scopes }, { before }) => {
      const names = scopes.map(({ name }) => name);
      if (before?.scopes.some(({ name }) => !names.includes(name)) === true)
        await assertUnused(tx, before.identifier, names);
    },
    afterRemove: (tx, { identifier }) => assertUnused(tx, identifier),
    describe: ({ identifier, title }, action) => [
      `identifier: ${identifier}`,
      ...(action === "create" ? describeName(title) : []),
    ],
  });
  return {
    ...resource,
    /** Every resource, by identifier. */
    listAll: async (): Promise<ResourceRecord[]> =>
      (await resource.listAll()).toSorted((one, other) => one.identifier.localeCompare(other.identifier)),
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
  };
}
