/**
 * Replaces the sealing key of a service: every sealed value in its records is opened with the old key and sealed with a
 * new one. The new key is on the disk before the first record changes, and a mark among the records keeps every node
 * from starting until the last one has. After a kill, the same call goes on.
 */
import type { FileLayer } from "../../kit/files/file-layer.ts";
import { readKeptFile, writeKeptFile } from "../../kit/files/kept-file.ts";
import { newSecret } from "../../kit/secrets/id.ts";
import {
  type SealPurpose,
  type SecretBox,
  createSecretBox,
  storedPurposes,
} from "../../kit/secrets/secret-box.ts";
import { parseSecretFile } from "../../kit/secrets/secret-file.ts";
import type { ServiceName } from "../../kit/services.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { rekeyHead } from "../../records/audit-chain.ts";
import { withAuditKey } from "../../records/audit-key.ts";
import { writeAudit } from "../../records/audit.ts";
import {
  type SecretCheck,
  findChangeRemedy,
  isSecretOf,
  toChangeMark,
  toChangedCheck,
} from "../../records/secret-check.ts";
import type { Collection, ReadTx, Store, StoreRecord, Tx } from "../../store/store.ts";
import { toKeyFile } from "./key-files.ts";

/** What `seal` gives: the IV and the tag alone take 38 characters. */
const SEALED = /^v1\.[\w-]{38,}$/u;
const BATCH = 200;
const SHOWN = 20;

export interface KeyChange {
  readonly service: ServiceName;
  readonly collections: readonly Collection[];
  readonly check: SecretCheck;
  readonly store: Store;
  readonly files: FileLayer;
  /** The data folder, where the keys are. */
  readonly folder: string;
  /** The present key, if a variable gives it: then the new one stays in its file. */
  readonly given: string | undefined;
  readonly clock: Clock;
  /** Leaves values that the present key cannot open as they are. */
  readonly leavesUnreadable: boolean;
}

export interface ChangedKey {
  /** Values that were sealed again by this call. */
  readonly values: number;
  /** Whether an earlier call had begun the change. */
  readonly resumed: boolean;
  /** Where the key before is, or where the new key waits for its variable. */
  readonly keyFile: string;
}

interface Found {
  readonly text: string;
  readonly purpose: SealPurpose;
}

/** Opens values whose purpose is unknown: that of the value before is tried first. */
function createOpener(box: SecretBox): (sealed: string) => Found | undefined {
  const purposes: SealPurpose[] = [...storedPurposes];
  return (sealed) => {
    for (const [index, purpose] of purposes.entries()) {
      try {
        const text = box.open(sealed, purpose);
        purposes.unshift(...purposes.splice(index, 1));
        return { text, purpose };
      } catch {
        // Sealed for another purpose, or with another key.
      }
    }
    return undefined;
  };
}

/** A copy in which `turn` was applied to every sealed text; the same value if it changed nothing. */
function mapSealed<T>(value: T, turn: (sealed: string) => string): T;
function mapSealed(value: unknown, turn: (sealed: string) => string): unknown {
  if (typeof value === "string") return SEALED.test(value) ? turn(value) : value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const turned = entries.map(([key, member]) => [key, mapSealed<unknown>(member, turn)] as const);
  if (turned.every(([, member], index) => member === entries[index]?.[1])) return value;
  return Array.isArray(value) ? turned.map(([, member]) => member) : Object.fromEntries(turned);
}

type Visit<T> = (tx: T, collection: Collection, records: readonly StoreRecord[]) => Promise<number>;

/** Visits every record, one batch a transaction; resolves with the sum of what the visits counted. */
async function sumBatches<T extends ReadTx>(
  collections: readonly Collection[],
  run: (work: (tx: T) => Promise<Batch>) => Promise<Batch>,
  visit: Visit<T>,
): Promise<number> {
  let sum = 0;
  for (const collection of collections) {
    let batch: Batch = { count: 0, nextCursor: undefined };
    do {
      const { nextCursor: cursor } = batch;
      batch = await run(async (tx) => {
        const { items, nextCursor } = await tx.list(collection, "id", { limit: BATCH, cursor });
        return { count: await visit(tx, collection, items), nextCursor };
      });
      sum += batch.count;
    } while (batch.nextCursor !== undefined);
  }
  return sum;
}

interface Batch {
  readonly count: number;
  readonly nextCursor: string | undefined;
}

/** @throws Error before anything is changed, if there are values that none of the keys opens */
async function assertReadable(change: KeyChange, boxes: readonly SecretBox[]): Promise<void> {
  const openers = boxes.map(createOpener);
  const places = new Set<string>();
  const { collections, store, service } = change;
  await sumBatches<ReadTx>(
    collections,
    (work) => store.read(work),
    async (_tx, { name }, records) => {
      for (const record of records)
        mapSealed(record, (sealed) => {
          if (openers.every((open) => open(sealed) === undefined)) places.add(`${name} "${record.id}"`);
          return sealed;
        });
      return 0;
    },
  );
  if (places.size === 0 || change.leavesUnreadable) return;
  const more = places.size > SHOWN ? ` and ${places.size - SHOWN} more` : "";
  throw new Error(
    `The present key of the ${service} cannot open values in ${[...places].slice(0, SHOWN).join(", ")}${more}. Nothing was changed. With --leave-unreadable, these values stay as they are`,
  );
}

function sealAgain({ collections, store }: KeyChange, from: SecretBox, to: SecretBox): Promise<number> {
  const open = createOpener(from);
  return sumBatches<Tx>(
    collections,
    (work) => store.transact(work),
    async (tx, collection, records) => {
      let count = 0;
      for (const record of records) {
        const next = mapSealed(record, (sealed) => {
          const found = open(sealed);
          if (found === undefined) return sealed; // sealed again before a kill, or unreadable before
          count += 1;
          return to.seal(found.text, found.purpose);
        });
        if (next !== record) await tx.put(collection, next);
      }
      return count;
    },
  );
}

interface Keys {
  readonly present: string;
  readonly next: string | undefined;
}

async function readKeys({ files, folder, service, given }: KeyChange): Promise<Keys> {
  const read = async (name: string): Promise<string | undefined> => {
    const text = await readKeptFile(files, `${folder}/${name}`);
    const secret = text === undefined ? undefined : parseSecretFile(text);
    if (text !== undefined && secret === undefined)
      throw new Error(`"${folder}/${name}" does not contain a secret`);
    return secret;
  };
  const present = given ?? (await read(toKeyFile(service)));
  if (present === undefined) throw new Error(`"${folder}/${toKeyFile(service)}" is missing`);
  return { present, next: await read(toKeyFile(service, ".next")) };
}

/** Puts the new key in its place, after the records. */
async function placeKeys(
  { files, folder, service, given }: KeyChange,
  { present, next }: Keys,
): Promise<string> {
  if (given !== undefined) return `${folder}/${toKeyFile(service, ".next")}`;
  const write = (name: string, secret: string | undefined): Promise<void> =>
    writeKeptFile(files, { folder, name }, `${JSON.stringify({ secret })}\n`);
  const previous = toKeyFile(service, ".previous");
  if (present !== next) {
    await write(previous, present);
    await write(toKeyFile(service), next);
  }
  await files.remove(`${folder}/${toKeyFile(service, ".next")}`);
  await files.syncFolder(folder);
  return `${folder}/${previous}`;
}

/** Creates the new key on the disk, unless an earlier call did. */
async function prepareNext({ files, folder, service, given }: KeyChange, { next }: Keys): Promise<string> {
  // One that the variable has already is of an earlier change.
  if (next !== undefined && next !== given) return next;
  const secret = newSecret("key", 48);
  const name = toKeyFile(service, ".next");
  await writeKeptFile(files, { folder, name }, `${JSON.stringify({ secret })}\n`);
  return secret;
}

interface Boxes {
  readonly from: SecretBox;
  readonly to: SecretBox;
  readonly lookups: string;
}

/** Seals the records again and closes the change. */
async function changeRecords(change: KeyChange, { from, to, lookups }: Boxes): Promise<number> {
  const { store, check, service, clock } = change;
  await store.transact((tx) => check.write(tx, { check: toChangeMark(to), lookups }));
  const values = await sealAgain(change, from, to);
  const actor = { name: "system", clientId: service, requestId: "change-key" };
  await withAuditKey(store, to).transact(async (tx) => {
    await rekeyHead(tx, from.mac);
    await writeAudit(tx, { actor, action: "sealing-key.change", target: service }, clock);
    await check.write(tx, { check: toChangedCheck(to), lookups });
  });
  return values;
}

/**
 * Replaces the key of a service that does not run, or goes on with a change that was interrupted.
 * @throws Error when the present key is not that of the records, or cannot open a value; then nothing was changed
 */
export async function changeKey(change: KeyChange): Promise<ChangedKey> {
  const { store, check, service, given } = change;
  const stored = await store.read(check.read);
  if (stored === undefined) throw new Error(`The ${service} has no records yet`);
  const keys = await readKeys(change);
  const isOwn = (secret: string | undefined): boolean =>
    secret !== undefined && isSecretOf(stored.check, createSecretBox(secret));
  // The records are done; with a variable that has the new key, this is the next change.
  if (isOwn(keys.next) && !isOwn(given))
    return { values: 0, resumed: true, keyFile: await placeKeys(change, keys) };
  const begun = keys.next === undefined ? undefined : createSecretBox(keys.next);
  const from = createSecretBox(keys.present);
  if (begun !== undefined && toChangeMark(begun) === stored.check) {
    const lookups = stored.lookups ?? from.sealLookups(begun);
    await assertReadable(change, [from, begun]);
    const values = await changeRecords(change, { from, to: begun.withLookups(lookups), lookups });
    return { values, resumed: true, keyFile: await placeKeys(change, keys) };
  }
  if (!isOwn(keys.present))
    throw new Error(
      `This key did not seal the records of the ${service}. Nothing was changed. ${findChangeRemedy(stored.check, service) ?? `Restore ${toKeyFile(service)}`}`,
    );
  const previous = `${change.folder}/${toKeyFile(service, ".previous")}`;
  if (given === undefined && (await change.files.sizeBytes(previous)) !== undefined)
    throw new Error(
      `"${previous}" is the key before the last change. Nothing was changed. Move the file away first: backups from before that change need it`,
    );
  const present = stored.lookups === undefined ? from : from.withLookups(stored.lookups);
  await assertReadable(change, [present]);
  const next = await prepareNext(change, keys);
  const box = createSecretBox(next);
  const lookups = present.sealLookups(box);
  const values = await changeRecords(change, { from: present, to: box.withLookups(lookups), lookups });
  return { values, resumed: false, keyFile: await placeKeys(change, { present: keys.present, next }) };
}
