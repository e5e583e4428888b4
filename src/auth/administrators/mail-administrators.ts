/** Sends emails to all administrators of the center. */
import { pagesOf } from "../../store/every-page.ts";
import type { Tx } from "../../store/store.ts";
import { isUsable } from "../accounts/status.ts";
import type { AuthDeps } from "../base/deps.ts";
import { type MailSite, readMailSite } from "../mails/mail-site.ts";
import type { OutgoingMail } from "../mails/mails.ts";
import { users } from "../accounts/records.ts";

/** Queues a mail for each in their language; resolves with how many. Who has proved no address gets none. */
export async function mailAdministrators(
  tx: Tx,
  deps: Pick<AuthDeps, "expiry" | "outbox" | "publicUrl">,
  toMail: (to: string, site: MailSite) => OutgoingMail,
): Promise<number> {
  let mails = 0;
  for await (const page of pagesOf(tx, users, { index: "byRole", range: { prefix: ["admin"] } }))
    for (const admin of page) {
      if (!isUsable(admin, deps.expiry.now()) || admin.emailVerifiedAt === undefined) continue;
      await deps.outbox.enqueue(tx, toMail(admin.email, await readMailSite(tx, deps, admin)));
      mails += 1;
    }
  return mails;
}
