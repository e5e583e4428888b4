/**
 * Alerts as incidents of status pages: drafted with one click, or published automatically on pages with that setting
 * and resolved with their alerts. A post names its alerts, so it is created only once, by any node.
 */
import { AppError } from "../../../kit/errors.ts";
import type { AuditActor } from "../../../records/audit.ts";
import type { Store, Tx } from "../../../store/store.ts";
import type { Alerts } from "../../alerts/alerts.ts";
import { incidents } from "../../alerts/records.ts";
import type { IncidentRecord } from "../../alerts/schema.ts";
import type { Nodes } from "../../cluster/cluster.ts";
import { lacking } from "../../site/private-networks.ts";
import { getPage, listPages } from "../status-pages.ts";
import { type PostWriting, insertPost, insertUpdate } from "../post-writing.ts";
import { posts, statusPages } from "../records.ts";
import type { PostRecord, StatusPageRecord } from "../schema.ts";
import type { Status } from "../status.ts";
import { findAffected, findBack, findWorse, isOutage, toLastedText, toNames, toNewPost } from "./affected.ts";
import { statusTexts } from "../status-texts.ts";

export interface AlertPostsDeps {
  readonly store: Store;
  readonly clock: PostWriting["clock"];
  readonly status: {
    readonly board: Pick<Status["board"], "records" | "findById">;
    readonly events: PostWriting["events"];
  };
  readonly alerts: Pick<Alerts, "firing" | "isMuted">;
  readonly nodes: Pick<Nodes, "isLeader">;
}

/** Incidents of alerts that one post names at most. */
const MAX_NAMED = 500;
const OPEN_POSTS = 100;
/** An incident that was open for this long has its post, or had it. */
const TOLD_MS = 600_000;
/** The actor in the audit log. */
const monitor: AuditActor = { name: "monitor", requestId: "" };

/** The ID of an incident's post on a page: always the same. */
function toPostId(page: Pick<StatusPageRecord, "id">, incident: Pick<IncidentRecord, "id">): string {
  return `${incident.id}_${page.id.slice(page.id.indexOf("_") + 1)}`;
}

async function listOpen(tx: Tx, { id }: StatusPageRecord): Promise<readonly PostRecord[]> {
  return (await tx.list(posts, "byState", { prefix: [id, "open"], limit: OPEN_POSTS, reverse: true })).items;
}

/** Those of them that are open in the store. */
async function findOpen(tx: Tx, ids: readonly string[]): Promise<readonly IncidentRecord[]> {
  const found = await Promise.all(ids.map((id) => tx.get(incidents, id)));
  return found.flatMap((incident) => (incident?.state === "open" ? [incident] : []));
}

export class AlertPosts {
  readonly #deps: AlertPostsDeps;
  /** Pages and incidents already handled, so that a post that an administrator deleted is not created again. */
  #seen = new Set<string>();
  /** Since the start. */
  #isFirst = true;

  constructor(deps: AlertPostsDeps) {
    this.#deps = deps;
  }

  /**
   * Drafts a post about an incident, for the page with a component that it is about unless one is named. One that
   * there is already is given as it is. @throws AppError `not_found`, `conflict` without a page
   */
  async draft(
    incidentId: string,
    { pageId, actor }: { readonly pageId: string | undefined; readonly actor: AuditActor },
  ): Promise<{ readonly post: PostRecord; readonly isNew: boolean }> {
    return this.#deps.store.transact(async (tx) => {
      const incident = await tx.get(incidents, incidentId);
      if (incident === undefined) throw new AppError("not_found", `There is no incident "${incidentId}"`);
      const page = await findPage(tx, { pageId, incident });
      const open = await listOpen(tx, page);
      const known =
        (await tx.get(posts, toPostId(page, incident))) ??
        open.find(({ alertIncidentIds }) => alertIncidentIds.includes(incidentId));
      if (known !== undefined) return { post: known, isNew: false };
      const affected = findAffected(page, [incident]);
      const name = incident.checkName ?? incident.serverName ?? "";
      const fields = toNewPost(page, { incidents: [incident], affected, isDraft: true, name });
      const id = toPostId(page, incident);
      return { post: await insertPost(tx, this.#writing(), { page, fields, actor, id }), isNew: true };
    });
  }

  /** Publishes and ends what alerts publish by themselves; call it every second or two. Throws what the store throws. */
  async follow(): Promise<void> {
    const { store, status, alerts, nodes } = this.#deps;
    const open = alerts.firing();
    const openIds = new Set(open.map(({ id }) => id));
    const seen = new Set<string>();
    for (const page of status.board.records()) {
      const shown = status.board.findById(page.id);
      const own = (shown?.open ?? []).filter(({ isAutomatic }) => isAutomatic === true);
      const fresh = this.#listFresh(page, {
        open,
        posts: [...(shown?.open ?? []), ...(shown?.ended ?? [])],
        seen,
      });
      const isOver = own.some(({ alertIncidentIds }) => alertIncidentIds.some((id) => !openIds.has(id)));
      // The others only see to it that they know what was published, should they lead when it is deleted.
      if (!nodes.isLeader || (fresh.length === 0 && !isOver)) continue;
      await store.transact((tx) => this.#settle(tx, page.id, fresh));
      for (const { id } of fresh) seen.add(`${page.id} ${id}`);
    }
    // Of incidents that are over nothing needs to be remembered.
    this.#seen = seen;
    this.#isFirst = false;
  }

  #writing(): PostWriting {
    return { clock: this.#deps.clock, events: this.#deps.status.events };
  }

  /** Open incidents that a page is to tell of, and does not yet. */
  #listFresh(
    page: StatusPageRecord,
    given: { open: readonly IncidentRecord[]; posts: readonly PostRecord[]; seen: Set<string> },
  ): readonly IncidentRecord[] {
    if (!page.publishesAlerts || !page.published || given.open.length === 0) return [];
    const named = new Set(given.posts.flatMap(({ alertIncidentIds }) => alertIncidentIds));
    return given.open.filter((incident) => {
      const key = `${page.id} ${incident.id}`;
      const isSeen = this.#seen.has(key) || named.has(incident.id);
      if (isSeen) given.seen.add(key);
      if (isSeen || !isOutage(incident) || this.#deps.alerts.isMuted(incident)) return false;
      if (Object.keys(findAffected(page, [incident])).length === 0) return false;
      // There was a post before this start, which was deleted.
      const isDeleted = this.#isFirst && this.#deps.clock.now() - incident.openedAt > TOLD_MS;
      if (isDeleted) given.seen.add(key);
      return !isDeleted;
    });
  }

  /** Updates a page's automatic posts to the stored state of their incidents. */
  async #settle(tx: Tx, pageId: string, fresh: readonly IncidentRecord[]): Promise<void> {
    const page = await tx.get(statusPages, pageId);
    if (page === undefined) return;
    const all = await listOpen(tx, page);
    let going: PostRecord | undefined;
    for (const post of all.filter(({ isAutomatic }) => isAutomatic === true)) {
      const left = await findOpen(tx, post.alertIncidentIds);
      const after = await this.#end(tx, { page, post, left });
      if (left.length > 0) going ??= after;
    }
    const named = new Set(all.flatMap(({ alertIncidentIds }) => alertIncidentIds));
    const ids = fresh.map(({ id }) => id).filter((id) => !named.has(id));
    const begun = await findOpen(tx, ids);
    if (begun.length === 0) return;
    if (going === undefined) await this.#publish(tx, page, begun);
    else await this.#join(tx, { page, post: going, begun });
  }

  /** Posts the recovery; ends the post when nothing is left. */
  async #end(
    tx: Tx,
    { page, post, left }: { page: StatusPageRecord; post: PostRecord; left: readonly IncidentRecord[] },
  ): Promise<PostRecord> {
    const t = statusTexts(page.language);
    const components = findBack(page, { post, affected: findAffected(page, left) });
    const given = { page, before: post, actor: monitor };
    if (left.length === 0) {
      const lasted = toLastedText(post, { language: page.language, now: this.#deps.clock.now() });
      const fields = {
        step: "resolved",
        text: t("post.resolved", { lasted }),
        components,
        notifies: true,
      } as const;
      return insertUpdate(tx, this.#writing(), { ...given, fields });
    }
    const ids = Object.keys(components);
    if (ids.length === 0) return post;
    const text = t("post.recovered", toNames(page, ids));
    const fields = { step: post.step, text, components, notifies: false };
    return insertUpdate(tx, this.#writing(), { ...given, fields });
  }

  async #publish(tx: Tx, page: StatusPageRecord, begun: readonly IncidentRecord[]): Promise<void> {
    const [first] = begun;
    const id = first === undefined ? "" : toPostId(page, first);
    // It was drafted already.
    if (first === undefined || (await tx.get(posts, id)) !== undefined) return;
    const named = begun.slice(0, MAX_NAMED);
    const affected = findAffected(page, named);
    const fields = toNewPost(page, { incidents: named, affected, isDraft: false });
    await insertPost(tx, this.#writing(), { page, fields, actor: monitor, id, isAutomatic: true });
  }

  /** One post tells of all that is wrong at the same time. */
  async #join(
    tx: Tx,
    { page, post, begun }: { page: StatusPageRecord; post: PostRecord; begun: readonly IncidentRecord[] },
  ): Promise<void> {
    const room = Math.max(0, MAX_NAMED - post.alertIncidentIds.length);
    const named = begun.slice(0, room).map(({ id }) => id);
    if (named.length === 0) return;
    const before = await tx.put(posts, { ...post, alertIncidentIds: [...post.alertIncidentIds, ...named] });
    const components = findWorse(post, findAffected(page, begun));
    const ids = Object.keys(components);
    if (ids.length === 0) return;
    const text = statusTexts(page.language)("post.alsoAffected", toNames(page, ids));
    const fields = { step: post.step, text, components, notifies: false };
    await insertUpdate(tx, this.#writing(), { page, before, actor: monitor, fields });
  }
}

/** @throws AppError `not_found`, `conflict` */
async function findPage(
  tx: Tx,
  { pageId, incident }: { pageId: string | undefined; incident: IncidentRecord },
): Promise<StatusPageRecord> {
  if (pageId !== undefined) return getPage(tx, pageId);
  const pages = await listPages(tx);
  const about = pages.find((page) => Object.keys(findAffected(page, [incident])).length > 0);
  const page = about ?? pages[0];
  if (page === undefined)
    throw new AppError("conflict", "There is no status page. Create one first", lacking("statusPage"));
  return page;
}
