/** The alert rules: list, create, replace, delete. */
import { changedFields } from "../../kit/text/changes.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { type FieldError, AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { ReadTx, Store, Tx } from "../../store/store.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { channels } from "../channels/records.ts";
import { type AlertRuleFields, type AlertRuleRecord, MAX_RULES, toCondition } from "./schema.ts";
import { alertRules } from "./records.ts";

/** Every rule, inside the caller's view. */
export async function readRules(tx: ReadTx): Promise<readonly AlertRuleRecord[]> {
  return (await tx.list(alertRules, "id", { limit: MAX_RULES })).items;
}

/** The rules that notify a channel; a channel in use is not deleted. */
export async function findRulesOfChannel(
  tx: ReadTx,
  channelId: string,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const naming = (await readRules(tx)).filter(({ rule }) => rule.channelIds.includes(channelId));
  return naming.map(({ id, rule }) => ({ id, name: rule.name }));
}

/** Throws `invalid` when a channel of the rule does not exist: nobody would ever be notified. */
async function checkChannels(tx: Pick<Tx, "get">, { channelIds }: AlertRuleFields): Promise<void> {
  const errors: FieldError[] = [];
  for (const [index, id] of channelIds.entries()) {
    if ((await tx.get(channels, id)) !== undefined) continue;
    const message = `There is no channel "${id}"; make it first or leave it out`;
    errors.push({ pointer: `/channelIds/${index}`, code: "not_found", message });
  }
  if (errors.length > 0)
    throw new AppError("invalid", "The rule names a channel that does not exist", { errors });
}

async function getRule(tx: Pick<Tx, "get">, id: string): Promise<AlertRuleRecord> {
  const record = await tx.get(alertRules, id);
  if (record === undefined) throw new AppError("not_found", `There is no alert rule "${id}"`);
  return record;
}

function isSameCondition(a: AlertRuleFields, b: AlertRuleFields): boolean {
  // Both went through the schema, which puts the members in one order.
  return JSON.stringify(toCondition(a)) === JSON.stringify(toCondition(b));
}

async function replaceRule(
  tx: Tx,
  change: { id: string; rule: AlertRuleFields; version: number | undefined },
  { clock, actor }: { clock: Clock; actor: AuditActor },
): Promise<AlertRuleRecord> {
  const { id, rule, version } = change;
  const before = await getRule(tx, id);
  if (version !== undefined && version !== before.version) {
    throw new AppError("version_conflict", "Someone changed the alert rule in the meantime; read it again", {
      details: { currentVersion: before.version },
    });
  }
  await checkChannels(tx, rule);
  const changes = changedFields(before.rule, rule);
  await writeAudit(tx, { actor, action: "alert-rule.replace", target: id, changes }, clock);
  const revision = before.revision + (isSameCondition(before.rule, rule) ? 0 : 1);
  return tx.put(alertRules, { ...before, rule, revision, updatedAt: clock.now() });
}

/** Makes the rules' logic on a store; `changed` is called after each change and awaited. */
export function createAlertRules(deps: { store: Store; clock: Clock; changed: () => Promise<void> }) {
  const { store, clock, changed } = deps;
  async function change<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    const result = await store.transact(work);
    await changed();
    return result;
  }
  return {
    /** Every rule, the oldest first. */
    list: (): Promise<readonly AlertRuleRecord[]> => store.read(readRules),
    find: (id: string): Promise<AlertRuleRecord | undefined> => store.read((tx) => tx.get(alertRules, id)),
    /** Throws `conflict` when there are {@link MAX_RULES}, and `invalid` when it names a channel that does not exist. */
    create: (rule: AlertRuleFields, actor: AuditActor): Promise<AlertRuleRecord> => {
      const id = newId("alr", clock.now());
      return change(async (tx) => {
        if ((await tx.count(alertRules)) >= MAX_RULES) {
          throw new AppError("conflict", `There are ${MAX_RULES} alert rules at most; delete one first`);
        }
        await checkChannels(tx, rule);
        await writeAudit(tx, { actor, action: "alert-rule.create", target: id }, clock);
        const now = clock.now();
        return tx.insert(alertRules, { id, rule, revision: 1, createdAt: now, updatedAt: now });
      });
    },
    /** Throws what `create` throws, `not_found`, and `version_conflict` when `version` is given and is not the present one. */
    replace: (
      id: string,
      { rule, version, actor }: { rule: AlertRuleFields; version?: number | undefined; actor: AuditActor },
    ): Promise<AlertRuleRecord> => change((tx) => replaceRule(tx, { id, rule, version }, { clock, actor })),
    /** Throws `not_found`. */
    remove: (id: string, actor: AuditActor): Promise<void> =>
      change(async (tx) => {
        await getRule(tx, id);
        await tx.remove(alertRules, id);
        await writeAudit(tx, { actor, action: "alert-rule.delete", target: id }, clock);
      }),
  };
}
