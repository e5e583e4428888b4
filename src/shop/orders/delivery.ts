/**
 * Handing over what was paid for: licence keys of which each is given once, shared secrets, rights to files, and what
 * an administrator writes.
 */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { giveGenerated, issueLicense } from "../licence-keys/issue.ts";
import { disableLicense } from "../licence-keys/disable.ts";
import { licenses } from "../licence-keys/records.ts";
import { isCustom } from "../base/custom-line.ts";
import { CONTENT_PURPOSE, SECRET_PURPOSE } from "../licence-keys/product-secret.ts";
import { grantFiles, listGrantedFiles, listGrants } from "../files/grants.ts";
import { products, secrets } from "../products/records.ts";
import { readSite } from "../site/settings.ts";
import { payRenewal, startSubscription } from "../subscriptions/settle.ts";
import type { SecretRecord } from "../products/schema.ts";
import { issueCardsOf, readCodes } from "./gift-delivery.ts";
import type { Goods } from "./order.ts";
import type { OrderLine, OrderRecord } from "./schema.ts";

/** The delivered content of a line: license keys, a shared secret, or an administrator's text. */
export interface HandedOver {
  readonly lineId: string;
  readonly title: string;
  readonly values: readonly string[];
  /** Names of files, which are downloaded from the order. */
  readonly fileNames?: readonly string[] | undefined;
  readonly instructions: string;
}

/** A line's product with its variant: "T-shirt (L, red)". */
export function nameLine({ title, options }: Pick<OrderLine, "title" | "options">): string {
  const chosen = Object.values(options).join(", ");
  return chosen === "" ? title : `${title} (${chosen})`;
}

/** Whether a line is handed over without a person. */
export function isAutomatic({ deliveryType }: Pick<OrderLine, "deliveryType">): boolean {
  return (
    deliveryType === "auto_secret" ||
    deliveryType === "shared_secret" ||
    deliveryType === "files" ||
    deliveryType === "gift_card"
  );
}

/** The most keys that are read at once. */
const PAGE = 1_000;

interface Given {
  readonly line: OrderLine;
  readonly orderId: string;
  readonly atMs: number;
}

/** Free keys become given; undefined when there are too few, and then none is given. */
async function giveFromStock(tx: Tx, { line, orderId, atMs }: Given): Promise<SecretRecord[] | undefined> {
  const given: SecretRecord[] = [];
  while (given.length < line.quantity) {
    const limit = Math.min(PAGE, line.quantity - given.length);
    const { items } = await tx.list(secrets, "byState", { prefix: [line.stockId, "free"], limit });
    if (items.length < limit) {
      // Given back: the caller's transaction goes on.
      for (const { id } of given) await freeKey(tx, id);
      return undefined;
    }
    for (const key of items)
      given.push(await tx.put(secrets, { ...key, state: "given", orderId, givenAt: atMs }));
  }
  return given;
}

async function generateKeys(tx: Tx, box: SecretBox, { line, orderId, atMs }: Given): Promise<SecretRecord[]> {
  const { productId, stockId, license } = line;
  const keys: SecretRecord[] = [];
  while (license !== undefined && keys.length < line.quantity)
    keys.push(await giveGenerated(tx, box, { productId, stockId, orderId, atMs, pattern: license.pattern }));
  return keys;
}

/** The ids of the keys of a line, with their licenses; undefined when there are too few. */
async function giveKeys(tx: Tx, box: SecretBox, given: Given): Promise<string[] | undefined> {
  const { line, atMs } = given;
  const { license: terms, id: lineId } = line;
  const keys =
    terms?.keys === "generated" ? await generateKeys(tx, box, given) : await giveFromStock(tx, given);
  if (terms !== undefined) for (const key of keys ?? []) await issueLicense(tx, key, { terms, lineId, atMs });
  return keys?.map(({ id }) => id);
}

/** Replaces the key at `index` of a line, whose license ends; undefined when none is free. */
export async function replaceKey(
  tx: Tx,
  box: SecretBox,
  { orderId, line, index, atMs }: Given & { readonly index: number },
): Promise<OrderLine | undefined> {
  const [id] = (await giveKeys(tx, box, { line: { ...line, quantity: 1 }, orderId, atMs })) ?? [];
  if (id === undefined) return undefined;
  const before = line.license && (await tx.get(licenses, line.secretIds[index] ?? ""));
  if (before !== undefined) {
    // Bought once: the new key is valid as long as the old one was.
    const next = await tx.get(licenses, id);
    const { maxDevices, expiresAt } = before;
    if (next !== undefined) await tx.put(licenses, { ...next, maxDevices, expiresAt });
    await disableLicense(tx, before, { reason: "replaced", atMs });
  }
  return { ...line, secretIds: line.secretIds.with(index, id) };
}

async function freeKey(tx: Tx, id: string): Promise<void> {
  const key = await tx.get(secrets, id);
  if (key === undefined) return;
  const { orderId: _orderId, givenAt: _givenAt, ...kept } = key;
  await tx.put(secrets, { ...kept, state: "free" });
}

/** Hands over every line that needs no person and was not handed over yet. */
export async function handOverAutomatic(
  tx: Tx,
  box: SecretBox,
  order: Pick<OrderRecord, "id" | "emailLower" | "lines" | "currency" | "language">,
  atMs: number,
): Promise<Omit<Goods, "autoCompleteDays">> {
  const lines: OrderLine[] = [];
  let isComplete = true;
  for (const line of order.lines) {
    if (!isAutomatic(line) || line.deliveredAt !== undefined) {
      lines.push(line);
    } else if (line.renewal !== undefined) {
      await payRenewal(tx, order.id, atMs);
      lines.push({ ...line, deliveredAt: atMs });
    } else if (line.deliveryType === "files") {
      const isGranted = await grantFiles(tx, order, { line, atMs });
      if (!isGranted) isComplete = false;
      lines.push(isGranted ? { ...line, deliveredAt: atMs } : line);
    } else if (line.deliveryType === "gift_card") {
      await issueCardsOf(tx, box, order, { line, atMs });
      lines.push({ ...line, deliveredAt: atMs });
    } else if (line.deliveryType === "shared_secret") {
      const product = await tx.get(products, line.productId);
      const sealedContent = product?.sealedSharedSecret;
      if (sealedContent === undefined) isComplete = false;
      lines.push(sealedContent === undefined ? line : { ...line, sealedContent, deliveredAt: atMs });
    } else {
      const secretIds = await giveKeys(tx, box, { line, orderId: order.id, atMs });
      if (secretIds === undefined) isComplete = false;
      else if (line.license?.renewal !== undefined) {
        const { timeZone } = await readSite(tx);
        await startSubscription(tx, { order, line, timeZone, atMs });
      }
      lines.push(secretIds === undefined ? line : { ...line, secretIds, deliveredAt: atMs });
    }
  }
  return { lines, isComplete };
}

/** The names of the files that a line opens, by the order's id. */
async function readFileNames(tx: ReadTx, orderId: string): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>();
  for (const grant of await listGrants(tx, orderId))
    names.set(
      grant.lineId,
      (await listGrantedFiles(tx, grant)).map(({ newest }) => newest.fileName),
    );
  return names;
}

/** The delivered content of an order, decrypted for its buyer; waiting lines are left out. */
export async function readHandedOver(
  tx: ReadTx,
  box: SecretBox,
  { id, lines }: Pick<OrderRecord, "id" | "lines">,
): Promise<HandedOver[]> {
  const all: HandedOver[] = [];
  const hasFiles = lines.some(({ deliveryType }) => deliveryType === "files");
  const fileNames = hasFiles ? await readFileNames(tx, id) : undefined;
  for (const line of lines) {
    if (line.deliveredAt === undefined) continue;
    const values: string[] = [];
    for (const id of line.secretIds) {
      const key = await tx.get(secrets, id);
      if (key !== undefined) values.push(box.open(key.sealed, SECRET_PURPOSE));
    }
    if (line.deliveryType === "gift_card")
      values.push(...(await readCodes(tx, box, { orderId: id, lineId: line.id })));
    if (line.sealedContent !== undefined) values.push(box.open(line.sealedContent, CONTENT_PURPOSE));
    const { id: lineId, instructions } = line;
    const title = nameLine(line);
    all.push({ lineId, title, values, fileNames: fileNames?.get(lineId), instructions });
  }
  return all;
}

/** Units of a line that can go back: those of goods, as long as the stock counts them as sold. */
export function countReturnable(order: OrderRecord, line: OrderLine): number {
  const isSold =
    order.status === "canceled"
      ? order.paidAt !== undefined && line.deliveredAt !== undefined
      : order.status !== "pending_payment" && order.status !== "expired";
  return !isSold || isAutomatic(line) || isCustom(line) ? 0 : line.quantity - (line.returned ?? 0);
}
