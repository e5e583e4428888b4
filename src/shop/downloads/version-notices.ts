/** Mails about a new version of a file: to each buyer who has a right to it, once, in the language of the order. */
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { opensFile, toGrantState } from "../files/grants.ts";
import type { FileNoticeRecord, FileVersion } from "../files/schema.ts";
import type { ProductFileRecord } from "../products/file-schema.ts";
import { findMailWords } from "../mails/mail-words.ts";
import { enqueueMail, paragraph } from "../mails/mails.ts";
import { toOrderAccess } from "../orders/mails.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { toOrderToken } from "../orders/token.ts";
import { fileGrants, fileNotices } from "../files/records.ts";
import { productFiles } from "../products/records.ts";
import { orders } from "../orders/records.ts";
import { readSite, readSmtp } from "../site/settings.ts";

/** Buyers that one transaction takes. */
const PAGE = 50;
const NOTICES_AT_ONCE = 20;

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl">;

async function mailVersion(
  tx: Tx,
  { outbox, publicUrl, box, clock }: Deps,
  { order, file, version }: { order: OrderRecord; file: ProductFileRecord; version: FileVersion },
): Promise<void> {
  const site = await readSite(tx);
  const { words, language } = findMailWords(order.language);
  const [title, intro] = [words["file_version.title"], words["file_version.intro"]];
  const rows: [string, string][] = [
    [words.order, order.number],
    [words.product, order.lines.find(({ productId }) => productId === file.productId)?.title ?? file.title],
    [words.file, version.fileName],
    [words.fileVersion, version.label === "" ? String(version.number) : version.label],
  ];
  const access = { order, orderToken: toOrderToken(box, order) };
  const parts = [
    paragraph(intro),
    { kind: "facts", rows } as const,
    ...toOrderAccess(access, words, { site, publicUrl }),
  ];
  await enqueueMail(
    tx,
    { outbox, clock, site },
    {
      kind: "file_version",
      thread: order.id,
      to: order.email,
      language,
      title,
      parts,
      subject: `${title} — ${file.title}`,
      cutNote: words.cut,
    },
  );
}

/** One page of buyers and the position of the next, in one transaction: each buyer is emailed exactly once. */
async function mailPage(tx: Tx, deps: Deps, id: string): Promise<void> {
  const notice = await tx.get(fileNotices, id);
  if (notice === undefined) return;
  const { productId, fileId, number, cursor } = notice;
  const file = await tx.get(productFiles, fileId);
  const version = file?.versions.find((each) => each.number === number);
  // A newer version has its own emails.
  const isWanted = version !== undefined && version === file?.versions.at(-1);
  if (!isWanted || file === undefined || !(await readSmtp(tx)).notify.file_version) {
    await tx.remove(fileNotices, id);
    return;
  }
  const page = await tx.list(fileGrants, "byBuyer", { prefix: [productId], limit: PAGE, cursor });
  let { lastEmail } = notice;
  for (const grant of page.items) {
    if (grant.emailLower === lastEmail || !opensFile(grant, file)) continue;
    const order = await tx.get(orders, grant.orderId);
    if (order === undefined || toGrantState(grant, order, deps.clock.now()) !== "usable") continue;
    await mailVersion(tx, deps, { order, file, version });
    lastEmail = grant.emailLower;
  }
  if (page.nextCursor === undefined) await tx.remove(fileNotices, id);
  else await tx.put(fileNotices, { ...notice, cursor: page.nextCursor, lastEmail });
}

/** Creates the job that writes the mails. */
export function createVersionNotices(deps: Deps) {
  const { store } = deps;
  const list = async (): Promise<readonly FileNoticeRecord[]> =>
    (await store.read((tx) => tx.list(fileNotices, "id", { limit: NOTICES_AT_ONCE }))).items;
  return {
    /** Writes emails for 50 purchases of each new version; resolves with the number of unfinished versions. */
    run: async (): Promise<number> => {
      for (const { id } of await list()) await store.transact((tx) => mailPage(tx, deps, id));
      return (await list()).length;
    },
  };
}
