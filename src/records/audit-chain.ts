/**
 * The chain of audit entries: each one's hash covers the one before, and the head tells where the chain begins and ends.
 * Entries and head are hashed with the service's key; entries of releases that had no key keep the hashes that they
 * have, or none, and the first keyed entry covers them all.
 */
import { z } from "zod";
import { type ReadTx, type Tx, defineCollection } from "../store/store.ts";
import { hashSecret } from "../kit/secrets/admin-token.ts";
import { type Mac, getAuditMac } from "./audit-key.ts";
import { timeMs } from "../kit/text/schemas.ts";

const HEAD = "head";
/** The hash before the first entry. */
export const START_HASH = "0".repeat(64);

/** One entry of the audit. Defaults are those of the monitor's entries of older releases, which had no chain. */
export const auditRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  at: timeMs,
  actor: z.string(),
  action: z.string(),
  target: z.string(),
  result: z.enum(["ok", "refused"]).default("ok"),
  clientId: z.string().default(""),
  requestId: z.string(),
  /** The network that the request came from, where the service notes it. */
  network: z.string().optional(),
  /** Changes; secret values are masked. */
  changes: z.array(z.string()),
  prevHash: z.string().default(""),
  /** "" for an entry that was made without a chain. */
  hash: z.string().default(""),
});
export type AuditRecord = z.infer<typeof auditRecordSchema>;

/** The two ends of the chain, and whether it was ever found broken. */
const auditHeadRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** Entries that were ever written, and the hash of the last. */
  count: z.number().int(),
  hash: z.string(),
  /** Entries dropped at the old end, and the hash of the last of them. */
  dropped: z.number().int(),
  anchorHash: z.string(),
  /** Entries before this number were written without a key. 0: the head is of a release without one. */
  keyedFrom: z.number().int().default(0),
  /** Added to numbers in ids: they sort after the ids that the monitor's entries had before there was a chain. */
  idOffset: z.number().int().default(0),
  /** The ID of an entry that was found changed when the chain was continued. */
  brokenAt: z.string().optional(),
  /** The keyed hash of all members above. */
  mac: z.string().default(""),
});
export type AuditHead = z.infer<typeof auditHeadRecordSchema>;
type HeadFields = Omit<AuditHead, "id" | "version" | "mac">;

export const auditCollection = defineCollection({ name: "audit", revision: 2, schema: auditRecordSchema });
export const auditHeadCollection = defineCollection({
  name: "auditHead",
  revision: 2,
  schema: auditHeadRecordSchema,
});

/** Every member but version and hash, in a fixed order. */
function toText(entry: Omit<AuditRecord, "version" | "hash">): string {
  const { id, at, actor, action, target, result, clientId, requestId, changes, prevHash, network } = entry;
  const members = [id, at, actor, action, target, result, clientId, requestId, changes, prevHash];
  return JSON.stringify(network === undefined ? members : [...members, network]);
}

/** The hash of an entry that is written now. */
export function toKeyedHash(entry: Omit<AuditRecord, "version" | "hash">, mac: Mac): string {
  return mac(toText(entry), "audit");
}

/** The expected hash of an entry after `prevHash`; undefined if it differs. */
export function followEntry(
  entry: AuditRecord,
  behind: { readonly prevHash: string; readonly isKeyed: boolean; readonly mac: Mac },
): string | undefined {
  const { prevHash, isKeyed, mac } = behind;
  if (entry.hash === "" && !isKeyed) return hashSecret(toText({ ...entry, prevHash }));
  const expected = isKeyed ? toKeyedHash(entry, mac) : hashSecret(toText(entry));
  return entry.prevHash === prevHash && entry.hash === expected ? expected : undefined;
}

function toHeadMac(head: HeadFields, mac: Mac): string {
  const { count, hash, dropped, anchorHash, keyedFrom, idOffset, brokenAt = "" } = head;
  return mac(JSON.stringify([count, hash, dropped, anchorHash, keyedFrom, idOffset, brokenAt]), "audit-head");
}

/** The head as it is stored, or undefined. */
export function findHead(tx: ReadTx): Promise<AuditHead | undefined> {
  return tx.get(auditHeadCollection, HEAD);
}

/** Whether the head's MAC is valid. */
export function isGenuine(head: AuditHead, mac: Mac): boolean {
  return head.mac === toHeadMac(head, mac);
}

const emptyHead: HeadFields = {
  count: 0,
  hash: START_HASH,
  dropped: 0,
  anchorHash: START_HASH,
  keyedFrom: 1,
  idOffset: 0,
};

/**
 * The head to write on from. One that was changed without the key is not taken for good again: the chain goes on
 * behind it, marked as broken for ever.
 */
export async function readHead(tx: ReadTx): Promise<HeadFields & Partial<AuditHead>> {
  const head = await findHead(tx);
  if (head === undefined) return emptyHead;
  return isGenuine(head, getAuditMac(tx)) ? head : { ...head, brokenAt: head.brokenAt ?? "the head" };
}

/** Hashes a head with another key. One that was changed without the old key stays marked as broken. */
export async function rekeyHead(tx: Tx, before: Mac): Promise<void> {
  const head = await findHead(tx);
  if (head === undefined || head.mac === "") return;
  await writeHead(tx, isGenuine(head, before) ? head : { ...head, brokenAt: head.brokenAt ?? "the head" });
}

/** Stores a head under the key. */
export async function writeHead(
  tx: Tx,
  { id, version, ...fields }: HeadFields & Partial<AuditHead>,
): Promise<void> {
  const head = { ...fields, mac: toHeadMac(fields, getAuditMac(tx)) };
  if (version === undefined) await tx.insert(auditHeadCollection, { id: HEAD, ...head });
  else await tx.put(auditHeadCollection, { id: id ?? HEAD, version, ...head });
}
