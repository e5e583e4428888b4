/** Programs that are known to be broken: the store and its files. */
import type { Mutant } from "./mutant.ts";

const engine = "src/store/journal/engine.ts";
const journal = "src/store/journal/journal.ts";
const layer = "src/kit/files/file-layer.ts";

export const storeMutants: readonly Mutant[] = [
  {
    name: "appends are not synced",
    path: layer,
    from: "O_WRONLY | constants.O_APPEND | syncedWrites",
    to: "O_WRONLY | constants.O_APPEND",
  },
  {
    name: "files are not synced",
    path: layer,
    from: "datasync: (): Promise<void> => handle.datasync().catch(named)",
    to: "datasync: async (): Promise<void> => undefined",
  },
  {
    name: "folders are not synced",
    path: layer,
    from: "syncFolder: async (path) => {",
    to: "syncFolder: async (path) => {\n    if (path.length > 0) return;",
  },
  {
    name: "new folders are not synced into the folder above",
    path: layer,
    from: "    await syncParent(path);\n",
    to: "",
  },
  {
    name: "changes are acknowledged before they are written",
    path: engine,
    from: "if (counts) this.#settleWhenDurable(job);",
    to: "if (counts) settle(job);",
  },
  {
    name: "a change whose work has failed is kept",
    path: engine,
    from: "else this.#head.rollBack();",
    to: "else if (counts) this.#commit();",
  },
  {
    name: "after a failed write the same journal goes on",
    path: "src/store/journal/journal-store.ts",
    from: "engine.revive(await journal.restart(engine.durable));",
    to: "engine.revive();",
  },
  {
    name: "after a failed write, what was lost stays in memory",
    path: engine,
    from: "    this.#head.reset(this.#durable);\n    this.#commits = this.#commits.filter",
    to: "    this.#commits = this.#commits.filter",
  },
  {
    name: "a failed store is not tried again",
    path: "src/store/journal/healer.ts",
    from: "if (ill) cancel = schedule",
    to: "if (!ill) cancel = schedule",
  },
  {
    name: "old journals are removed before the snapshot is written",
    path: journal,
    from: "      await this.#writeSnapshot(version, this.#generation);\n      await this.#removeOld();\n      const moved",
    to: "      await this.#removeOld();\n      await this.#writeSnapshot(version, this.#generation);\n      const moved",
  },
  {
    name: "a compaction forgets changes that came meanwhile",
    path: engine,
    from: "this.#durable = replay(newer, { lsn, commits: this.#commits });",
    to: "this.#durable = replay(newer, { lsn: newer.lsn, commits: [] });",
  },
  {
    name: "a journal is opened without cutting its torn end",
    // So few changes that no compaction takes the journal away before the next end.
    run: { buyers: 2, pauseMs: 90_000, hours: 0.4 },
    path: journal,
    from: "if ((await this.#file.sizeBytes()) !== this.#journalBytes) await this.#file.truncate(this.#journalBytes);",
    to: "",
  },
];
