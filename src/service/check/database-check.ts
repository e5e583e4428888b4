/** Checks what a PostgreSQL database holds of all services, which may run. Nothing in it is changed. */
import { hashBytes } from "../../kit/secrets/hash-bytes.ts";
import { textOf } from "../../kit/thrown.ts";
import { SHOP_BLOB_TABLE } from "../../shop/service-blobs.ts";
import { type BlobTable, findBlobTable } from "../../store/postgres/blobs.ts";
import { openPostgresStore } from "../../store/postgres/postgres-store.ts";
import type { Store } from "../../store/store.ts";
import { serviceCollections } from "../collections.ts";
import { hidePassword, listStores } from "../migration/database-place.ts";
import { type CheckReport, Findings } from "./finding.ts";
import type { FoundSecrets } from "./folder-check.ts";
import { checkStore, listMissing } from "./store-check.ts";

const APPLICATION = "trivet-check";
const RESTORE_DUMP = "restore the database from a dump";
const SEND_AGAIN = "restore it from a dump, or upload it again in the shop";
const SHOWN = 20;

/** Every blob against its name. */
async function checkBlobs(table: BlobTable, findings: Findings): Promise<void> {
  let count = 0;
  for await (const hashes of table.listAll())
    for (const hash of hashes) {
      const bytes = await table.get(hash);
      count += 1;
      if (bytes !== undefined && (await hashBytes(bytes)) !== hash)
        findings.error(SHOP_BLOB_TABLE, `the content ${hash} does not match its checksum`, SEND_AGAIN);
    }
  findings.count("images and parts of files", count);
}

async function checkReferences(
  store: Store,
  table: BlobTable | undefined,
  findings: Findings,
): Promise<void> {
  const has = async (hash: string): Promise<boolean> => (await table?.find([hash]))?.has(hash) === true;
  const first = await listMissing(store, has);
  // A shop that runs may have removed what was named when the records were read.
  const found = first.blobs.length + first.broken.length === 0 ? first : await listMissing(store, has);
  findings.count("references to images and parts of files", found.count);
  for (const broken of found.broken.slice(0, SHOWN)) findings.error("shop", broken, SEND_AGAIN);
  for (const { hash, by } of found.blobs.slice(0, SHOWN))
    findings.error(SHOP_BLOB_TABLE, `${hash} is missing, and ${by} refers to it`, SEND_AGAIN);
  const more = found.broken.length + found.blobs.length - 2 * SHOWN;
  if (more > 0) findings.error("shop", `at least ${more} more references are broken`, SEND_AGAIN);
}

async function checkShopBlobs(url: string, store: Store, findings: Findings): Promise<void> {
  const table = await findBlobTable({ url, table: SHOP_BLOB_TABLE, applicationName: APPLICATION });
  try {
    if (table !== undefined) await checkBlobs(table, findings);
    await checkReferences(store, table, findings);
  } finally {
    await table?.close();
  }
}

/** @throws Error when the database cannot be reached or holds nothing of Trivet */
export async function checkDatabase(url: string, secrets: FoundSecrets): Promise<CheckReport> {
  const findings = new Findings();
  const names = await listStores(url, Object.keys(serviceCollections));
  if (names.length === 0)
    throw new Error(`The database ${hidePassword(url)} does not contain data of Trivet`);
  for (const service of names) {
    const collections = serviceCollections[service] ?? [];
    try {
      const store = await openPostgresStore({
        url,
        name: service,
        collections,
        applicationName: APPLICATION,
        isReadOnly: true,
      });
      try {
        await checkStore({ service, collections, store, secret: secrets[service], findings });
        if (service === "shop") await checkShopBlobs(url, store, findings);
      } finally {
        await store.close();
      }
    } catch (error) {
      findings.error(service, textOf(error), RESTORE_DUMP);
    }
  }
  return { place: `the database ${hidePassword(url)}`, findings: findings.list, checked: findings.checked };
}
