/** Reads the mails of the outbox: for administrators, and to send them. */
import type { MailMessage } from "../kit/mail/mail.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { Page, ReadTx, Store } from "../store/store.ts";
import { type OutboxRecord, type OutboxState, outboxCollection } from "./outbox-record.ts";
import { openMessage, openText } from "./outbox-seal.ts";

/** A mail as an administrator sees it; `text` is "" when it was sent, expired or cannot be opened. */
export type OutboxEntry = Omit<
  OutboxRecord,
  "version" | "thread" | "sealedText" | "sealedDraft" | "sealedHtml" | "sealedUnsubscribe" | "release"
> & {
  readonly text: string;
};

export interface OutboxListOptions {
  /** 1 to 1,000. */
  readonly limit: number;
  readonly cursor?: string;
  readonly state?: OutboxState;
  readonly kind?: string;
}

/** Renders a draft as text and HTML; undefined if it cannot be read. */
export type LayOutDraft = (
  tx: ReadTx,
  draft: string,
) => Promise<Pick<MailMessage, "text" | "html" | "attach"> | undefined>;

interface ReadDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly box: SecretBox;
  readonly layOut?: LayOutDraft;
}

/** A mail as it is sent; undefined when it cannot be read. */
export async function readMessage(
  { box, layOut }: Pick<ReadDeps, "box" | "layOut">,
  tx: ReadTx,
  record: OutboxRecord,
): Promise<MailMessage | undefined> {
  const { sealedDraft, ...rest } = record;
  if (sealedDraft === undefined && rest.sealedText === "") return undefined;
  const message = openMessage(box, rest);
  if (message === undefined || sealedDraft === undefined) return message;
  const laidOut = await readDraft({ box, layOut }, tx, sealedDraft);
  return laidOut && { ...message, ...laidOut };
}

async function readDraft({ box, layOut }: Pick<ReadDeps, "box" | "layOut">, tx: ReadTx, sealed: string) {
  const draft = openText(box, sealed);
  return draft === undefined ? undefined : layOut?.(tx, draft);
}

async function readText(
  deps: ReadDeps,
  tx: ReadTx,
  { sealedText, sealedDraft }: OutboxRecord,
): Promise<string | undefined> {
  if (sealedDraft !== undefined) return (await readDraft(deps, tx, sealedDraft))?.text;
  return sealedText === "" ? undefined : openText(deps.box, sealedText);
}

/** A mail as an administrator sees it. */
export async function toEntry(deps: ReadDeps, tx: ReadTx, record: OutboxRecord): Promise<OutboxEntry> {
  const {
    version: _version,
    thread: _thread,
    sealedText: _text,
    sealedDraft: _draft,
    sealedHtml: _html,
    sealedUnsubscribe: _url,
    release: _release,
    ...entry
  } = record;
  const isGone = record.expiresAt <= deps.clock.now();
  return { ...entry, text: isGone ? "" : ((await readText(deps, tx, record)) ?? "") };
}

/** A page of mails, the newest first. */
export function listMails(deps: ReadDeps, options: OutboxListOptions): Promise<Page<OutboxEntry>> {
  const { state, kind, ...rest } = options;
  const readPage = (tx: ReadTx): Promise<Page<OutboxRecord>> => {
    if (kind === undefined && state === undefined)
      return tx.list(outboxCollection, "id", { ...rest, reverse: true });
    const prefix = [kind, state].filter((value) => value !== undefined);
    const index = kind === undefined ? "byState" : state === undefined ? "byKind" : "byKindState";
    return tx.list(outboxCollection, index, { ...rest, prefix, reverse: true });
  };
  return deps.store.read(async (tx) => {
    const page = await readPage(tx);
    const items: OutboxEntry[] = [];
    for (const record of page.items)
      if (record.state !== "decoy") items.push(await toEntry(deps, tx, record));
    return page.nextCursor === undefined ? { items } : { items, nextCursor: page.nextCursor };
  });
}
