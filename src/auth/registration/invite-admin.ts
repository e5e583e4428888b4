/** Invites as administrators keep them. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { AppError } from "../../kit/errors.ts";
import { newCodeText, newId } from "../../kit/secrets/id.ts";
import type { Language } from "../../kit/text/languages.ts";
import { scanMatches } from "../../store/matching-page.ts";
import type { Page, ReadTx, Tx } from "../../store/store.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { INVITE_CODE_LENGTH } from "./invites.ts";
import type { InviteRecord } from "./schema.ts";
import type { InviteState } from "./invite-schema.ts";
import { readMailSite } from "../mails/mail-site.ts";
import { inviteMail } from "../mails/mails.ts";
import { invites } from "./records.ts";
import { users } from "../accounts/records.ts";
import { readSettings } from "../settings/settings.ts";

const GROUP = /.{5}(?=.)/gu;
/** "inv-" and four characters: enough to tell invites apart, and 80 bits stay secret. */
const PREFIX_LENGTH = 8;
const DAY_MS = 86_400_000;
const MAX_AT_ONCE = 500;

/** Fields of a new invite; the settings have the defaults. */
export interface InviteFields {
  readonly maxUses?: number;
  /** Days from now; 0: never expires. */
  readonly ttlDays?: number;
  /** Epoch milliseconds; wins over `ttlDays`. */
  readonly expiresAt?: number;
  readonly boundEmail?: string;
  readonly emailDomains?: readonly string[];
  readonly note?: string;
}

/** Changes of an invite; `null` removes a limit. */
export interface InviteChange {
  readonly maxUses?: number;
  readonly expiresAt?: number | null;
  readonly boundEmail?: string | null;
  readonly emailDomains?: readonly string[];
  readonly note?: string;
  readonly enabled?: boolean;
}

/** An invite with its code, which is shown this once. */
export interface NewInvite {
  readonly invite: InviteRecord;
  readonly code: string;
  /** The page that takes the code, where people reach this center. */
  readonly url: string | undefined;
}

/** Whether an invite is mailed to the address that it is bound to, and in which language. */
export interface InviteMailing {
  readonly mail: boolean;
  readonly language?: Language | undefined;
}

export interface InviteFilter {
  readonly state?: InviteState;
  /** Contained in the note, the bound address or the beginning of the code; case does not matter. */
  readonly q?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** That an account came of an invite; without a name when it is gone. */
export interface InviteUse {
  readonly userId: string;
  readonly username: string | undefined;
  readonly at: number;
}

type InviteDeps = Pick<AuthDeps, "store" | "clock" | "expiry" | "outbox" | "publicUrl">;

/** "inv-" and four groups of five characters. */
function toCode(text: string): string {
  return `inv-${text.replaceAll(GROUP, "$&-")}`;
}

async function getInvite(tx: ReadTx, id: string): Promise<InviteRecord> {
  const invite = await tx.get(invites, id);
  if (invite === undefined) throw new AppError("not_found", `There is no invite "${id}"`);
  return invite;
}

function checkEnd(expiresAt: number | null | undefined, nowMs: number): void {
  if (expiresAt == null || expiresAt > nowMs) return;
  const message = "must be in the future";
  throw new AppError("invalid", `The end of an invite ${message}`, {
    errors: [{ pointer: "/expiresAt", code: "invalid", message }],
  });
}

function toEnd(
  fields: InviteFields,
  defaults: { defaultTtlDays: number; nowMs: number },
): number | undefined {
  if (fields.expiresAt !== undefined) return fields.expiresAt;
  const days = fields.ttlDays ?? defaults.defaultTtlDays;
  return days === 0 ? undefined : defaults.nowMs + days * DAY_MS;
}

/** The state of an invite. */
function toState({ enabled, usedCount, maxUses, expiresAt }: InviteRecord, nowMs: number): InviteState {
  if (!enabled) return "disabled";
  if (usedCount >= maxUses) return "used";
  return expiresAt !== undefined && expiresAt <= nowMs ? "expired" : "open";
}

/** A code with its parts as they are kept. */
function newCode(): { code: string; prefix: string; codeHash: string } {
  const text = newCodeText(INVITE_CODE_LENGTH);
  const code = toCode(text);
  return { code, prefix: code.slice(0, PREFIX_LENGTH), codeHash: hashSecret(text) };
}

/** The response for a new code, which is emailed on request. */
async function offer(
  tx: Tx,
  { outbox, publicUrl }: InviteDeps,
  { invite, code, mailing }: { invite: InviteRecord; code: string; mailing: InviteMailing },
): Promise<NewInvite> {
  const { boundEmail, expiresAt } = invite;
  if (mailing.mail && boundEmail !== undefined) {
    const site = await readMailSite(tx, { publicUrl }, { locale: mailing.language });
    await outbox.enqueue(tx, inviteMail(boundEmail, { site, code, expiresAt }));
  }
  const query = new URLSearchParams({
    invite: code,
    ...(boundEmail === undefined ? {} : { email: boundEmail }),
  });
  return {
    invite,
    code,
    url: publicUrl === undefined ? undefined : `${publicUrl}/sign-up?${query.toString()}`,
  };
}

async function insertInvites(
  tx: Tx,
  deps: InviteDeps,
  parts: { all: readonly InviteFields[]; mailing: InviteMailing; nowMs: number },
): Promise<NewInvite[]> {
  const { all, mailing, nowMs } = parts;
  const { defaultMaxUses, defaultTtlDays } = (await readSettings(tx, "invites")).fields;
  const made: NewInvite[] = [];
  for (const fields of all) {
    const { code, prefix, codeHash } = newCode();
    const { boundEmail } = fields;
    const invite = await tx.insert(invites, {
      id: newId("ivt", nowMs),
      prefix,
      codeHash,
      maxUses: fields.maxUses ?? defaultMaxUses,
      usedCount: 0,
      expiresAt: toEnd(fields, { defaultTtlDays, nowMs }),
      boundEmail,
      mailedAt: mailing.mail && boundEmail !== undefined ? nowMs : undefined,
      emailDomains: [...(fields.emailDomains ?? [])],
      enabled: true,
      note: fields.note ?? "",
      createdAt: nowMs,
      uses: [],
    });
    made.push(await offer(tx, deps, { invite, code, mailing }));
  }
  return made;
}

/** The invite as it becomes; a limit that is null goes. */
function applyChange(invite: InviteRecord, change: InviteChange): InviteRecord {
  const { expiresAt = invite.expiresAt, boundEmail = invite.boundEmail } = change;
  return {
    ...invite,
    maxUses: change.maxUses ?? invite.maxUses,
    emailDomains: [...(change.emailDomains ?? invite.emailDomains)],
    note: change.note ?? invite.note,
    enabled: change.enabled ?? invite.enabled,
    expiresAt: expiresAt ?? undefined,
    boundEmail: boundEmail ?? undefined,
  };
}

/** Creates the new code of an invite; the old one becomes invalid. */
function createRenew(deps: InviteDeps) {
  const { store, clock, expiry } = deps;
  return (id: string, { mailing, actor }: { mailing: InviteMailing; actor: Actor }): Promise<NewInvite> =>
    store.transact(async (tx) => {
      const before = await getInvite(tx, id);
      const nowMs = expiry.now();
      const state = toState(before, nowMs);
      if (state !== "open")
        throw new AppError("conflict", `The invite is ${state}. Change it first, or create a new one`);
      const { code, prefix, codeHash } = newCode();
      const isMailed = mailing.mail && before.boundEmail !== undefined;
      const mailedAt = isMailed ? nowMs : before.mailedAt;
      const invite = await tx.put(invites, { ...before, prefix, codeHash, mailedAt });
      const changes = isMailed ? [`mailed to: ${before.boundEmail}`] : [];
      await writeAudit(tx, { actor, action: "invite.renew", target: id, changes }, clock);
      return offer(tx, deps, { invite, code, mailing });
    });
}

function search(tx: ReadTx, filter: InviteFilter, nowMs: number): Promise<Page<InviteRecord>> {
  const { state, q = "", limit, cursor } = filter;
  const part = q.toLowerCase();
  const isWanted = (invite: InviteRecord): boolean =>
    (state === undefined || toState(invite, nowMs) === state) &&
    [invite.note, invite.boundEmail ?? "", invite.prefix].some((text) => text.toLowerCase().includes(part));
  return scanMatches({
    read: (page) => tx.list(invites, "id", { ...page, reverse: true }),
    isWanted,
    limit,
    cursor,
  });
}

async function readUses(tx: ReadTx, id: string): Promise<InviteUse[]> {
  const { uses } = await getInvite(tx, id);
  return Promise.all(
    uses.map(async (use) => ({ ...use, username: (await tx.get(users, use.userId))?.username })),
  );
}

function createChange(deps: InviteDeps) {
  const { store, clock, expiry } = deps;
  return (id: string, { change, actor }: { change: InviteChange; actor: Actor }): Promise<InviteRecord> =>
    store.transact(async (tx) => {
      const invite = await getInvite(tx, id);
      checkEnd(change.expiresAt, expiry.now());
      if (change.maxUses !== undefined && change.maxUses < invite.usedCount)
        throw new AppError(
          "conflict",
          `The usage limit is too low: the invite was already used ${invite.usedCount} times`,
        );
      const changes = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
      await writeAudit(tx, { actor, action: "invite.change", target: id, changes }, clock);
      return tx.put(invites, applyChange(invite, change));
    });
}

export type Invites = ReturnType<typeof createInvites>;

export function createInvites(deps: InviteDeps) {
  const { store, clock, expiry } = deps;
  return {
    /** The newest first; a page may have fewer than `limit` and still a cursor. Throws `bad_cursor`. */
    list: (filter: InviteFilter): Promise<Page<InviteRecord>> =>
      store.read((tx) => search(tx, filter, expiry.now())),
    /** The last hundred uses. Throws `not_found`. */
    listUses: (id: string): Promise<InviteUse[]> => store.read((tx) => readUses(tx, id)),
    /** The state of an invite. */
    stateOf: (invite: InviteRecord): InviteState => toState(invite, expiry.now()),
    /** Creates one invite per entry, 1 to 500. Throws `invalid` for an expiry in the past. */
    create: (
      all: readonly InviteFields[],
      { mailing, actor }: { mailing: InviteMailing; actor: Actor },
    ): Promise<NewInvite[]> =>
      store.transact(async (tx) => {
        const count = all.length;
        if (count < 1 || count > MAX_AT_ONCE) throw new RangeError(`1 to ${MAX_AT_ONCE} invites at once`);
        const nowMs = expiry.now();
        for (const { expiresAt } of all) checkEnd(expiresAt, nowMs);
        const made = await insertInvites(tx, deps, { all, mailing, nowMs });
        const target = made[0]?.invite.id ?? "";
        const mailed = made.filter(({ invite }) => invite.mailedAt !== undefined).length;
        const changes = [`count: ${count}`, ...(mailed === 0 ? [] : [`mailed: ${mailed}`])];
        await writeAudit(tx, { actor, action: "invite.create", target, changes }, clock);
        return made;
      }),
    /** Replaces the code of an invite. Throws `not_found`, `conflict` when it is not open. */
    renew: createRenew(deps),
    /** Throws `not_found`, and `conflict` for fewer uses than there were. */
    change: createChange(deps),
    /** Throws `not_found`. */
    remove: (id: string, actor: Actor): Promise<void> =>
      store.transact(async (tx) => {
        await getInvite(tx, id);
        await tx.remove(invites, id);
        await writeAudit(tx, { actor, action: "invite.delete", target: id }, clock);
      }),
  };
}
