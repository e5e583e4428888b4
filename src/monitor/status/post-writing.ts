/** Posts in running transactions: for those who post, and for who posts beside something else, such as an alert. */
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { describeName } from "../../kit/text/changes.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { toImpact } from "./component-status.ts";
import { checkStep, followUpdates } from "./post-course.ts";
import type { PostEvents } from "./post-events.ts";
import type { NewPost, NewUpdate } from "./post-schema.ts";
import { posts } from "./records.ts";
import {
  type IncidentUpdate,
  MAX_POSTS,
  MAX_UPDATES,
  type PostRecord,
  type StatusPageRecord,
} from "./schema.ts";

/** Dependencies of posting other than the transaction. */
export interface PostWriting {
  readonly clock: Clock;
  readonly events: PostEvents;
}

/** A post with its page, as changes name it. */
export interface PostName {
  readonly pageId: string;
  readonly id: string;
}

/** @throws AppError `not_found` */
export async function getPost(tx: ReadTx, { pageId, id }: PostName): Promise<PostRecord> {
  const record = await tx.get(posts, id);
  if (record?.pageId !== pageId) throw new AppError("not_found", `This status page has no post "${id}"`);
  return record;
}

/** Refuses components that the page does not have. @throws AppError `invalid` */
export function checkComponents(page: StatusPageRecord, components: NewUpdate["components"]): void {
  const known = new Set(page.components.map(({ id }) => id));
  const unknown = Object.keys(components ?? {}).find((id) => !known.has(id));
  if (unknown === undefined) return;
  const errors = [
    { pointer: "/components", code: "invalid", message: `"${unknown}" is not a component of this page` },
  ];
  throw new AppError("invalid", "A component does not belong to this status page", { errors });
}

/** Refuses maintenance without a time, and a time of what is none. @throws AppError `invalid` */
export function checkPlan({ type, plannedFrom, plannedTo }: PostRecord): void {
  const isPlanned = plannedFrom !== undefined && plannedTo !== undefined && plannedFrom < plannedTo;
  if (isPlanned === (type === "maintenance") && (isPlanned || plannedFrom === undefined)) return;
  const message =
    type === "maintenance" ? "is required, with an end after the start" : "is only allowed for maintenance";
  const errors = [{ pointer: "/plannedFrom", code: "invalid", message }];
  throw new AppError("invalid", "The planned time is invalid", { errors });
}

function toUpdate(given: NewPost["update"], now: number): IncidentUpdate {
  const { step, text, components = {}, at = now } = given;
  return { id: newId("upd", now), step, text, at: Math.min(at, now), components };
}

/** Applies an update to a published post, and notifies followers. */
export async function announce(
  tx: Tx,
  events: PostEvents,
  told: { page: StatusPageRecord; post: PostRecord; before?: PostRecord | undefined; notifies: boolean },
): Promise<void> {
  const { page, post, before, notifies } = told;
  const update = post.updates.at(-1);
  if (post.state === "draft" || update === undefined) return;
  const isNew = before === undefined || before.state === "draft";
  const isEnd = post.state === "ended" && before?.state === "open";
  const type = isNew ? "published" : isEnd ? "ended" : "updated";
  await events.announce(tx, { type, page, post, update, notifies });
}

/** Stores a new post in a running transaction: for those who make one beside something else, such as from an alert. @throws AppError `invalid`, `conflict` */
export async function insertPost(
  tx: Tx,
  { clock, events }: PostWriting,
  given: {
    readonly page: StatusPageRecord;
    readonly fields: NewPost;
    readonly actor: AuditActor;
    /** Of one that is made for an occasion, so that it is made once. */
    readonly id?: string;
    readonly maintenanceId?: string;
    /** See {@link PostRecord}. */
    readonly isAutomatic?: boolean;
  },
): Promise<PostRecord> {
  const { page, fields, actor } = given;
  const { type, title, isDraft, notifies, update, alertIncidentIds } = fields;
  const now = clock.now();
  if ((await tx.count(posts, "byPage", { prefix: [page.id] })) >= MAX_POSTS)
    throw new AppError("conflict", `A status page can have up to ${MAX_POSTS} posts. Delete old ones first`);
  const first = toUpdate(update, now);
  checkComponents(page, first.components);
  const id = given.id ?? newId(type === "incident" ? "inc" : "mnt", now);
  const begun: PostRecord = {
    id,
    version: 0,
    pageId: page.id,
    type,
    title,
    alertIncidentIds,
    components: {},
    updates: [],
    impact: fields.impact ?? (type === "incident" ? toImpact(first.components) : "none"),
    state: isDraft ? "draft" : "open",
    step: first.step,
    startedAt: first.at,
    createdAt: now,
    updatedAt: now,
    ...(fields.plannedFrom === undefined ? {} : { plannedFrom: fields.plannedFrom }),
    ...(fields.plannedTo === undefined ? {} : { plannedTo: fields.plannedTo }),
    ...(given.isAutomatic === true ? { isAutomatic: true } : {}),
    ...(given.maintenanceId === undefined ? {} : { maintenanceId: given.maintenanceId }),
  };
  checkPlan(begun);
  checkStep(begun, first.step);
  const post = followUpdates(begun, [first]);
  const entry = { actor, action: isDraft ? "status-post.draft" : "status-post.publish", target: id };
  await writeAudit(tx, { ...entry, changes: describeName(title) }, clock);
  const stored = await tx.insert(posts, post);
  await announce(tx, events, { page, post: stored, notifies });
  return stored;
}

/** Adds an update to a post in a running transaction. @throws AppError `invalid`, `conflict` */
export async function insertUpdate(
  tx: Tx,
  { clock, events }: PostWriting,
  given: {
    readonly page: StatusPageRecord;
    readonly before: PostRecord;
    readonly fields: NewUpdate;
    readonly actor: AuditActor;
  },
): Promise<PostRecord> {
  const { page, before, fields, actor } = given;
  const now = clock.now();
  if (before.updates.length >= MAX_UPDATES)
    throw new AppError("conflict", `A post can have up to ${MAX_UPDATES} updates`);
  checkComponents(page, fields.components);
  checkStep(before, fields.step);
  const update = toUpdate(fields, now);
  const post = { ...followUpdates(before, [...before.updates, update]), updatedAt: now };
  const changes = [`step: ${fields.step}`];
  await writeAudit(tx, { actor, action: "status-post.update", target: before.id, changes }, clock);
  const stored = await tx.put(posts, post);
  await announce(tx, events, { page, post: stored, before, notifies: fields.notifies });
  return stored;
}
