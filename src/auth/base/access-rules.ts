/** Keeps the copies of what settings and groups demand of sign-ins; see {@link AccessRules}. */
import { findOwn } from "../../kit/find-own.ts";
import type { Tx } from "../../store/store.ts";
import { state } from "./records.ts";
import { changeState } from "./state.ts";
import type { AccessRules, Assurance, SitePolicy } from "./policy-schema.ts";

async function readRules(tx: Tx): Promise<AccessRules> {
  return (await tx.get(state, "state"))?.accessRules ?? {};
}

/** Copies the site's policy. */
export async function keepSitePolicy(tx: Tx, policy: SitePolicy): Promise<void> {
  await changeState(tx, { accessRules: { ...(await readRules(tx)), policy } });
}

/** Copies what a group demands; "any" also for a group that is removed. */
export async function keepGroupAssurance(tx: Tx, id: string, assurance: Assurance): Promise<void> {
  const { groups = {}, ...rest } = await readRules(tx);
  if ((findOwn(groups, id) ?? "any") === assurance) return;
  const { [id]: _former, ...others } = groups;
  const kept = assurance === "any" ? others : { ...others, [id]: assurance };
  await changeState(tx, { accessRules: { ...rest, groups: kept } });
}

/** Notes whether a group gives its members claims. */
export async function keepClaimGroup(tx: Tx, id: string, hasClaims: boolean): Promise<void> {
  const { claimGroups = [], ...rest } = await readRules(tx);
  if (claimGroups.includes(id) === hasClaims) return;
  const kept = hasClaims ? [...claimGroups, id] : claimGroups.filter((each) => each !== id);
  await changeState(tx, { accessRules: { ...rest, claimGroups: kept } });
}
