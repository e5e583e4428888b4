/** Posts of status pages: incidents and planned maintenance, with what is said of them step by step. */
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import { changedFields, describeName } from "../../kit/text/changes.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { type ChangedBy, type ExpectedVersion, assertVersion } from "../../records/versions.ts";
import type { Page, PageOptions, Store, Tx } from "../../store/store.ts";
import { getPage } from "./status-pages.ts";
import { followUpdates } from "./post-course.ts";
import type { NewPost, NewUpdate, PostPatch, UpdatePatch } from "./post-schema.ts";
import {
  type PostName,
  type PostWriting,
  announce,
  checkComponents,
  checkPlan,
  getPost,
  insertPost,
  insertUpdate,
} from "./post-writing.ts";
import { posts } from "./records.ts";
import type { IncidentUpdate, PostRecord, StatusPageRecord } from "./schema.ts";

export interface PostsDeps extends PostWriting {
  readonly store: Store;
}

/** Edits of posts: followers are not notified of corrections. */
function createEdits(clock: Clock) {
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
        throw new AppError("conflict", "This is the only update of the post. Delete the post instead");
      const updates = post.updates.filter((update) => update !== gone);
      return putUpdates(tx, post, { updates, actor, action: "status-post.delete-update" });
    },
  };
}

function createReads(store: Store) {
  return {
    /** Posts of a page, the newest first. @throws AppError `not_found`, StoreError `bad_cursor` */
    list: (pageId: string, { state, ...page }: PageOptions & { state?: PostRecord["state"] | undefined }) =>
      store.read(async (tx): Promise<Page<PostRecord>> => {
        await getPage(tx, pageId);
        const [index, prefix] =
          state === undefined ? (["byPage", [pageId]] as const) : (["byState", [pageId, state]] as const);
        return tx.list(posts, index, { ...page, prefix, reverse: true });
      }),
    /** Up to 1,000 posts of a page that began in a span (epoch milliseconds), the newest first. */
    listSpan: async (
      pageId: string,
      { from, to }: { readonly from: number; readonly to: number },
    ): Promise<readonly PostRecord[]> => {
      const range = { prefix: [pageId], from: [from], to: [to], limit: 1_000, reverse: true };
      return (await store.read((tx) => tx.list(posts, "byPage", range))).items;
    },
    /** @throws AppError `not_found` */
    get: (name: PostName): Promise<PostRecord> => store.read((tx) => getPost(tx, name)),
  };
}

/** Creates the logic of posts on a store. */
export function createPosts(deps: PostsDeps) {
  const { store, clock, events } = deps;
  const edits = createEdits(clock);

  function change(
    name: PostName,
    expected: ExpectedVersion,
    work: (tx: Tx, found: { page: StatusPageRecord; post: PostRecord }) => Promise<PostRecord>,
  ): Promise<PostRecord> {
    return store.transact(async (tx) => {
      const page = await getPage(tx, name.pageId);
      const before = await getPost(tx, name);
      assertVersion(before.version, expected, "post");
      return work(tx, { page, post: before });
    });
  }

  return {
    ...createReads(store),
    /** @throws AppError `not_found`, `invalid`, `conflict` */
    create: (pageId: string, given: { fields: NewPost; actor: AuditActor }): Promise<PostRecord> =>
      store.transact(async (tx) => insertPost(tx, deps, { ...given, page: await getPage(tx, pageId) })),
    /** Changes title, impact and times. @throws AppError `not_found`, `version_conflict`, `invalid` */
    change: (
      name: PostName,
      { patch, actor, ...expected }: ChangedBy & { patch: PostPatch },
    ): Promise<PostRecord> =>
      change(name, expected, async (tx, { post }) => {
        const planned = patch.plannedFrom === undefined ? {} : { startedAt: patch.plannedFrom };
        const after = { ...post, ...patch, ...planned, updatedAt: clock.now() };
        checkPlan(after);
        const changes = changedFields(post, { ...post, ...patch });
        await writeAudit(tx, { actor, action: "status-post.change", target: post.id, changes }, clock);
        return tx.put(posts, after);
      }),
    /** Publishes a draft. @throws AppError `not_found`, `conflict` when it is published already */
    publish: (name: PostName, { actor, notifies }: ChangedBy & { notifies: boolean }): Promise<PostRecord> =>
      change(name, {}, async (tx, { page, post }) => {
        if (post.state !== "draft") throw new AppError("conflict", "The post is already published");
        const open = followUpdates({ ...post, state: "open" }, post.updates);
        await writeAudit(tx, { actor, action: "status-post.publish", target: post.id }, clock);
        const stored = await tx.put(posts, { ...open, updatedAt: clock.now() });
        await announce(tx, events, { page, post: stored, before: post, notifies });
        return stored;
      }),
    /** Adds an update. @throws AppError `not_found`, `version_conflict`, `invalid`, `conflict` */
    addUpdate: (name: PostName, given: ChangedBy & { fields: NewUpdate }): Promise<PostRecord> =>
      change(name, given, (tx, { page, post }) =>
        insertUpdate(tx, deps, { page, before: post, fields: given.fields, actor: given.actor }),
      ),
    /** Corrects an update; no one is notified. @throws AppError `not_found`, `invalid` */
    editUpdate: (
      name: PostName,
      given: ChangedBy & { updateId: string; patch: UpdatePatch },
    ): Promise<PostRecord> =>
      change(name, given, (tx, found) => edits.editUpdate(tx, { ...found, ...given })),
    /** @throws AppError `not_found`, `conflict` when it is the only one */
    removeUpdate: (name: PostName, given: ChangedBy & { updateId: string }): Promise<PostRecord> =>
      change(name, given, (tx, { post }) => edits.removeUpdate(tx, { post, ...given })),
    /** @throws AppError `not_found` */
    remove: (name: PostName, actor: AuditActor): Promise<void> =>
      store.transact(async (tx) => {
        const { title } = await getPost(tx, name);
        const entry = { actor, action: "status-post.delete", target: name.id };
        await writeAudit(tx, { ...entry, changes: describeName(title) }, clock);
        await tx.remove(posts, name.id);
      }),
  };
}

export type Posts = ReturnType<typeof createPosts>;
