/** Searching licenses: by the key or its end, the buyer's email, an order number, the product, and the status. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { listEvery } from "../../store/every-page.ts";
import type { Page, PageOptions, ReadTx } from "../../store/store.ts";
import { type LicenseRecord, type LicenseStatus, toLicenseStatus } from "../licence-keys/license-schema.ts";
import { SECRET_PURPOSE } from "../licence-keys/product-secret.ts";
import { licenses } from "../licence-keys/records.ts";
import { orders } from "../orders/records.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { products, secrets } from "../products/records.ts";
import { findLicense } from "./find-license.ts";

/** Licenses that one request looks at: keys are stored encrypted, so their ends are in no index. */
const SCAN_LIMIT = 5_000;
/** Licenses of one buyer that a search shows. */
const OWN_LIMIT = 200;

export interface LicenseSearch extends PageOptions {
  readonly q?: string | undefined;
  readonly status?: LicenseStatus | undefined;
  readonly productId?: string | undefined;
}

interface Searching {
  readonly box: SecretBox;
  readonly nowMs: number;
}

/** A key or what was typed of it, without what people leave out. */
function toLetters(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, "").toUpperCase();
}

/** All licenses of a mailbox: of its orders, and of imports that name it as the holder. Newest first. */
export async function listBuyersLicenses(
  tx: ReadTx,
  emailLower: string,
  bought: readonly OrderRecord[],
): Promise<LicenseRecord[]> {
  const found = await listEvery(tx, licenses, { index: "byHolder", range: { prefix: [emailLower] } });
  for (const { id, lines } of bought)
    if (lines.some(({ license }) => license !== undefined))
      found.push(...(await listEvery(tx, licenses, { index: "byOrder", range: { prefix: [id] } })));
  return found.sort((a, b) => b.createdAt - a.createdAt);
}

async function listOfMailbox(tx: ReadTx, emailLower: string): Promise<LicenseRecord[]> {
  const range = { prefix: [emailLower], limit: OWN_LIMIT, reverse: true };
  const { items } = await tx.list(orders, "byEmail", range);
  return (await listBuyersLicenses(tx, emailLower, items)).slice(0, OWN_LIMIT);
}

async function listOfOrder(tx: ReadTx, number: string): Promise<LicenseRecord[]> {
  const order = await tx.by(orders, "byNumber", [number.toUpperCase()]);
  if (order === undefined) return [];
  return listEvery(tx, licenses, { index: "byOrder", range: { prefix: [order.id] } });
}

/** Looks at licenses, newest first, until a page is full. */
async function scan(
  tx: ReadTx,
  search: LicenseSearch,
  fits: (license: LicenseRecord) => Promise<boolean>,
): Promise<Page<LicenseRecord>> {
  const { productId, limit } = search;
  const index = productId === undefined ? "byTime" : "byProduct";
  const prefix = productId === undefined ? [] : [productId];
  const items: LicenseRecord[] = [];
  // A cursor is known only after a whole page: the last one must not bring more than the limit.
  const size = Math.ceil(limit / 2);
  let { cursor } = search;
  for (let seen = 0; seen < SCAN_LIMIT && items.length + size <= limit; seen += size) {
    const range = { prefix, cursor, reverse: true, limit: size };
    const page: Page<LicenseRecord> = await tx.list(licenses, index, range);
    for (const license of page.items) if (await fits(license)) items.push(license);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  return cursor === undefined ? { items } : { items, nextCursor: cursor };
}

/** A page of the licenses that fit a search, newest first. Throws `bad_cursor`. */
export async function searchLicenses(
  tx: ReadTx,
  { box, nowMs }: Searching,
  search: LicenseSearch,
): Promise<Page<LicenseRecord>> {
  const { q = "", status, productId } = search;
  const typed = q.trim();
  const isWanted = (license: LicenseRecord): boolean =>
    (status === undefined || toLicenseStatus(license, nowMs) === status) &&
    (productId === undefined || license.productId === productId);
  if (typed === "") return scan(tx, search, async (license) => isWanted(license));
  const exact = await findLicense(tx, box, typed);
  const known =
    exact === undefined
      ? [...(await listOfMailbox(tx, typed.toLowerCase())), ...(await listOfOrder(tx, typed))]
      : [exact];
  if (known.length > 0 || typed.includes("@")) return { items: known.filter(isWanted) };
  const end = toLetters(typed);
  const titles = new Map<string, string>();
  const isOfProduct = async ({ productId: id }: LicenseRecord): Promise<boolean> => {
    const title = titles.get(id) ?? (await tx.get(products, id))?.title.toLowerCase() ?? "";
    titles.set(id, title);
    return title.includes(typed.toLowerCase());
  };
  return scan(tx, search, async (license) => {
    if (!isWanted(license)) return false;
    if (await isOfProduct(license)) return true;
    if (end === "") return false;
    const secret = await tx.get(secrets, license.id);
    return secret !== undefined && toLetters(box.open(secret.sealed, SECRET_PURPOSE)).endsWith(end);
  });
}
