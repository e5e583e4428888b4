/** Shared by the administration of categories and of collections. */
import { changedFields } from "../../kit/text/changes.ts";
import { AppError, type FieldError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { listEvery } from "../../store/every-page.ts";
import type { Collection, ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { takeUpload } from "../images/images.ts";
import { type ChangedBy, assertVersion } from "../../records/versions.ts";
import { toSlug } from "../products/slug.ts";
import { compareShown, type ShownRecord } from "./schema.ts";

/** The differences between the two kinds. */
export interface ShownKind<T extends ShownRecord> {
  readonly collection: Collection<T>;
  /** In messages and in the audit. */
  readonly noun: "category" | "collection";
  readonly atMost: number;
  /** Errors of a record before it is stored. */
  readonly check: (tx: ReadTx, record: T) => Promise<FieldError[]>;
}

const problem = (pointer: string, message: string): FieldError => ({ pointer, code: "invalid", message });

/** Throws `invalid` when something is wrong. */
export function refuse(noun: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new AppError("invalid", `The ${noun} has invalid values`, { errors });
}

/** All of a kind as they are shown. */
export async function listShown<T extends ShownRecord>(tx: ReadTx, collection: Collection<T>): Promise<T[]> {
  return (await listEvery(tx, collection, { index: "id" })).sort(compareShown);
}

/** Throws `not_found`. */
export async function getShown<T extends ShownRecord>(
  tx: ReadTx,
  { collection, noun }: Pick<ShownKind<T>, "collection" | "noun">,
  id: string,
): Promise<T> {
  const record = await tx.get(collection, id);
  if (record === undefined) throw new AppError("not_found", `This ${noun} does not exist`);
  return record;
}

/** The id for a new one: the given one, else one from its title. Throws `already_exists`. */
async function chooseId<T extends ShownRecord>(
  tx: ReadTx,
  { collection, noun }: ShownKind<T>,
  { id, title }: { readonly id?: string | undefined; readonly title: string },
): Promise<string> {
  if (id === undefined) {
    const fromTitle = toSlug(title);
    const isFree = fromTitle !== "" && (await tx.get(collection, fromTitle)) === undefined;
    return isFree ? fromTitle : newId(noun.slice(0, 3)).replaceAll("_", "-");
  }
  if ((await tx.get(collection, id)) === undefined) return id;
  throw new AppError("already_exists", `The ${noun} "${id}" already exists`, {
    errors: [{ pointer: "/id", code: "already_exists", message: `belongs to another ${noun}` }],
  });
}

/** Initial fields of both. */
export function toBlank(title: string, nowMs: number) {
  return {
    version: 0,
    title,
    description: "",
    translations: {},
    sortOrder: 0,
    status: "published" as const,
    createdAt: nowMs,
    updatedAt: nowMs,
  };
}

/** Names of the fields that differ. */
function toChanges(before: object, after: object): string[] {
  const names = new Set([...changedFields(before, after), ...changedFields(after, before)]);
  return [...names].filter((name) => name !== "updatedAt");
}

/** Stores what `edit` makes of each, with its place in the list. Throws `invalid`. */
async function arrangeIn<T extends ShownRecord>(
  tx: Tx,
  { collection, noun, check }: ShownKind<T>,
  options: {
    readonly ids: readonly string[];
    readonly edit: (record: T, index: number) => T;
    readonly nowMs: number;
  },
): Promise<void> {
  const { ids, edit, nowMs: updatedAt } = options;
  const changed: T[] = [];
  const errors: FieldError[] = [];
  for (const [index, id] of ids.entries()) {
    const before = ids.indexOf(id) === index ? await tx.get(collection, id) : undefined;
    if (before === undefined)
      errors.push(problem(`/items/${index}/id`, `must be the ID of a ${noun} and not be repeated`));
    else changed.push(await tx.put(collection, { ...edit(before, index), sortOrder: index, updatedAt }));
  }
  refuse(noun, errors);
  for (const [index, record] of changed.entries())
    for (const error of await check(tx, record))
      errors.push({ ...error, pointer: `/items/${index}${error.pointer}` });
  refuse(noun, errors);
}

/** Creates what both can do over a store. */
export function createShownRecords<T extends ShownRecord>(
  deps: Pick<ShopDeps, "store" | "clock" | "blobs" | "sizes">,
  kind: ShownKind<T>,
) {
  const { store, clock } = deps;
  const { collection, noun } = kind;
  const audit = (tx: Tx, action: string, what: { target: string; actor: AuditActor; changes?: string[] }) =>
    writeAudit(tx, { action: `${noun}.${action}`, ...what }, clock);

  /** Stores what `edit` makes of the record. */
  function change(id: string, edit: (before: T) => T, { actor, ...expected }: ChangedBy): Promise<T> {
    return store.transact(async (tx) => {
      const before = await getShown(tx, kind, id);
      assertVersion(before.version, expected);
      const after = { ...edit(before), updatedAt: clock.now() };
      refuse(noun, await kind.check(tx, after));
      await audit(tx, "change", { target: id, actor, changes: toChanges(before, after) });
      return tx.put(collection, after);
    });
  }

  return {
    change,
    list: (): Promise<T[]> => store.read((tx) => listShown(tx, collection)),
    get: (id: string): Promise<T> => store.read((tx) => getShown(tx, kind, id)),
    /** Stores what `make` makes for the id. Throws `invalid`, `already_exists`, `conflict` when there are too many. */
    create: (
      named: { readonly id?: string | undefined; readonly title: string },
      make: (id: string) => T,
      actor: AuditActor,
    ): Promise<T> =>
      store.transact(async (tx) => {
        if ((await tx.count(collection)) >= kind.atMost)
          throw new AppError("conflict", `The limit of ${kind.atMost} is reached. Delete one first`);
        const record = make(await chooseId(tx, kind, named));
        refuse(noun, await kind.check(tx, record));
        await audit(tx, "create", { target: record.id, actor });
        return tx.insert(collection, record);
      }),
    /** Removes it after `check`, which throws when it must stay. */
    remove: (
      id: string,
      check: (tx: Tx, record: T) => Promise<void>,
      { actor, ...expected }: ChangedBy,
    ): Promise<void> =>
      store.transact(async (tx) => {
        const record = await getShown(tx, kind, id);
        assertVersion(record.version, expected);
        await check(tx, record);
        await tx.remove(collection, id);
        await audit(tx, "delete", { target: id, actor });
      }),
    /** Puts the given IDs into this order, and applies `edit`. Throws `invalid`. */
    arrange: (
      ids: readonly string[],
      edit: (record: T, index: number) => T,
      actor: AuditActor,
    ): Promise<T[]> =>
      store.transact(async (tx) => {
        await arrangeIn(tx, kind, { ids, edit, nowMs: clock.now() });
        await audit(tx, "arrange", { target: `${noun}s`, actor, changes: ids.slice(0, 20) });
        return listShown(tx, collection);
      }),
    /** Throws `too_large`, `invalid`, `not_found`. */
    setImage: async (
      id: string,
      { bytes, alt, ...by }: ChangedBy & { bytes: Uint8Array<ArrayBuffer>; alt: string },
    ): Promise<T> => {
      // Nothing is kept for what is not there.
      await store.read((tx) => getShown(tx, kind, id));
      const image = { ...(await takeUpload(deps, bytes)), alt };
      return change(id, (before) => ({ ...before, image }), by);
    },
    /** Its bytes stay: something else may show them. */
    removeImage: (id: string, by: ChangedBy): Promise<T> =>
      change(id, (before) => ({ ...before, image: undefined }), by),
  };
}
