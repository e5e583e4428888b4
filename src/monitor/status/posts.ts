/** Posts of status pages: incidents and planned maintenance, with what is said of them step by step. */
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { changedFields, describeName } from "../../kit/text/changes.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import type { Page, PageOptions, ReadTx, Store, Tx } from "../../store/store.ts";
import { toImpact } from "./component-status.ts";
import { getPage } from "./pages.ts";
import { checkStep, followUpdates } from "./post-course.ts";
import type { PostEvents } from "./post-events.ts";
import type { NewPost, NewUpdate, PostPatch, UpdatePatch } from "./post-schema.ts";
import { posts } from "./records.ts";
import {
  type IncidentUpdate,
  MAX_POSTS,
  MAX_UPDATES,
  type PostRecord,
  type StatusPageRecord,
} from "./schema.ts";

export interface PostsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly events: PostEvents;
  /** Called after each change, before it resolves. */
  readonly changed: () => Promise<void>;
}

/** A post with its page, as changes name it. */
export interface PostName {
  readonly pageId: string;
  readonly id: string;
}

interface Change {
  readonly actor: AuditActor;
  /** Refused with `version_conflict` unless it is the present one; undefined: whatever it is. */
  readonly version?: number | undefined;
}

/** @throws AppError `not_found` */
export async function getPost(tx: ReadTx, { pageId, id }: PostName): Promise<PostRecord> {
  const record = await tx.get(posts, id);
  if (record?.pageId !== pageId) throw new AppError("not_found", `There is no post "${id}" of this page`);
  return record;
}

/** Refuses components that the page does not have. @throws AppError `invalid` */
function checkComponents(page: StatusPageRecord, components: NewUpdate["components"]): void {
  const known = new Set(page.components.map(({ id }) => id));
  const unknown = Object.keys(components ?? {}).find((id) => !known.has(id));
  if (unknown === undefined) return;
  const errors = [{ pointer: "/components", code: "invalid", message: `"${unknown}" is none of this page` }];
  throw new AppError("invalid", "The page has no such component", { errors });
}

function checkVersion({ version }: PostRecord, given: number | undefined): void {
  if (given === undefined || given === version) return;
  const message = "Someone changed the post in the meantime; read it again";
  throw new AppError("version_conflict", message, { details: { currentVersion: version } });
}

function checkPlan({ type, plannedFrom, plannedTo }: PostRecord): void {
  const isPlanned = plannedFrom !== undefined && plannedTo !== undefined && plannedFrom < plannedTo;
  if (isPlanned === (type === "maintenance") && (isPlanned || plannedFrom === undefined)) return;
  const message =
    type === "maintenance" ? "must be given, with an end after the beginning" : "belongs to maintenance";
  const errors = [{ pointer: "/plannedFrom", code: "invalid", message }];
  throw new AppError("invalid", "The time that is planned for does not fit", { errors });
}

function toUpdate(given: NewPost["update"], now: number): IncidentUpdate {
  const { step, text, components = {}, at = now } = given;
  return { id: newId("upd", now), step, text, at: Math.min(at, now), components };
}

/** What an update makes of a post that is published, and tells those who follow. */
async function announce(
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
  { clock, events }: Pick<PostsDeps, "clock" | "events">,
  given: {
    readonly page: StatusPageRecord;
    readonly fields: NewPost;
    readonly actor: AuditActor;
    /** Of one that is made for an occasion, so that it is made once. */
    readonly id?: string;
    readonly maintenanceId?: string;
  },
): Promise<PostRecord> {
  const { page, fields, actor } = given;
  const { type, title, isDraft, notifies, update, alertIncidentIds } = fields;
  const now = clock.now();
  if ((await tx.count(posts, "byPage", { prefix: [page.id] })) >= MAX_POSTS)
    throw new AppError("conflict", `A page has ${MAX_POSTS} posts at most; delete old ones first`);
  const first = toUpdate(update, now);
  checkComponents(page, first.components);
  const id = given.id ?? newId(type === "incident" ? "inc" : "mnt", now);
  const begun: PostRecord = {
    ...{ id, version: 0, pageId: page.id, type, title, alertIncidentIds, components: {}, updates: [] },
    impact: fields.impact ?? (type === "incident" ? toImpact(first.components) : "none"),
    state: isDraft ? "draft" : "open",
    ...{ step: first.step, startedAt: first.at, createdAt: now, updatedAt: now },
    ...(fields.plannedFrom === undefined ? {} : { plannedFrom: fields.plannedFrom }),
    ...(fields.plannedTo === undefined ? {} : { plannedTo: fields.plannedTo }),
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
  { clock, events }: Pick<PostsDeps, "clock" | "events">,
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
    throw new AppError("conflict", `A post has ${MAX_UPDATES} updates at most`);
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

/** Changes of what stands there: no follower is told of a mended word. */
function createEdits({ clock }: PostsDeps) {
  /** Stores a post whose updates are others now. */
  async function putUpdates(
    tx: Tx,
    post: PostRecord,
    { updates, actor, action }: { updates: readonly IncidentUpdate[]; actor: AuditActor; action: string },
  ): Promise<PostRecord> {
    await writeAudit(tx, { actor, action, target: post.id }, clock);
    return tx.put(posts, { ...followUpdates(post, updates), updatedAt: clock.now() });
  }

  function findUpdate(post: PostRecord, updateId: string): IncidentUpdate {
    const found = post.updates.find(({ id }) => id === updateId);
    if (found === undefined) throw new AppError("not_found", `The post has no update "${updateId}"`);
    return found;
  }

  return {
    editUpdate: async (
      tx: Tx,
      given: {
        page: StatusPageRecord;
        post: PostRecord;
        updateId: string;
        patch: UpdatePatch;
        actor: AuditActor;
      },
    ): Promise<PostRecord> => {
      const { page, post, updateId, patch, actor } = given;
      const before = findUpdate(post, updateId);
      checkComponents(page, patch.components);
      const after = {
        ...before,
        text: patch.text ?? before.text,
        at: Math.min(patch.at ?? before.at, clock.now()),
        components: patch.components ?? before.components,
      };
      const updates = post.updates.map((update) => (update === before ? after : update));
      return putUpdates(tx, post, { updates, actor, action: "status-post.edit-update" });
    },
    removeUpdate: async (
      tx: Tx,
      { post, updateId, actor }: { post: PostRecord; updateId: string; actor: AuditActor },
    ): Promise<PostRecord> => {
      const gone = findUpdate(post, updateId);
      if (post.updates.length === 1)
        throw new AppError("conflict", "It is all that the post says: delete the post in its place");
      const updates = post.updates.filter((update) => update !== gone);
      return putUpdates(tx, post, { updates, actor, action: "status-post.delete-update" });
    },
  };
}

/** Makes the logic of posts on a store. */
export function createPosts(deps: PostsDeps) {
  const { store, clock, events, changed } = deps;
  const edits = createEdits(deps);

  async function change(
    name: PostName,
    version: number | undefined,
    work: (tx: Tx, found: { page: StatusPageRecord; post: PostRecord }) => Promise<PostRecord>,
  ): Promise<PostRecord> {
    const post = await store.transact(async (tx) => {
      const page = await getPage(tx, name.pageId);
      const before = await getPost(tx, name);
      checkVersion(before, version);
      return work(tx, { page, post: before });
    });
    await changed();
    return post;
  }

  return {
    /** Posts of a page, the newest first. @throws AppError `not_found`, StoreError `bad_cursor` */
    list: (pageId: string, { state, ...page }: PageOptions & { state?: PostRecord["state"] | undefined }) =>
      store.read(async (tx): Promise<Page<PostRecord>> => {
        await getPage(tx, pageId);
        const [index, prefix] =
          state === undefined ? (["byPage", [pageId]] as const) : (["byState", [pageId, state]] as const);
        return tx.list(posts, index, { ...page, prefix, reverse: true });
      }),
    /** @throws AppError `not_found` */
    get: (name: PostName): Promise<PostRecord> => store.read((tx) => getPost(tx, name)),
    /** @throws AppError `not_found`, `invalid`, `conflict` */
    create: async (pageId: string, given: { fields: NewPost; actor: AuditActor }): Promise<PostRecord> => {
      const post = await store.transact(async (tx) =>
        insertPost(tx, deps, { ...given, page: await getPage(tx, pageId) }),
      );
      await changed();
      return post;
    },
    /** Changes title, impact and times. @throws AppError `not_found`, `version_conflict`, `invalid` */
    change: (name: PostName, { patch, version, actor }: Change & { patch: PostPatch }): Promise<PostRecord> =>
      change(name, version, async (tx, { post }) => {
        const planned = patch.plannedFrom === undefined ? {} : { startedAt: patch.plannedFrom };
        const after = { ...post, ...patch, ...planned, updatedAt: clock.now() };
        checkPlan(after);
        const changes = changedFields(post, { ...post, ...patch });
        await writeAudit(tx, { actor, action: "status-post.change", target: post.id, changes }, clock);
        return tx.put(posts, after);
      }),
    /** Shows a draft to everybody. @throws AppError `not_found`, `conflict` when it is shown already */
    publish: (name: PostName, { actor, notifies }: Change & { notifies: boolean }): Promise<PostRecord> =>
      change(name, undefined, async (tx, { page, post }) => {
        if (post.state !== "draft") throw new AppError("conflict", "The post is published already");
        const open = followUpdates({ ...post, state: "open" }, post.updates);
        await writeAudit(tx, { actor, action: "status-post.publish", target: post.id }, clock);
        const stored = await tx.put(posts, { ...open, updatedAt: clock.now() });
        await announce(tx, events, { page, post: stored, before: post, notifies });
        return stored;
      }),
    /** Says something more. @throws AppError `not_found`, `version_conflict`, `invalid`, `conflict` */
    addUpdate: (name: PostName, given: Change & { fields: NewUpdate }): Promise<PostRecord> =>
      change(name, given.version, (tx, { page, post }) =>
        insertUpdate(tx, deps, { page, before: post, fields: given.fields, actor: given.actor }),
      ),
    /** Mends what was said; nobody is notified. @throws AppError `not_found`, `invalid` */
    editUpdate: (
      name: PostName,
      given: Change & { updateId: string; patch: UpdatePatch },
    ): Promise<PostRecord> =>
      change(name, given.version, (tx, found) => edits.editUpdate(tx, { ...found, ...given })),
    /** @throws AppError `not_found`, `conflict` when it is the only one */
    removeUpdate: (name: PostName, given: Change & { updateId: string }): Promise<PostRecord> =>
      change(name, given.version, (tx, { post }) => edits.removeUpdate(tx, { post, ...given })),
    /** @throws AppError `not_found` */
    remove: async (name: PostName, actor: AuditActor): Promise<void> => {
      await store.transact(async (tx) => {
        const { title } = await getPost(tx, name);
        const entry = { actor, action: "status-post.delete", target: name.id };
        await writeAudit(tx, { ...entry, changes: describeName(title) }, clock);
        await tx.remove(posts, name.id);
      });
      await changed();
    },
  };
}

export type Posts = ReturnType<typeof createPosts>;
