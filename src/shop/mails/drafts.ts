/**
 * Mails as the outbox keeps them: what they consist of, laid out when they are sent. A long text that many mails share,
 * such as instructions of the law, is kept once, under its hash, and a mail names it.
 */
import { z } from "zod";
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import type { MailMessage } from "../../kit/mail/mail.ts";
import type { ReadTx, Store, Tx } from "../../store/store.ts";
import { mailTexts } from "./records.ts";
import { keepFormats } from "../base/formats.ts";
import { toAttachments } from "./attachments.ts";
import { type MailDocument, type MailPart, layOut } from "./mail-layout.ts";

const DAY_MS = 86_400_000;
/** A text stays for so long after it was last named: mails wait for 7 days at most. */
const KEPT_MS = 30 * DAY_MS;
/** With less than this left, its expiry is extended; before that, using it writes nothing. */
const RENEWED_MS = 15 * DAY_MS;
/** Shorter texts are part of the email itself. */
const MIN_SHARED = 500;
/** Characters of a draft that an outbox keeps for sure, sealed. */
const MAX_DRAFT = 60_000;
const SWEPT_AT_ONCE = 200;

const values = z.record(z.string(), z.string()).optional();
const partSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("paragraph"), text: z.string() }),
  z.object({ kind: z.literal("facts"), rows: z.array(z.tuple([z.string(), z.string()])) }),
  z.object({ kind: z.literal("link"), label: z.string(), address: z.string() }),
  z.object({ kind: z.literal("goods"), title: z.string(), values: z.array(z.string()) }),
  z.object({ kind: z.literal("document"), title: z.string(), markdown: z.string(), values }),
  z.object({ kind: z.literal("shared"), title: z.string(), textId: z.string(), values }),
]);
type DraftPart = MailPart | (z.infer<typeof partSchema> & { kind: "shared" });

const draftSchema = z.object({
  language: z.string(),
  shopName: z.string(),
  title: z.string(),
  cutNote: z.string(),
  parts: z.array(partSchema),
  accent: z.string().optional(),
  /** Ids of invoices and credit notes; those that are e-invoices go with the mail. */
  documents: z.array(z.string()).optional(),
});

const textIds = keepFormats<string>();

/** Keeps a text, and returns its id. */
async function keepText(tx: Tx, text: string, nowMs: number): Promise<string> {
  const id = textIds(text, () => hashSecret(text));
  const kept = await tx.get(mailTexts, id);
  const keptUntil = nowMs + KEPT_MS;
  if (kept === undefined) await tx.insert(mailTexts, { id, text, keptUntil });
  else if (kept.keptUntil < nowMs + RENEWED_MS) await tx.put(mailTexts, { ...kept, keptUntil });
  return id;
}

/** A mail as it is kept; undefined for one that is too long to be kept so. */
export async function toDraft(
  tx: Tx,
  { documents, ...mail }: MailDocument & { readonly documents?: readonly string[] | undefined },
  nowMs: number,
): Promise<string | undefined> {
  const { parts, language, shopName, title, cutNote, accent } = mail;
  const kept: DraftPart[] = [];
  for (const part of parts) {
    if (part.kind !== "document" || part.markdown.length < MIN_SHARED) {
      kept.push(part);
      continue;
    }
    const textId = await keepText(tx, part.markdown, nowMs);
    kept.push({ kind: "shared", title: part.title, textId, values: part.values && { ...part.values } });
  }
  const draft = JSON.stringify({ language, shopName, title, cutNote, accent, parts: kept, documents });
  return draft.length <= MAX_DRAFT ? draft : undefined;
}

/** Lays out what {@link toDraft} made; undefined when it cannot be read, or a text is gone. */
export async function layOutDraft(
  tx: ReadTx,
  draft: string,
): Promise<Pick<MailMessage, "text" | "html" | "attach"> | undefined> {
  const { success, data } = draftSchema.safeParse(JSON.parse(draft));
  if (!success) return undefined;
  const parts: MailPart[] = [];
  for (const part of data.parts) {
    if (part.kind !== "shared") {
      parts.push(part);
      continue;
    }
    const { title, textId, values: filled } = part;
    const kept = await tx.get(mailTexts, textId);
    if (kept === undefined) return undefined;
    parts.push({ kind: "document", title, markdown: kept.text, values: filled });
  }
  const attach = await toAttachments(tx, data.documents);
  return attach === undefined ? layOut({ ...data, parts }) : { ...layOut({ ...data, parts }), attach };
}

/** Removes up to 200 texts without emails; resolves with their number. */
export function sweepMailTexts(store: Store, nowMs: number): Promise<number> {
  return store.transact(async (tx) => {
    const { items } = await tx.list(mailTexts, "byKeptUntil", { to: [nowMs + 1], limit: SWEPT_AT_ONCE });
    for (const { id } of items) await tx.remove(mailTexts, id);
    return items.length;
  });
}
