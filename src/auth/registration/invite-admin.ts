/** Invites as administrators keep them. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { AppError } from "../../kit/errors.ts";
import { newCodeText, newId } from "../../kit/secrets/id.ts";
import type { Page, Tx } from "../../store/store.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Actor } from "../caller.ts";
import type { AuthDeps } from "../deps.ts";
import { INVITE_CODE_LENGTH } from "./invites.ts";
import type { InviteRecord } from "../ledger-schema.ts";
import { invites } from "../records.ts";
import { readSettings } from "../settings/settings.ts";

const GROUP = /.{5}(?=.)/gu;
/** "inv-" and four characters: enough to tell invites apart, and 80 bits stay secret. */
const PREFIX_LENGTH = 8;
const DAY_MS = 86_400_000;
const MAX_AT_ONCE = 500;

/** What an administrator may say of a new invite; the settings fill in the rest. */
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

/** What may be changed; `null` takes a limit away. */
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
}

/** "inv-" and four groups of five characters. */
function toCode(text: string): string {
  return `inv-${text.replaceAll(GROUP, "$&-")}`;
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
    const text = newCodeText(INVITE_CODE_LENGTH);
    const code = toCode(text);
    const invite = await tx.insert(invites, {
      id: newId("ivt", nowMs),
      prefix: code.slice(0, PREFIX_LENGTH),
      codeHash: hashSecret(text),
      maxUses: fields.maxUses ?? defaultMaxUses,
      usedCount: 0,
      expiresAt,
      boundEmail: fields.boundEmail,
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

function createChange(deps: Pick<AuthDeps, "store" | "clock" | "expiry">) {
  const { store, clock, expiry } = deps;
  return (id: string, { change, actor }: { change: InviteChange; actor: Actor }): Promise<InviteRecord> =>
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

export type Invites = ReturnType<typeof createInvites>;

/** Makes the administration of invites. */
export function createInvites(deps: Pick<AuthDeps, "store" | "clock" | "expiry">) {
  const { store, clock, expiry } = deps;
  return {
    /** The newest first. Throws `bad_cursor`. */
    list: ({ limit, cursor }: { limit: number; cursor?: string }): Promise<Page<InviteRecord>> =>
      store.read((tx) => tx.list(invites, "id", { limit, reverse: true, cursor })),
    /** Makes `count` alike, at most 500. Throws `invalid` for an end in the past. */
    create: (fields: InviteFields, { count, actor }: { count: number; actor: Actor }): Promise<NewInvite[]> =>
      store.transact(async (tx) => {
        if (count < 1 || count > MAX_AT_ONCE) throw new RangeError(`1 to ${MAX_AT_ONCE} invites at once`);
        const nowMs = expiry.now();
        checkEnd(fields.expiresAt, nowMs);
        const made = await insertInvites(tx, fields, { count, nowMs });
        const target = made[0]?.invite.id ?? "";
        await writeAudit(tx, { actor, action: "invite.create", target, changes: [`count: ${count}`] }, clock);
        return made;
      }),
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
