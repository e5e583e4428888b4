/** What must be true of the accounts after everything that happened. */
import { authCollections } from "../../../src/auth/app/records.ts";
import { Findings } from "../../../src/service/check/finding.ts";
import { checkStore } from "../../../src/service/check/store-check.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { Violation } from "../world/client.ts";

/** Reads the store of the stopped auth center, as a process of its own. @throws Violation */
export async function checkAccounts(secret: string): Promise<void> {
  const store = await openJournalStore({
    folder: "/simulated/data/auth",
    name: "auth",
    collections: authCollections,
    compactOnClose: false,
  });
  try {
    const findings = new Findings();
    const place = { secret, where: "AUTH_SECRET" };
    await checkStore({ service: "auth", collections: authCollections, store, secret: place, findings });
    const [finding] = findings.list;
    if (finding !== undefined) throw new Violation(`trivet check: ${finding.where}: ${finding.problem}`);
  } finally {
    await store.close();
  }
}
