/** Checks what a service's store holds through the store's port, whatever keeps it: schemas, rules, audit, and the shop's sums. */
import { textOf } from "../../kit/thrown.ts";
import { auditCollection, findHead } from "../../records/audit-chain.ts";
import { withAuditKey } from "../../records/audit-key.ts";
import { verifyAudit } from "../../records/audit.ts";
import { type BlobReference, listBlobReferences } from "../../shop/app/blob-references.ts";
import { checkInvoiceNumbers, checkStock } from "../../shop/operation/records-check.ts";
import { checkLedger } from "../../shop/payments/ledger-check.ts";
import { describeFault } from "../../shop/service-books.ts";
import { assertChecks } from "../../store/documents.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { Doc } from "../../store/keys.ts";
import type { Collection, Store, StoreRecord } from "../../store/store.ts";
import type { Findings } from "./finding.ts";
import { type FoundSecret, checkSecret, openStoreBox } from "./secret-check.ts";

/** Records of one collection that are named; the rest is counted. */
const SHOWN = 20;
const BY_HAND = "correct it in the console, or restore an earlier backup";

export interface StoreCheck {
  readonly service: string;
  readonly collections: readonly Collection[];
  readonly store: Store;
  /** The service's sealing secret; without it the audit cannot be checked. */
  readonly secret: FoundSecret | undefined;
  readonly findings: Findings;
}

function findFault(collection: Collection, record: StoreRecord): string | undefined {
  const { success, error } = collection.schema.safeParse(record);
  if (!success) {
    const [issue] = error.issues;
    return `is invalid at "${issue?.path.join(".") ?? ""}": ${issue?.message ?? ""}`;
  }
  try {
    const doc: Doc = { ...record };
    assertChecks(collection, doc);
    return undefined;
  } catch (cause) {
    return textOf(cause);
  }
}

/** Every record against its schema and the rules of its collection. */
async function checkRecords({ service, collections, store, findings }: StoreCheck): Promise<void> {
  let count = 0;
  for (const collection of collections) {
    const faults: string[] = [];
    await store.read(async (tx) => {
      faults.length = 0;
      let read = 0;
      for await (const page of pagesOf(tx, collection, { index: "id" }))
        for (const record of page) {
          read += 1;
          const fault = findFault(collection, record);
          if (fault !== undefined) faults.push(`record "${record.id}" of "${collection.name}" ${fault}`);
        }
      count += read;
    });
    for (const fault of faults.slice(0, SHOWN)) findings.error(service, fault, BY_HAND);
    if (faults.length > SHOWN)
      findings.error(
        service,
        `${faults.length - SHOWN} more records of "${collection.name}" are invalid`,
        BY_HAND,
      );
  }
  findings.count(`records of the ${service}`, count);
}

/** Whether the audit's head was written before entries were hashed with a key. */
async function isOfOlderVersion(store: Store): Promise<boolean> {
  const { head, revised } = await store.read(async (tx) => ({
    head: await findHead(tx),
    revised: (await tx.list(auditCollection, "id", { limit: 1 })).items[0]?.hash,
  }));
  return head === undefined ? revised === "" : head.keyedFrom === 0 && head.mac === "";
}

async function checkAudit(check: StoreCheck): Promise<void> {
  const { service, store, secret, findings } = check;
  if (secret === undefined) {
    const remedy = `set ${service.toUpperCase()}_SECRET, or put ${service}-secret.json beside the records`;
    findings.warn(service, "the audit log could not be verified without the secret of the service", remedy);
    return;
  }
  if (await isOfOlderVersion(store)) {
    const problem = "the audit log was written by an earlier version without a key and was not verified";
    findings.warn(service, problem, "start this version once");
    return;
  }
  const { valid, entries, brokenAt } = await verifyAudit(
    withAuditKey(store, await openStoreBox(check, secret.secret)),
  );
  findings.count(`audit entries of the ${service}`, entries);
  const problem = `the chain of the audit log is broken at ${brokenAt ?? "an unknown entry"}`;
  if (!valid)
    findings.error(
      service,
      problem,
      "compare with a backup: an entry was changed or removed, or the secret has changed",
    );
}

/** Books, units, keys and invoices of a shop. */
async function checkSums({ store, findings }: StoreCheck): Promise<void> {
  const { orders, faults } = await checkLedger(store);
  findings.count("orders with verified books", orders);
  const all = [
    ...faults.map(describeFault),
    ...(await checkStock(store)),
    ...(await checkInvoiceNumbers(store)),
  ];
  for (const fault of all.slice(0, SHOWN)) findings.error("shop", fault, BY_HAND);
  if (all.length > SHOWN) findings.error("shop", `${all.length - SHOWN} more totals are wrong`, BY_HAND);
}

/** The blobs that the shop's records need and that are not there. */
export async function listMissing(
  store: Store,
  has: (hash: string) => Promise<boolean>,
): Promise<{ blobs: BlobReference[]; broken: string[]; count: number }> {
  return store.read(async (tx) => {
    const blobs: BlobReference[] = [];
    const broken: string[] = [];
    let count = 0;
    const read = async function* <T extends StoreRecord>(collection: Collection<T>): AsyncGenerator<T> {
      for await (const page of pagesOf(tx, collection, { index: "id" })) yield* page;
    };
    for await (const reference of listBlobReferences(read)) {
      count += 1;
      if ("broken" in reference) broken.push(reference.broken);
      else if (!(await has(reference.hash))) blobs.push(reference);
    }
    return { blobs, broken, count };
  });
}

/** Everything that a store's records say of themselves. */
export async function checkStore(check: StoreCheck): Promise<void> {
  await checkRecords(check);
  // Another secret would only say that each chain of the audit is broken.
  if (await checkSecret(check)) await checkAudit(check);
  if (check.service === "shop") await checkSums(check);
}
