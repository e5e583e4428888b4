/** Conversations as administrators look through and change them, and what both sides have read. */
import { writeAudit } from "../../records/audit.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import type { IndexRange, Page, ReadTx, Tx } from "../../store/store.ts";
import type { Actor } from "../users/caller.ts";
import { takeNumbers } from "./numbers.ts";
import { conversations, messages } from "./records.ts";
import type { ConversationRecord } from "./schema.ts";

/** How many conversations a list reads, at most, when its filters have no index. */
const MAX_WALK = 5_000;
const MAX_READS = 200;

export interface ConversationFilter {
  readonly status?: ConversationRecord["status"] | undefined;
  readonly unread?: boolean | undefined;
  /** Part of the username or of the start of the last message, in any case. */
  readonly q?: string | undefined;
  /** "" for unassigned ones. */
  readonly assignee?: string | undefined;
}

export interface ConversationQuery extends ConversationFilter {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

type IndexName = "byAssignee" | "byUnread" | "byStatus" | "byLast";

/** The index that leaves least to look through. */
function chooseIndex({ status, unread, assignee }: ConversationFilter): {
  index: IndexName;
  range: IndexRange;
} {
  if (assignee !== undefined && assignee !== "")
    return { index: "byAssignee", range: { prefix: [assignee] } };
  if (unread === true) return { index: "byUnread", range: { prefix: ["yes"] } };
  if (status !== undefined) return { index: "byStatus", range: { prefix: [status] } };
  return { index: "byLast", range: {} };
}

function matches(record: ConversationRecord, { status, unread, q, assignee }: ConversationFilter): boolean {
  if (status !== undefined && record.status !== status) return false;
  if (unread !== undefined && record.unreadAdmin > 0 !== unread) return false;
  if (assignee !== undefined && (record.assignee ?? "") !== assignee) return false;
  if (q === undefined) return true;
  const part = q.toLowerCase();
  return record.username.toLowerCase().includes(part) || record.preview.toLowerCase().includes(part);
}

/** Those that were written in last first. A page may be short, also empty: with `nextCursor` there is more. */
export async function listConversations(
  tx: ReadTx,
  query: ConversationQuery,
): Promise<Page<ConversationRecord>> {
  const { limit } = query;
  const { index, range } = chooseIndex(query);
  const items: ConversationRecord[] = [];
  let cursor = query.cursor;
  let seen = 0;
  for (let reads = 0; reads < MAX_READS && seen < MAX_WALK; reads += 1) {
    // Never more than there is room for: a store's cursor follows the last record that was read.
    const page = await tx.list(conversations, index, {
      ...range,
      limit: limit - items.length,
      reverse: true,
      cursor,
    });
    items.push(...page.items.filter((record) => matches(record, query)));
    seen += page.items.length;
    cursor = page.nextCursor;
    // A page that is half full is enough: with little room left, each read would bring little.
    if (cursor === undefined || items.length * 2 >= limit) break;
  }
  return { items, nextCursor: cursor };
}

/** A conversation by its user's id. Throws `not_found`. */
export async function getConversation(tx: ReadTx, id: string): Promise<ConversationRecord> {
  const conversation = await tx.get(conversations, id);
  if (conversation === undefined) throw new AppError("not_found", `There is no conversation "${id}"`);
  return conversation;
}

/** Stores a changed conversation under the next number, for readers of changes. */
async function putChanged(tx: Tx, record: ConversationRecord): Promise<ConversationRecord> {
  const { change } = await takeNumbers(tx, "conversation");
  return tx.put(conversations, { ...record, change });
}

/** Notes that a side has read up to a message, by default the last one; never goes back. */
export async function markRead(
  tx: Tx,
  conversation: ConversationRecord,
  { side, upTo }: { readonly side: "user" | "admin"; readonly upTo?: number | undefined },
): Promise<ConversationRecord> {
  const { id, lastSeq } = conversation;
  // Unwritten messages cannot have been read.
  const read = Math.min(upTo ?? lastSeq, lastSeq);
  if (read <= (side === "user" ? conversation.readByUser : conversation.readByAdmin)) return conversation;
  const unread = await tx.count(messages, "byReader", { prefix: [id, side], from: [read + 1] });
  if (side === "user") return putChanged(tx, { ...conversation, readByUser: read, unreadUser: unread });
  const hasUnread = unread > 0 ? "yes" : undefined;
  return putChanged(tx, { ...conversation, readByAdmin: read, unreadAdmin: unread, hasUnread });
}

/** The actor of a change, and its time. */
interface ChangeOptions {
  readonly actor: Actor;
  readonly clock: Clock;
}

/** Resolves or reopens; the same again changes nothing. Throws `not_found`. */
export async function setStatus(
  tx: Tx,
  { id, status }: Pick<ConversationRecord, "id" | "status">,
  { actor, clock }: ChangeOptions,
): Promise<ConversationRecord> {
  const before = await getConversation(tx, id);
  if (before.status === status) return before;
  const action = status === "open" ? "chat.reopen" : "chat.resolve";
  await writeAudit(tx, { actor, action, target: id }, clock);
  return putChanged(tx, { ...before, status });
}

/** Assigns a conversation, or with `null` unassigns it; repeating this changes nothing. Throws `not_found`. */
export async function assign(
  tx: Tx,
  { id, assignee }: { readonly id: string; readonly assignee: string | null },
  { actor, clock }: ChangeOptions,
): Promise<ConversationRecord> {
  const before = await getConversation(tx, id);
  if ((before.assignee ?? null) === assignee) return before;
  const changes = [`assignee: ${assignee ?? "nobody"}`];
  await writeAudit(tx, { actor, action: "chat.assign", target: id, changes }, clock);
  return putChanged(tx, { ...before, assignee: assignee ?? undefined });
}
