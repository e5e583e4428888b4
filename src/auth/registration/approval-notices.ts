/**
 * Notifies administrators about pending accounts: one email for all of them, an hour apart, so that a flood of
 * registrations causes one email.
 */
import type { ReadTx, Tx } from "../../store/store.ts";
import type { UserRecord } from "../accounts/schema.ts";
import { mailAdministrators } from "../administrators/mail-administrators.ts";
import type { AuthDeps } from "../base/deps.ts";
import { waitingMail } from "../mails/mails.ts";
import { state } from "../base/records.ts";
import { users } from "../accounts/records.ts";
import { changeState } from "../base/state.ts";

const EVERY_MS = 3_600_000;
/** Names in a mail. */
const MAX_NAMES = 10;

/** Creates what looks for them; call it every minute. */
export function createApprovalNotices(deps: Pick<AuthDeps, "store" | "expiry" | "outbox" | "publicUrl">) {
  const { store, expiry } = deps;

  async function listNewest(tx: ReadTx): Promise<UserRecord[]> {
    const { items } = await tx.list(users, "byStatus", {
      prefix: ["pending"],
      reverse: true,
      limit: MAX_NAMES,
    });
    return [...items];
  }

  /** The newest that no mail has told of, the newest first; none within an hour of the last mail. */
  async function findNew(tx: ReadTx): Promise<UserRecord[]> {
    const told = (await tx.get(state, "state"))?.waitingTold;
    if (told !== undefined && told.at + EVERY_MS > expiry.now()) return [];
    const items = await listNewest(tx);
    if (told === undefined) return items;
    const { newest, lastId } = told;
    // Not only those after the last: the clock of the node that took another one may be behind.
    const isOlder = (id: string): boolean => newest.length >= MAX_NAMES && id < (newest.at(-1) ?? "");
    return items.filter(({ id }) =>
      newest.length === 0 ? id > lastId : !newest.includes(id) && !isOlder(id),
    );
  }

  /** Writes the mails; resolves with how many. */
  async function mailAdmins(tx: Tx, names: readonly string[]): Promise<number> {
    const count = await tx.count(users, "byStatus", { prefix: ["pending"] });
    return mailAdministrators(tx, deps, (to, site) => waitingMail(to, { site, names, count }));
  }

  return {
    /**
     * Emails them about new registrations; resolves with the number of emails. Until there is an administrator,
     * registrations stay unreported.
     */
    tell: async (): Promise<number> => {
      // Nearly always there is nothing: looking takes no part in other transactions.
      if ((await store.read(findNew)).length === 0) return 0;
      return store.transact(async (tx) => {
        const waiting = await findNew(tx);
        const [last] = waiting;
        if (last === undefined) return 0;
        const mails = await mailAdmins(
          tx,
          waiting.map(({ username }) => username),
        );
        if (mails === 0) return 0;
        const newest = (await listNewest(tx)).map(({ id }) => id);
        await changeState(tx, { waitingTold: { at: expiry.now(), lastId: last.id, newest } });
        return mails;
      });
    },
  };
}
