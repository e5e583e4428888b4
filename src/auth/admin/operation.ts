/** Actions on the whole center: ending all sessions, retrying an email. */
import { writeAudit } from "../../records/audit.ts";
import type { OutboxEntry, OutboxListOptions } from "../../records/outbox-read.ts";
import type { Page } from "../../store/store.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { revokeAllSessions } from "./revoke-all.ts";
import { type Stats, readStats } from "./stats.ts";

/** Codes and links are on separate, indented lines (mails.ts). */
function maskSecrets(text: string): string {
  return text.replaceAll(/^ {4}\S.*$/gmu, "    (hidden)");
}

export type Operation = ReturnType<typeof createOperation>;

/** Creates what concerns the whole center. */
export function createOperation(deps: Pick<AuthDeps, "store" | "clock" | "expiry" | "outbox">) {
  const { store, clock, outbox } = deps;
  return {
    stats: (): Promise<Stats> => readStats(store, deps),
    revokeAllSessions: (actor: Actor): Promise<number> => revokeAllSessions(deps, actor),
    /**
     * Mails, the newest first. Unless `masked`, that is written to the audit, and codes and links are shown while no
     * server delivers them, and to the holder of the administrator token alone.
     */
    listMails: async (
      { masked, ...options }: OutboxListOptions & { masked: boolean },
      actor: Actor,
    ): Promise<Page<OutboxEntry>> => {
      const page = await outbox.list(options);
      const hide = (entry: OutboxEntry): OutboxEntry => ({ ...entry, text: maskSecrets(entry.text) });
      if (masked) return { ...page, items: page.items.map(hide) };
      await store.transact((tx) => writeAudit(tx, { actor, action: "outbox.read", target: "outbox" }, clock));
      if (!outbox.hasServer() && actor.userId === undefined) return page;
      return { ...page, items: page.items.map(hide) };
    },
    /** A mail with its codes and links, which the audit tells. Throws `not_found`. */
    revealMail: (id: string, actor: Actor): Promise<OutboxEntry> =>
      store.transact(async (tx) => {
        const mail = await outbox.get(tx, id);
        const changes = [`kind: ${mail.kind}`, `to: ${mail.to}`];
        await writeAudit(tx, { actor, action: "outbox.reveal", target: id, changes }, clock);
        return mail;
      }),
    /** Has a mail that waits or has failed tried now. Throws `not_found`. */
    retryMail: async (id: string, actor: Actor): Promise<void> => {
      await outbox.retry(id);
      await store.transact((tx) => writeAudit(tx, { actor, action: "outbox.retry", target: id }, clock));
    },
  };
}
