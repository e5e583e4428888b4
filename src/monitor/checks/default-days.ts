/**
 * Once, after the upgrade that ended it: the console's form began with 14 days before a certificate's end at which a
 * working site was down. Checks with just that lose it; the alert rule about certificates warns at that time.
 */
import type { Clock } from "../../kit/time/clock.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Store } from "../../store/store.ts";
import { listChecks } from "./checks.ts";
import { checkUpgrades, checks } from "./records.ts";
import type { CheckRecord } from "./schema.ts";

const ID = "default-days";
const DEFAULT_DAYS = 14;

/** Agents keep to files that only their machine's owner changes: what is set for them stays until somebody saves it. */
function hasDefaultDays({ target, places }: CheckRecord): boolean {
  if (target.kind !== "http" && target.kind !== "tls") return false;
  return target.certificateDays === DEFAULT_DAYS && places.serverIds.length === 0;
}

function withoutDays(record: CheckRecord): CheckRecord {
  const { target } = record;
  if (target.kind === "http") return { ...record, target: { ...target, certificateDays: 0 } };
  return target.kind === "tls" ? { ...record, target: { ...target, certificateDays: 0 } } : record;
}

/** Does it, unless it was done; call it before checks are read at a start. */
export async function clearDefaultDays({ store, clock }: { store: Store; clock: Clock }): Promise<void> {
  if ((await store.read((tx) => tx.get(checkUpgrades, ID))) !== undefined) return;
  await store.transact(async (tx) => {
    if ((await tx.get(checkUpgrades, ID)) !== undefined) return;
    for (const record of (await listChecks(tx)).filter(hasDefaultDays)) {
      await tx.put(checks, { ...withoutDays(record), updatedAt: clock.now() });
      const actor = { name: "monitor", requestId: "" };
      const changes = [`certificateDays: ${DEFAULT_DAYS} → 0`];
      await writeAudit(tx, { actor, action: "check.replace", target: record.id, changes }, clock);
    }
    await tx.insert(checkUpgrades, { id: ID, at: clock.now() });
  });
}
