/** Links to set a password that an administrator has sent. */
import { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import { writeAudit } from "../../records/audit.ts";
import { getUser } from "../accounts/accounts.ts";
import { isUsable } from "../accounts/status.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { readMailSite } from "../mails/mail-site.ts";
import { linkMail, toLinkText } from "../mails/mails.ts";
import { issueLink } from "../passwords/links.ts";
import { readSettings } from "../settings/settings.ts";
import type { UserRecord } from "../accounts/schema.ts";

const LINK_HOURS = 24;

type LinkDeps = Pick<AuthDeps, "store" | "clock" | "expiry" | "outbox" | "publicUrl">;

interface SentLink {
  readonly token: string;
  /** The page for it, where one is known. */
  readonly url: string | undefined;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Creates a link that replaces earlier ones and works once within 24 hours, and sends it to the primary address. */
export async function sendPasswordLink(
  tx: Tx,
  deps: Omit<LinkDeps, "store" | "clock">,
  user: UserRecord,
): Promise<SentLink> {
  const { resetUrl } = (await readSettings(tx, "registration")).fields;
  const purpose = user.passwordHash === undefined ? "set-password" : "reset";
  const nowMs = deps.expiry.now();
  const ttlMs = LINK_HOURS * 3_600_000;
  const token = await issueLink(tx, { userId: user.id, purpose, nowMs, ttlMs });
  const link = toLinkText(token, { resetUrl, publicUrl: deps.publicUrl });
  const site = await readMailSite(tx, deps, user);
  await deps.outbox.enqueue(tx, linkMail(user.email, { site, link, purpose, minutes: LINK_HOURS * 60 }));
  return { token, url: link === token ? undefined : link, expiresAt: nowMs + ttlMs };
}

/** What administrators see of a link; its token only on request. */
export interface OfferedLink {
  readonly sentTo: string;
  readonly expiresAt: number;
  readonly token?: string;
  readonly url?: string | undefined;
}

export type PasswordLinks = ReturnType<typeof createPasswordLinks>;

export function createPasswordLinks(deps: LinkDeps) {
  const { store, clock, expiry, outbox } = deps;
  return {
    /**
     * Mails a link to set a password; `show` gives it to the administrator too. Throws `not_found`, and `conflict`
     * for an account that cannot be used, or when it is to be shown although a mail server delivers it.
     */
    send: (id: string, { show, actor }: { show: boolean; actor: Actor }): Promise<OfferedLink> =>
      store.transact(async (tx) => {
        const user = await getUser(tx, id);
        if (!isUsable(user, expiry.now()) && user.status !== "pending")
          throw new AppError(
            "conflict",
            `The account is ${user.status} and cannot sign in. Change its status before you send a password link`,
          );
        if (show && outbox.hasServer())
          throw new AppError(
            "conflict",
            'The link is sent by email and shown only to the owner. Repeat the request without "show"',
          );
        const { token, url, expiresAt } = await sendPasswordLink(tx, deps, user);
        const changes = [`sent to: ${user.email}`, ...(show ? ["shown to the administrator"] : [])];
        await writeAudit(tx, { actor, action: "user.reset-link", target: id, changes }, clock);
        return { sentTo: user.email, expiresAt, ...(show ? { token, url } : {}) };
      }),
  };
}
