/** Which identities at other providers open an account: linked by who proved the account, and removed while another way in is left. */
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { ReadTx, Store, Tx } from "../../store/store.ts";
import { writeAudit } from "../../records/audit.ts";
import { getUser } from "../accounts/accounts.ts";
import { writeEvent } from "../accounts/events.ts";
import type { UserRecord } from "../accounts/schema.ts";
import { assertRecent, type Subject } from "../sessions/subject.ts";
import { assertOtherWayIn } from "./ways-in.ts";
import type { Actor, Caller } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { AuthError } from "../base/errors.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import { upstreamLinks } from "../accounts/records.ts";
import { upstreams } from "./records.ts";
import type { Identity } from "./schema.ts";
import type { UpstreamLinkRecord } from "../accounts/link-schema.ts";
import { weakenSessions } from "../second-factor/strengthen.ts";

const MAX_LINKS = 20;

/** A link with its provider's name, "" when that is gone. */
export interface NamedLink extends UpstreamLinkRecord {
  readonly title: string;
}

/** Every link of an account with its provider's name. */
export async function listLinks(tx: ReadTx, userId: string): Promise<NamedLink[]> {
  const { items } = await tx.list(upstreamLinks, "byUser", { prefix: [userId], limit: MAX_LINKS });
  return Promise.all(
    items.map(async (link) => {
      const upstream = await tx.get(upstreams, link.upstreamId);
      return { ...link, title: upstream?.title ?? "" };
    }),
  );
}

/** The link of an identity; never look it up by its email address instead. */
export function findLink(
  tx: ReadTx,
  { issuer, subject }: Pick<Identity, "issuer" | "subject">,
): Promise<UpstreamLinkRecord | undefined> {
  return tx.by(upstreamLinks, "byIdentity", [issuer, subject]);
}

/** Links an identity to an account that was proved, and tells the owner. Throws `already_exists` when it opens another account, `conflict` for too many. */
export async function insertLink(
  tx: Tx,
  deps: Pick<AuthDeps, "clock" | "outbox" | "publicUrl">,
  { user, identity, caller }: { user: UserRecord; identity: Identity; caller: Caller },
): Promise<void> {
  const { upstreamId, issuer, subject, email, username } = identity;
  const present = await findLink(tx, identity);
  if (present?.userId === user.id) return;
  if (present !== undefined)
    throw new AuthError(
      "identity_taken",
      "This identity is linked to another account. Unlink it there first",
    );
  const links = await listLinks(tx, user.id);
  if (links.length >= MAX_LINKS)
    throw new AppError(
      "conflict",
      `An account can have up to ${MAX_LINKS} linked identities. Remove one first`,
    );
  const atMs = deps.clock.now();
  const id = newId("upl", atMs);
  await tx.insert(upstreamLinks, {
    id,
    userId: user.id,
    upstreamId,
    issuer,
    subject,
    email,
    username,
    createdAt: atMs,
  });
  await writeEvent(tx, { userId: user.id, kind: "upstream-linked", caller, atMs });
  const provider = (await tx.get(upstreams, upstreamId))?.title ?? upstreamId;
  await tellOwner(tx, deps, { user, notice: "upstream-linked", provider });
}

/**
 * Removes every link of an account, since their creator did not own its email address. All sessions must end in the same
 * transaction: none is left to lose a factor.
 */
export async function dropLinks(tx: Tx, userId: string): Promise<void> {
  const { items } = await tx.list(upstreamLinks, "byUser", { prefix: [userId], limit: MAX_LINKS });
  for (const { id } of items) await tx.remove(upstreamLinks, id);
}

async function getOwnLink(tx: ReadTx, userId: string, id: string): Promise<NamedLink> {
  const link = (await listLinks(tx, userId)).find((one) => one.id === id);
  if (link === undefined) throw new AppError("not_found", `The account has no linked identity "${id}"`);
  return link;
}

export type Links = ReturnType<typeof createLinks>;

/** Creates the links' logic. */
export function createLinks(
  deps: Pick<AuthDeps, "clock" | "expiry" | "outbox" | "publicUrl"> & { readonly store: Store },
) {
  const { store, clock, expiry } = deps;

  async function remove(
    tx: Tx,
    { user, link, caller }: { user: UserRecord; link: NamedLink; caller: Caller },
  ): Promise<void> {
    await tx.remove(upstreamLinks, link.id);
    await weakenSessions(tx, user, { factor: "upstream", nowMs: expiry.now() });
    await writeEvent(tx, { userId: user.id, kind: "upstream-unlinked", caller, atMs: clock.now() });
    const provider = link.title === "" ? link.upstreamId : link.title;
    await tellOwner(tx, deps, { user, notice: "upstream-unlinked", provider });
  }

  return {
    list: (userId: string): Promise<NamedLink[]> => store.read((tx) => listLinks(tx, userId)),
    /** Links an identity to the account of who is signed in and proved it lately. Throws `reauth_required`, `forbidden`, `identity_taken`, `conflict`. */
    link: (subject: Subject, { identity, caller }: { identity: Identity; caller: Caller }): Promise<void> =>
      store.transact(async (tx) => {
        assertRecent(subject, expiry.now());
        await insertLink(tx, deps, { user: await getUser(tx, subject.user.id), identity, caller });
      }),
    /** Throws `reauth_required`, `forbidden`, `not_found`, and `last_way_in` when nothing else opens the account. */
    unlink: (subject: Subject, { id, caller }: { id: string; caller: Caller }): Promise<void> =>
      store.transact(async (tx) => {
        assertRecent(subject, expiry.now());
        const user = await getUser(tx, subject.user.id);
        const link = await getOwnLink(tx, user.id, id);
        await assertOtherWayIn(tx, user, id);
        await remove(tx, { user, link, caller });
      }),
    /** For administrators, who may leave an account with its mailbox alone. Throws `not_found`. */
    removeFor: (
      userId: string,
      { id, actor, caller }: { id: string; actor: Actor; caller: Caller },
    ): Promise<void> =>
      store.transact(async (tx) => {
        const user = await getUser(tx, userId);
        const link = await getOwnLink(tx, userId, id);
        const changes = [`provider: ${link.upstreamId}`];
        await writeAudit(tx, { actor, action: "user.unlink", target: userId, changes }, clock);
        await remove(tx, { user, link, caller });
      }),
  };
}
