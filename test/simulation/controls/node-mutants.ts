/** Programs that are known to be broken: several nodes over one database. */
import type { Mutant } from "./mutant.ts";

const attempt = "src/store/postgres/attempt.ts";
const scene = "nodes" as const;

export const nodeMutants: readonly Mutant[] = [
  {
    scene,
    name: "a commit without an answer is made again",
    path: attempt,
    from: '      if (kind === "retry" || kind === "duplicate") this.#failure',
    to: '      if (kind === "retry" || kind === "duplicate" || kind === "lost") this.#failure',
  },
  {
    scene,
    name: "transactions see snapshots that are not serializable",
    path: attempt,
    from: 'transaction: "BEGIN ISOLATION LEVEL SERIALIZABLE",',
    to: 'transaction: "BEGIN ISOLATION LEVEL REPEATABLE READ",',
  },
  {
    scene,
    name: "a lost race is an internal error",
    path: "src/store/postgres/failures.ts",
    from: '"40001": "retry",',
    to: '"40001": "other",',
  },
  {
    scene,
    name: "a commit that the server took back counts as done",
    path: attempt,
    from: '      if (kind === "retry" || kind === "duplicate") this.#failure = { kind, error };\n',
    to: '      if (kind === "retry" || kind === "duplicate") return;\n',
  },
  {
    scene,
    name: "a connection of unknown state is used again",
    run: { level: "storm" },
    path: "src/store/postgres/database.ts",
    from: "    this.#client.release(this.#broken);\n",
    to: "    this.#client.release();\n",
    // The driver, too, ends a connection whose statement takes too long, when others may have followed it there.
    more: [["    pipeline: true,\n", ""]],
  },
  {
    scene,
    name: "the version that an editor has read is not compared",
    path: "src/records/versions.ts",
    from: 'throw new AppError("version_conflict", message, { details });',
    to: "return;",
  },
  {
    scene,
    name: "a node does not read what others have changed",
    path: "src/shop/catalogue/catalogue.ts",
    from: "    await changed(ids.filter((id) => id !== SHOWN));\n",
    to: "",
  },
  {
    scene,
    name: "a spent refresh token gives new tokens once more",
    path: "src/auth/sessions/sessions.ts",
    from: "  if (hash === session.refreshHash) {\n    const { accessMs",
    to: "  if (hash === session.refreshHash || hash === session.previousRefreshHash) {\n    const { accessMs",
  },
];
