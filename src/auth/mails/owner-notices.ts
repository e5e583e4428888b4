/** Telling an owner what happened to the account. */
import type { Outbox } from "../../records/outbox.ts";
import type { Tx } from "../../store/store.ts";
import { type Notice, noticeMail } from "./mails.ts";
import { emails } from "../records.ts";
import { readSettings } from "../settings/settings.ts";
import type { UserRecord } from "../accounts/schema.ts";

/** Further addresses of an account are five at most. */
const MAX_FURTHER = 100;

/** Writes the mails in the running transaction; `user` is the account with the address that is to be told, `also` one that it has no more. */
export async function tellOwner(
  tx: Tx,
  outbox: Outbox,
  about: { readonly user: UserRecord; readonly notice: Notice; readonly also?: string },
): Promise<void> {
  const { user, notice, also } = about;
  const { siteName } = (await readSettings(tx, "registration")).fields;
  const { items } = await tx.list(emails, "byUser", { prefix: [user.id], limit: MAX_FURTHER });
  const further = items.filter(
    ({ verifiedAt, purposes }) => verifiedAt !== undefined && purposes.includes("notify"),
  );
  const addresses = new Set([user.email, ...further.map(({ address }) => address)]);
  if (also !== undefined) addresses.add(also);
  for (const email of addresses)
    await outbox.enqueue(tx, noticeMail({ email, username: user.username }, { siteName, notice }));
}
