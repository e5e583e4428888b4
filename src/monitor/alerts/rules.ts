/** The alert rules: list, create, replace, delete. */
import { describeChanges, describeName } from "../../kit/text/changes.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { type FieldError, AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { ReadTx, Store, Tx } from "../../store/store.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import type { SettingsPatch } from "../../records/settings-patch.ts";
import { type ChangedBy, assertVersion } from "../../records/versions.ts";
import { MAX_CHANNELS, channels } from "../channels/records.ts";
import {
  type AlertRuleFields,
  type AlertRuleRecord,
  MAX_RULES,
  alertRuleFieldsSchema,
  toChangedRule,
  toCondition,
} from "./schema.ts";
import { listChecks } from "../checks/checks.ts";
import { checks } from "../checks/records.ts";
import type { CheckTarget } from "../checks/schema.ts";
import { settings } from "../site/records.ts";
import { type RuleKindName, kindOf } from "./kinds/kinds.ts";
import { listSuggested } from "./kinds/suggested.ts";
import { alertRules } from "./records.ts";

/** A rule as it was stored, with what it lacks because it is older than that. */
function withDefaults(record: AlertRuleRecord): AlertRuleRecord {
  return { ...record, rule: alertRuleFieldsSchema.parse(record.rule) };
}

/** Every rule, inside the caller's view. */
export async function readRules(tx: ReadTx): Promise<readonly AlertRuleRecord[]> {
  return (await tx.list(alertRules, "id", { limit: MAX_RULES })).items.map(withDefaults);
}

/** Every rule with the channels that it notifies now, where it names all. */
export async function readPresentRules(tx: ReadTx): Promise<readonly AlertRuleRecord[]> {
  const rules = await readRules(tx);
  const { items } = await tx.list(channels, "id", { limit: MAX_CHANNELS });
  // A table passes notifications on to channels that are in the list already.
  const channelIds = items.filter(({ settings }) => settings.type !== "oncall").map(({ id }) => id);
  return rules.map((record) =>
    record.rule.allChannels ? { ...record, rule: { ...record.rule, channelIds } } : record,
  );
}

/** The rules that notify a channel; a channel in use is not deleted. */
export async function findRulesOfChannel(
  tx: ReadTx,
  channelId: string,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const naming = (await readRules(tx)).filter(
    ({ rule }) =>
      (!rule.allChannels && rule.channelIds.includes(channelId)) ||
      rule.escalation.some(({ channelIds }) => channelIds.includes(channelId)),
  );
  return naming.map(({ id, rule }) => ({ id, name: rule.name }));
}

/** Throws `invalid` when a channel of the rule does not exist: its notifications would be lost. */
async function checkChannels(
  tx: Pick<Tx, "get">,
  { allChannels, channelIds, escalation }: AlertRuleFields,
): Promise<void> {
  const errors: FieldError[] = [];
  const named = [
    ...(allChannels ? [] : channelIds.map((id, index) => ({ id, pointer: `/channelIds/${index}` }))),
    ...escalation.flatMap((step, at) =>
      step.channelIds.map((id, index) => ({ id, pointer: `/escalation/${at}/channelIds/${index}` })),
    ),
  ];
  for (const { id, pointer } of named) {
    if ((await tx.get(channels, id)) !== undefined) continue;
    const message = `The channel "${id}" does not exist. Create it first, or omit it`;
    errors.push({ pointer, code: "not_found", message });
  }
  if (errors.length > 0)
    throw new AppError("invalid", "The rule names a channel that does not exist", { errors });
}

/** Whether only a rule can warn before the domain of a check expires. */
function needsDomainRule(target: CheckTarget): boolean {
  return target.kind === "domain" && target.days === 0;
}

/** The kinds of rules that new checks come with, in the view of a transaction that has not stored them yet. */
async function findWantedKinds(
  tx: ReadTx,
  targets: readonly CheckTarget[],
): Promise<ReadonlySet<RuleKindName>> {
  const known = await listChecks(tx);
  const rules = (await readRules(tx)).map(({ rule }) => rule);
  const wanted = new Set<RuleKindName>();
  if (known.length === 0 && !rules.some((rule) => kindOf(rule).watches === "check"))
    wanted.add("check").add("certificate");
  const isFirstDomain = targets.some(needsDomainRule) && !known.some(({ target }) => needsDomainRule(target));
  if (isFirstDomain && !rules.some(({ kind }) => kind === "domain")) wanted.add("domain");
  return wanted;
}

/**
 * Adds the suggested rules to the first check, and to the first check of a domain, unless rules of their kinds exist:
 * so their owner gets notifications. Runs inside the transaction that creates them, before it stores them.
 */
export async function addCheckRules(
  tx: Tx,
  { clock, actor, targets }: { clock: Clock; actor: AuditActor; targets: readonly CheckTarget[] },
): Promise<void> {
  const isFirst = (await tx.count(checks)) === 0;
  if (!isFirst && !targets.some(needsDomainRule)) return;
  const wanted = await findWantedKinds(tx, targets);
  const rules = listSuggested("check", (await tx.get(settings, "settings"))?.language ?? "en")
    .map((suggested) => alertRuleFieldsSchema.parse(suggested))
    .filter(({ kind }) => wanted.has(kind));
  if ((await tx.count(alertRules)) + rules.length > MAX_RULES) return;
  for (const rule of rules) await insertRule(tx, rule, { clock, actor });
}

/** Adds a rule, inside the transaction of the caller, who reloads the rules afterward. */
export async function insertRule(
  tx: Tx,
  rule: AlertRuleFields,
  { clock, actor }: { clock: Clock; actor: AuditActor },
): Promise<AlertRuleRecord> {
  const now = clock.now();
  const id = newId("alr", now);
  const changes = describeName(rule.name);
  await writeAudit(tx, { actor, action: "alert-rule.create", target: id, changes }, clock);
  return tx.insert(alertRules, { id, rule, revision: 1, createdAt: now, updatedAt: now });
}

async function getRule(tx: Pick<ReadTx, "get">, id: string): Promise<AlertRuleRecord> {
  const record = await tx.get(alertRules, id);
  if (record === undefined) throw new AppError("not_found", `There is no alert rule "${id}"`);
  return withDefaults(record);
}

function isSameCondition(a: AlertRuleFields, b: AlertRuleFields): boolean {
  // Both went through the schema, which puts the members in one order.
  return JSON.stringify(toCondition(a)) === JSON.stringify(toCondition(b));
}

async function replaceRule(
  tx: Tx,
  { id, toRule, by }: { id: string; toRule: (before: AlertRuleFields) => AlertRuleFields; by: ChangedBy },
  clock: Clock,
): Promise<AlertRuleRecord> {
  const before = await getRule(tx, id);
  assertVersion(before.version, by, "alert rule");
  const rule = toRule(before.rule);
  await checkChannels(tx, rule);
  const changes = describeChanges(before.rule, rule);
  await writeAudit(tx, { actor: by.actor, action: "alert-rule.replace", target: id, changes }, clock);
  const revision = before.revision + (isSameCondition(before.rule, rule) ? 0 : 1);
  return tx.put(alertRules, { ...before, rule, revision, updatedAt: clock.now() });
}

/** Creates the rules' logic on a store; `changed` is called after each change and awaited. */
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
    /** Throws `not_found`. */
    get: (id: string): Promise<AlertRuleRecord> => store.read((tx) => getRule(tx, id)),
    /** Throws `conflict` when there are {@link MAX_RULES}, and `invalid` when it names a channel that does not exist. */
    create: (rule: AlertRuleFields, actor: AuditActor): Promise<AlertRuleRecord> =>
      change(async (tx) => {
        if ((await tx.count(alertRules)) >= MAX_RULES) {
          throw new AppError("conflict", `You can have up to ${MAX_RULES} alert rules. Delete one first`);
        }
        await checkChannels(tx, rule);
        return insertRule(tx, rule, { clock, actor });
      }),
    /**
     * Throws what `create` throws, `not_found`, and `version_conflict` when `version` is given and is not the current
     * one.
     */
    replace: (id: string, { rule, ...by }: ChangedBy & { rule: AlertRuleFields }): Promise<AlertRuleRecord> =>
      change((tx) => replaceRule(tx, { id, toRule: () => rule, by }, clock)),
    /** Changes some fields. Throws what `replace` throws, and `invalid`. */
    change: (id: string, { patch, ...by }: ChangedBy & { patch: SettingsPatch }): Promise<AlertRuleRecord> =>
      change((tx) => {
        const toRule = (before: AlertRuleFields): AlertRuleFields => toChangedRule(before, patch);
        return replaceRule(tx, { id, toRule, by }, clock);
      }),
    /** Throws `not_found`. */
    remove: (id: string, actor: AuditActor): Promise<void> =>
      change(async (tx) => {
        const changes = describeName((await getRule(tx, id)).rule.name);
        await tx.remove(alertRules, id);
        await writeAudit(tx, { actor, action: "alert-rule.delete", target: id, changes }, clock);
      }),
  };
}
