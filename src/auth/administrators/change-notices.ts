/**
 * Emails all administrators about changes that grant something: what an attacker would do first with an
 * administrator's account. Changes are read from the audit; one email lists all new ones, with up to three emails an
 * hour.
 */
import { type AuditRecord, auditCollection } from "../../records/audit-chain.ts";
import type { ReadTx } from "../../store/store.ts";
import type { AuthDeps } from "../base/deps.ts";
import { type ToldChange, changesMail } from "../mails/mails.ts";
import { state } from "../base/records.ts";
import { changeState } from "../base/state.ts";
import { mailAdministrators } from "./mail-administrators.ts";

const EVERY_MS = 20 * 60_000;
/** Entries that one look reads; what is left comes with the next. */
const MAX_READ = 500;

/** Actions that send a notification; with fields, only if one of them changed. */
const watched: ReadonlyMap<string, readonly string[] | undefined> = new Map([
  ["client.create", undefined],
  [
    "client.change",
    [
      "redirectUris",
      "postLogoutRedirectUris",
      "protectedOrigins",
      "audiences",
      "resources",
      "allowedGroups",
      "clientType",
      "grantTypes",
      "machineScopes",
      "jwks",
      "jwksUri",
      "policy",
      "requirePkce",
    ],
  ],
  ["resource.create", undefined],
  ["resource.change", undefined],
  ["group.change", ["minimumAssurance"]],
  ["api-key.create", undefined],
  ["api-key.change", undefined],
  ["role.create", undefined],
  ["role.change", undefined],
  ["user.change", ["role"]],
  ["user.roles", undefined],
  ["group.roles", undefined],
  ["settings.registration", ["adminSecondFactor", "requireTwoFactor", "applicationPolicy", "mode"]],
]);

/** The lines of an audit entry in the email; undefined for an entry that it leaves out. */
function findTold({ action, actor, changes }: AuditRecord): readonly string[] | undefined {
  // Actions of the program itself at its start.
  if (actor === "service" || !watched.has(action)) return undefined;
  const fields = watched.get(action);
  if (fields === undefined) return changes;
  const told = changes.filter((change) => fields.includes(change.split(":")[0] ?? ""));
  return told.length === 0 ? undefined : told;
}

/** Creates what looks for them; call it every minute. */
export function createChangeNotices(deps: Pick<AuthDeps, "store" | "expiry" | "outbox" | "publicUrl">) {
  const { store, expiry } = deps;

  async function findNewest(tx: ReadTx): Promise<string | undefined> {
    return (await tx.list(auditCollection, "id", { limit: 1, reverse: true })).items[0]?.id;
  }

  /** Entries after the last that was looked at; none within the time after a mail. */
  async function readNew(tx: ReadTx): Promise<readonly AuditRecord[]> {
    const told = (await tx.get(state, "state"))?.changesTold;
    if (told === undefined || told.at + EVERY_MS > expiry.now()) return [];
    const { items } = await tx.list(auditCollection, "id", { from: [told.lastId], limit: MAX_READ });
    return items.filter(({ id }) => id > told.lastId);
  }

  return {
    /** Emails them about new entries; resolves with the number of emails. Skips entries from before the first run. */
    tell: async (): Promise<number> => {
      const [isBegun, waiting] = await store.read(async (tx) => [
        (await tx.get(state, "state"))?.changesTold !== undefined,
        await readNew(tx),
      ]);
      if (isBegun && waiting.length === 0) return 0;
      return store.transact(async (tx) => {
        if (!isBegun) {
          await changeState(tx, { changesTold: { at: 0, lastId: (await findNewest(tx)) ?? "" } });
          return 0;
        }
        const entries = await readNew(tx);
        const last = entries.at(-1);
        if (last === undefined) return 0;
        const changes = entries.flatMap((entry): ToldChange[] => {
          const told = findTold(entry);
          return told === undefined ? [] : [{ entry, changes: told }];
        });
        const mails =
          changes.length === 0
            ? 0
            : await mailAdministrators(tx, deps, (to, site) => changesMail(to, { site, changes }));
        const at = changes.length === 0 ? 0 : expiry.now();
        await changeState(tx, { changesTold: { at, lastId: last.id } });
        return mails;
      });
    },
  };
}
