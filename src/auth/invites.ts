/**
 * Invites: codes with which people register where registration is by invitation. Hidden here: the code's
 * form and what of it is kept, whom it fits, and that its last use is counted once.
 */
import { hashSecret } from "../kit/admin-token.ts";
import { AppError } from "../kit/errors.ts";
import { newCodeText, newId } from "../kit/id.ts";
import type { Page, Store, Tx } from "../store/store.ts";
import { toEmailKey } from "./accounts.ts";
import { writeAudit } from "./audit.ts";
import type { Actor } from "./caller.ts";
import type { AuthDeps } from "./deps.ts";
import type { InviteRecord } from "./ledger-schema.ts";
import { invites } from "./records.ts";
import { readSettings } from "./settings.ts";

/** 20 characters of 5 bits: 100 bits of randomness. */
const CODE_LENGTH = 20;
const GROUP = /.{5}(?=.)/gu;
/** "inv-" and four characters: enough to tell invites apart, and 80 bits stay secret. */
const PREFIX_LENGTH = 8;
const DAY_MS = 86_400_000;
const MAX_USES_KEPT = 100;
const MAX_AT_ONCE = 500;
const CODE = /^[0-9a-hjkmnp-tv-z]{20}$/u;

/** What an administrator may say of a new invite; the settings fill in the rest. */
export interface InviteFields {
  readonly maxUses?: number | undefined;
  /** Days from now; 0: never expires. */
  readonly ttlDays?: number | undefined;
  /** Epoch milliseconds; wins over `ttlDays`. */
  readonly expiresAt?: number | undefined;
  readonly boundEmail?: string | undefined;
  readonly emailDomains?: readonly string[] | undefined;
  readonly note?: string | undefined;
}

/** What may be changed; `null` takes a limit away. */
export interface InviteChange {
  readonly maxUses?: number | undefined;
  readonly expiresAt?: number | null | undefined;
  readonly boundEmail?: string | null | undefined;
  readonly emailDomains?: readonly string[] | undefined;
  readonly note?: string | undefined;
  readonly enabled?: boolean | undefined;
}

/** An invite with its code, which is shown this once. */
export interface NewInvite {
  readonly invite: InviteRecord;
  readonly code: string;
}

export interface Invites {
  /** The newest first. Throws `bad_cursor`. */
  list(options: { limit: number; cursor?: string | undefined }): Promise<Page<InviteRecord>>;
  /** Makes `count` alike, at most 500. Throws `invalid` for an end in the past. */
  create(fields: InviteFields, options: { count: number; actor: Actor }): Promise<NewInvite[]>;
  /** Throws `not_found`, and `conflict` for fewer uses than there were. */
  change(id: string, options: { change: InviteChange; actor: Actor }): Promise<InviteRecord>;
  /** Throws `not_found`. */
  remove(id: string, actor: Actor): Promise<void>;
}

/** "inv-" and four groups of five characters. */
function toCode(text: string): string {
  return `inv-${text.replaceAll(GROUP, "$&-")}`;
}

/**
 * The form in which codes are hashed: case, spaces and dashes do not matter, and neither do the letters
 * that people take for digits (Crockford's base32). Undefined for what is no code.
 */
function toNormalForm(code: string): string | undefined {
  const plain = code.toLowerCase().replaceAll(/[\s-]/gu, "");
  const text = plain.length === CODE_LENGTH + 3 && plain.startsWith("inv") ? plain.slice(3) : plain;
  const digits = text.replaceAll(/[il]/gu, "1").replaceAll("o", "0");
  return CODE.test(digits) ? digits : undefined;
}

/** One text for every reason: who guesses must not learn that a code exists. */
function refuse(): AppError {
  return new AppError("invite_invalid", "The invite code is not valid (any more) for this address");
}

function fits(invite: InviteRecord, email: string): boolean {
  const address = toEmailKey(email);
  if (invite.boundEmail !== undefined && toEmailKey(invite.boundEmail) !== address) return false;
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const { emailDomains } = invite;
  return emailDomains.length === 0 || emailDomains.some((entry) => domain === entry);
}

function withUse(invite: InviteRecord, userId: string, at: number): InviteRecord {
  return { ...invite, uses: [...invite.uses, { userId, at }].slice(-MAX_USES_KEPT) };
}

/**
 * Counts a use of an invite in the running transaction and gives the invite. `nowMs` is time for expiry.
 * Throws `invite_invalid`.
 */
export async function redeemInvite(
  tx: Tx,
  use: { code: string; email: string; userId?: string | undefined; nowMs: number },
): Promise<InviteRecord> {
  const { code, email, userId, nowMs } = use;
  const form = toNormalForm(code);
  const invite = form === undefined ? undefined : await tx.by(invites, "byCode", [hashSecret(form)]);
  if (invite === undefined || !invite.enabled || !fits(invite, email)) throw refuse();
  const isExpired = invite.expiresAt !== undefined && invite.expiresAt <= nowMs;
  if (isExpired || invite.usedCount >= invite.maxUses) throw refuse();
  const counted = { ...invite, usedCount: invite.usedCount + 1 };
  return tx.put(invites, userId === undefined ? counted : withUse(counted, userId, nowMs));
}

/** Notes who came of a use that was counted before; nothing happens when the invite is gone. */
export async function noteInviteUse(tx: Tx, inviteId: string, userId: string, nowMs: number): Promise<void> {
  const invite = await tx.get(invites, inviteId);
  if (invite !== undefined) await tx.put(invites, withUse(invite, userId, nowMs));
}

/** Forgets who came of a use; the use stays counted. */
export async function dropInviteUse(tx: Tx, inviteId: string, userId: string): Promise<void> {
  const invite = await tx.get(invites, inviteId);
  if (invite === undefined || !invite.uses.some((use) => use.userId === userId)) return;
  await tx.put(invites, { ...invite, uses: invite.uses.filter((use) => use.userId !== userId) });
}

async function getInvite(tx: Tx, id: string): Promise<InviteRecord> {
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

async function insertInvites(
  tx: Tx,
  fields: InviteFields,
  parts: { count: number; nowMs: number },
): Promise<NewInvite[]> {
  const { count, nowMs } = parts;
  const { defaultMaxUses, defaultTtlDays } = (await readSettings(tx, "invites")).fields;
  const expiresAt = toEnd(fields, { defaultTtlDays, nowMs });
  const made: NewInvite[] = [];
  for (let i = 0; i < count; i += 1) {
    const text = newCodeText(CODE_LENGTH);
    const code = toCode(text);
    const invite = await tx.insert(invites, {
      id: newId("ivt", nowMs),
      prefix: code.slice(0, PREFIX_LENGTH),
      codeHash: hashSecret(text),
      maxUses: fields.maxUses ?? defaultMaxUses,
      usedCount: 0,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(fields.boundEmail === undefined ? {} : { boundEmail: fields.boundEmail }),
      emailDomains: [...(fields.emailDomains ?? [])],
      enabled: true,
      note: fields.note ?? "",
      createdAt: nowMs,
      uses: [],
    });
    made.push({ invite, code });
  }
  return made;
}

/** The invite as it becomes; a limit that is null goes. */
function applyChange(invite: InviteRecord, change: InviteChange): InviteRecord {
  const { expiresAt: end, boundEmail: bound, ...rest } = invite;
  const expiresAt = change.expiresAt === undefined ? end : change.expiresAt;
  const boundEmail = change.boundEmail === undefined ? bound : change.boundEmail;
  return {
    ...rest,
    maxUses: change.maxUses ?? invite.maxUses,
    emailDomains: [...(change.emailDomains ?? invite.emailDomains)],
    note: change.note ?? invite.note,
    enabled: change.enabled ?? invite.enabled,
    ...(expiresAt == null ? {} : { expiresAt }),
    ...(boundEmail == null ? {} : { boundEmail }),
  };
}

function createChange(deps: Pick<AuthDeps, "store" | "clock" | "expiry">): Invites["change"] {
  const { store, clock, expiry } = deps;
  return (id, { change, actor }) =>
    store.transact(async (tx) => {
      const invite = await getInvite(tx, id);
      checkEnd(change.expiresAt, expiry.now());
      if (change.maxUses !== undefined && change.maxUses < invite.usedCount)
        throw new AppError("conflict", `The invite was used ${invite.usedCount} times already`);
      const changes = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
      await writeAudit(tx, { actor, action: "invite.change", target: id, changes }, clock);
      return tx.put(invites, applyChange(invite, change));
    });
}

function listInvites(
  store: Store,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<InviteRecord>> {
  return store.read((tx) =>
    tx.list(invites, "id", { limit, reverse: true, ...(cursor === undefined ? {} : { cursor }) }),
  );
}

/** Makes the administration of invites. */
export function createInvites(deps: Pick<AuthDeps, "store" | "clock" | "expiry">): Invites {
  const { store, clock, expiry } = deps;
  return {
    list: (options) => listInvites(store, options),
    create: (fields, { count, actor }) =>
      store.transact(async (tx) => {
        if (count < 1 || count > MAX_AT_ONCE) throw new RangeError(`1 to ${MAX_AT_ONCE} invites at once`);
        const nowMs = expiry.now();
        checkEnd(fields.expiresAt, nowMs);
        const made = await insertInvites(tx, fields, { count, nowMs });
        const target = made[0]?.invite.id ?? "";
        await writeAudit(tx, { actor, action: "invite.create", target, changes: [`count: ${count}`] }, clock);
        return made;
      }),
    change: createChange(deps),
    remove: (id, actor) =>
      store.transact(async (tx) => {
        await getInvite(tx, id);
        await tx.remove(invites, id);
        await writeAudit(tx, { actor, action: "invite.delete", target: id }, clock);
      }),
  };
}
