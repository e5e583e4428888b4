/** Telling an owner what happened to the account. */
import type { Tx } from "../../store/store.ts";
import type { AuthDeps } from "../base/deps.ts";
import { readMailSite } from "./mail-site.ts";
import { type Notice, type NoticeDetails, noticeMail } from "./mails.ts";
import { emails } from "../accounts/records.ts";
import type { UserRecord } from "../accounts/schema.ts";

/** Further addresses of an account are five at most. */
const MAX_FURTHER = 100;

/**
 * Writes the emails in the running transaction; `user` is the account whose address is notified, `also` an address
 * that it no longer has.
 */
export async function tellOwner(
  tx: Tx,
  deps: Pick<AuthDeps, "outbox" | "publicUrl">,
  about: NoticeDetails & {
    readonly user: UserRecord;
    readonly notice: Notice;
    readonly also?: string;
  },
): Promise<void> {
  const { user, also, ...told } = about;
  const { username, timeZone } = user;
  const site = await readMailSite(tx, deps, user);
  const { items } = await tx.list(emails, "byUser", { prefix: [user.id], limit: MAX_FURTHER });
  const further = items.filter(
    ({ verifiedAt, purposes }) => verifiedAt !== undefined && purposes.includes("notify"),
  );
  const addresses = new Set([user.email, ...further.map(({ address }) => address)]);
  if (also !== undefined) addresses.add(also);
  for (const email of addresses)
    await deps.outbox.enqueue(tx, noticeMail({ email, username, timeZone }, { site, ...told }));
}
