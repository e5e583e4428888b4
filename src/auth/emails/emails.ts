/** The addresses of an account: one primary, on the user, and up to five further ones. */
import { AppError } from "../../kit/errors.ts";
import { AuthError } from "../base/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { assertOwner, assertRecent, type Subject } from "../sessions/subject.ts";
import { findByEmail, getUser, putUser, toEmailKey, toStoredAddress } from "../accounts/accounts.ts";
import type { Caller } from "../base/caller.ts";
import { codeInvalid } from "../codes/code-errors.ts";
import type { Codes } from "../codes/codes.ts";
import type { AuthDeps } from "../base/deps.ts";
import { writeEvent } from "../accounts/events.ts";
import { endLinks } from "../passwords/links.ts";
import type { AskedMail, MailQuota } from "../mails/mail-quota.ts";
import { type Notice, type OutgoingMail, codeMail, noticeMail } from "../mails/mails.ts";
import { emails } from "../accounts/records.ts";
import { readMailSite } from "../mails/mail-site.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import type { EmailRecord, UserRecord } from "../accounts/schema.ts";

/** Further addresses of an account. */
const MAX_EMAILS = 5;

type Purpose = EmailRecord["purposes"][number];

/** An address as its owner sees it; the primary one has the id "primary". */
export interface EmailView {
  readonly id: string;
  readonly address: string;
  readonly primary: boolean;
  readonly verified: boolean;
  readonly purposes: readonly Purpose[];
  readonly createdAt: number;
}

const ALL_PURPOSES: readonly Purpose[] = ["login", "recovery", "notify"];
const PRIMARY = "primary";

function toPrimaryView(user: UserRecord): EmailView {
  return {
    id: PRIMARY,
    address: user.email,
    primary: true,
    verified: user.emailVerifiedAt !== undefined,
    purposes: ALL_PURPOSES,
    createdAt: user.createdAt,
  };
}

function toView(email: EmailRecord): EmailView {
  const { id, address, verifiedAt, purposes, createdAt } = email;
  return { id, address, primary: false, verified: verifiedAt !== undefined, purposes, createdAt };
}

async function listFurther(tx: ReadTx, userId: string): Promise<readonly EmailRecord[]> {
  return (await tx.list(emails, "byUser", { prefix: [userId], limit: 100 })).items;
}

/** The account's own address; another person's looks like one that does not exist. */
export async function getOwn(tx: ReadTx, userId: string, id: string): Promise<EmailRecord> {
  const email = await tx.get(emails, id);
  if (email === undefined || email.userId !== userId)
    throw new AppError("not_found", `The account has no email address "${id}"`);
  return email;
}

function refusePrimary(id: string): void {
  if (id !== PRIMARY) return;
  throw new AuthError(
    "last_login_email",
    "The primary email address is required for signing in. Make another verified address the primary one first",
  );
}

type Deps = Pick<AuthDeps, "store" | "clock" | "expiry" | "outbox" | "publicUrl"> & {
  codes: Codes;
  mailQuota: MailQuota;
};

/** The email for an address; if it belongs to another account, its owner is notified once and gets no codes. */
async function toMail(
  tx: ReadTx,
  deps: Deps,
  parts: { email: EmailRecord; holder: UserRecord | undefined; isFirst: boolean; caller: Caller },
): Promise<(code: string) => OutgoingMail & { isDecoy?: boolean }> {
  const { email, holder, isFirst, caller } = parts;
  const { address } = email;
  const { locale } = holder ?? (await getUser(tx, email.userId));
  const site = await readMailSite(tx, deps, { locale, caller });
  if (holder === undefined) return (code) => codeMail(address, { site, code, purpose: "email" });
  const owner = { email: await toStoredAddress(tx, holder, address), username: holder.username };
  const mail = noticeMail(owner, { site, notice: "address-elsewhere" });
  return () => ({ ...mail, isDecoy: !isFirst });
}

/** Sends a code within the limits; one for an address of another account opens nothing. */
async function issue(
  tx: Tx,
  deps: Deps,
  parts: { email: EmailRecord; asked: AskedMail; isFirst: boolean },
): Promise<void> {
  const { address, userId: owner, id } = parts.email;
  const { caller } = parts.asked;
  const nowMs = deps.expiry.now();
  const holder = await findByEmail(tx, address);
  if (!(await deps.mailQuota.take(tx, parts.asked, { userId: holder?.id ?? "", nowMs }))) return;
  await deps.codes.issue(tx, {
    purpose: "email",
    address,
    owner,
    subject: holder === undefined ? id : "",
    caller,
    nowMs,
    mail: await toMail(tx, deps, { ...parts, holder, caller }),
  });
}

/** Adds an unverified address. Throws `email_limit`, `already_exists`. */
export async function insertEmail(
  tx: Tx,
  user: UserRecord,
  { address, purposes, atMs }: { address: string; purposes: readonly Purpose[]; atMs: number },
): Promise<EmailRecord> {
  const present = await listFurther(tx, user.id);
  if (present.length >= MAX_EMAILS)
    throw new AuthError(
      "email_limit",
      `An account can have up to ${MAX_EMAILS} additional email addresses. Remove one first`,
    );
  const addressLower = toEmailKey(address);
  if (addressLower === user.emailLower || present.some((email) => email.addressLower === addressLower))
    throw new AppError("already_exists", "The account already has this email address");
  return tx.insert(emails, {
    id: newId("eml", atMs),
    userId: user.id,
    address,
    addressLower,
    purposes: [...new Set(purposes)],
    createdAt: atMs,
  });
}

function createAdd(deps: Deps) {
  const { store, clock, expiry } = deps;
  return async (
    subject: Subject,
    { address, purposes, caller }: { address: string; purposes: readonly Purpose[]; caller: Caller },
  ): Promise<EmailView> => {
    assertRecent(subject, expiry.now());
    const asked = deps.mailQuota.ask({ purpose: "email", email: address, caller });
    return store.transact(async (tx) => {
      const user = await getUser(tx, subject.user.id);
      const email = await insertEmail(tx, user, { address, purposes, atMs: clock.now() });
      await issue(tx, deps, { email, asked, isFirst: true });
      return toView(email);
    });
  };
}

function createVerify(deps: Deps) {
  const { store, clock, expiry, codes } = deps;
  return async (
    subject: Subject,
    { id, code, caller }: { id: string; code: string; caller: Caller },
  ): Promise<EmailView> => {
    assertOwner(subject);
    const outcome = await store.transact(async (tx) => {
      const user = await getUser(tx, subject.user.id);
      const email = await getOwn(tx, user.id, id);
      if (email.verifiedAt !== undefined) return { kind: "done" as const, view: toView(email) };
      const nowMs = expiry.now();
      const target = { purpose: "email" as const, address: email.address, owner: user.id };
      const taken = await codes.take(tx, { ...target, code, caller, nowMs });
      if (taken.kind !== "right") return taken;
      if (taken.subject !== email.id) return { kind: "wrong" as const };
      // Only a person who verified the mailbox learns that another account has it.
      if ((await findByEmail(tx, email.address)) !== undefined) return { kind: "taken" as const };
      const verified = await tx.put(emails, {
        ...email,
        verifiedAt: nowMs,
        verifiedLower: email.addressLower,
      });
      await writeEvent(tx, { userId: user.id, kind: "email-added", caller, atMs: clock.now() });
      await tellOwner(tx, deps, { user, notice: "email-added" });
      return { kind: "done" as const, view: toView(verified) };
    });
    if (outcome.kind === "taken")
      throw new AuthError("email_taken", "Another account has this email address. Remove it there first");
    if (outcome.kind !== "done") throw codeInvalid();
    return outcome.view;
  };
}

function createMakePrimary(deps: Deps) {
  const { store, clock, expiry } = deps;
  return async (subject: Subject, { id, caller }: { id: string; caller: Caller }): Promise<EmailView[]> => {
    assertRecent(subject, expiry.now());
    return store.transact(async (tx) => {
      const user = await getUser(tx, subject.user.id);
      if (id === PRIMARY) return [toPrimaryView(user), ...(await listFurther(tx, user.id)).map(toView)];
      const email = await getOwn(tx, user.id, id);
      if (email.verifiedAt === undefined)
        throw new AppError(
          "conflict",
          "Only a verified email address can be the primary one. Verify it first",
        );
      await tx.remove(emails, email.id);
      // A reader of the old primary address must not get in with an earlier link.
      await endLinks(tx, user.id);
      const stored = await putUser(
        tx,
        { ...user, email: email.address, emailLower: email.addressLower, emailVerifiedAt: email.verifiedAt },
        { edited: true },
      );
      // A new ID: the same request sent twice must not change the two addresses back.
      await tx.insert(emails, {
        id: newId("eml", clock.now()),
        userId: user.id,
        address: user.email,
        addressLower: user.emailLower,
        purposes: [...ALL_PURPOSES],
        createdAt: user.createdAt,
        ...(user.emailVerifiedAt === undefined
          ? {}
          : { verifiedAt: user.emailVerifiedAt, verifiedLower: user.emailLower }),
      });
      await writeEvent(tx, { userId: user.id, kind: "primary-email-changed", caller, atMs: clock.now() });
      // Notify the old address: after an account takeover, its owner reads it there.
      await tellOwner(tx, deps, { user, notice: "primary-email-changed" });
      return [toPrimaryView(stored), ...(await listFurther(tx, user.id)).map(toView)];
    });
  };
}

/** Ends links that were sent to an address which can no longer reset the password, and notifies its owner there. */
export async function endRecovery(
  tx: Tx,
  deps: Pick<Deps, "outbox" | "publicUrl">,
  parts: { user: UserRecord; email: EmailRecord; notice: Notice },
): Promise<void> {
  const { user, email, notice } = parts;
  await endLinks(tx, user.id);
  await tellOwner(tx, deps, { user, notice, also: email.address });
}

function createSetPurposes(deps: Deps) {
  const { store, clock, expiry } = deps;
  return (
    subject: Subject,
    { id, purposes, caller }: { id: string; purposes: readonly Purpose[]; caller: Caller },
  ): Promise<EmailView> =>
    store.transact(async (tx) => {
      assertRecent(subject, expiry.now());
      refusePrimary(id);
      const user = await getUser(tx, subject.user.id);
      const email = await getOwn(tx, user.id, id);
      const stored = await tx.put(emails, { ...email, purposes: [...new Set(purposes)] });
      const isLost = email.purposes.includes("recovery") && !purposes.includes("recovery");
      if (isLost && email.verifiedAt !== undefined) {
        await endRecovery(tx, deps, { user, email, notice: "recovery-removed" });
        await writeEvent(tx, { userId: user.id, kind: "recovery-removed", caller, atMs: clock.now() });
      }
      return toView(stored);
    });
}

function createRemove(deps: Deps) {
  const { store, clock, expiry } = deps;
  return (subject: Subject, { id, caller }: { id: string; caller: Caller }): Promise<void> =>
    store.transact(async (tx) => {
      assertRecent(subject, expiry.now());
      refusePrimary(id);
      const user = await getUser(tx, subject.user.id);
      const email = await getOwn(tx, user.id, id);
      await tx.remove(emails, email.id);
      // An unverified address could reset nothing and may belong to someone else.
      if (email.verifiedAt !== undefined)
        await endRecovery(tx, deps, { user, email, notice: "email-removed" });
      await writeEvent(tx, { userId: user.id, kind: "email-removed", caller, atMs: clock.now() });
    });
}

export type Emails = ReturnType<typeof createEmails>;

/** Creates the addresses' logic. */
export function createEmails(deps: Deps) {
  const { store } = deps;
  return {
    list: (userId: string): Promise<EmailView[]> =>
      store.read(async (tx) => {
        const user = await getUser(tx, userId);
        return [toPrimaryView(user), ...(await listFurther(tx, userId)).map(toView)];
      }),
    /** Adds an address, unverified, and sends it a code. Throws `reauth_required`, `email_limit`, `already_exists`. */
    add: createAdd(deps),
    /** Sends a code to an address that is not verified; never tells whether the limits let it. Throws `not_found`, `conflict`. */
    sendCode: async (subject: Subject, { id, caller }: { id: string; caller: Caller }): Promise<void> => {
      assertOwner(subject);
      const { address } = await store.read((tx) => getOwn(tx, subject.user.id, id));
      const asked = deps.mailQuota.ask({ purpose: "email", email: address, caller });
      await store.transact(async (tx) => {
        const email = await getOwn(tx, subject.user.id, id);
        if (email.verifiedAt !== undefined)
          throw new AppError("conflict", "This email address is already verified");
        await issue(tx, deps, { email, asked, isFirst: false });
      });
    },
    /** Throws `not_found`, `code_invalid`, `too_many_attempts`, `email_taken`. */
    verify: createVerify(deps),
    /**
     * Makes a verified address the primary one; the old primary address stays as an additional one. Throws
     * `reauth_required`, `not_found`, `conflict`.
     */
    makePrimary: createMakePrimary(deps),
    /** Sets what an address is for. Throws `not_found`, `last_login_email` for the primary one. */
    setPurposes: createSetPurposes(deps),
    /** Throws `reauth_required`, `not_found`, `last_login_email` for the primary one. */
    remove: createRemove(deps),
  };
}
