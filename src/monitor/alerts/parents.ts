/** What keeps dependencies sound in the store: parents exist, there is no circle, and deleted parents drop out. */
import { type FieldError, AppError } from "../../kit/errors.ts";
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { Dependent, Parents } from "../base/parents.ts";
import { checks } from "../checks/records.ts";
import { servers } from "../fleet/records.ts";

const PAGE = 1_000;

/** A check or server; IDs of checks always start with "chk_". */
async function find(tx: ReadTx, id: string): Promise<Dependent | undefined> {
  return (await tx.get(checks, id)) ?? (await tx.get(servers, id));
}

/** The names from the child up to itself; undefined without a circle. */
async function findCircle(tx: ReadTx, child: Dependent): Promise<readonly string[] | undefined> {
  const seen = new Set<string>();
  const open: { readonly id: string; readonly path: readonly string[] }[] = (child.dependsOn ?? []).map(
    (id) => ({ id, path: [child.name] }),
  );
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { id, path } = next;
    if (id === child.id) return [...path, child.name];
    if (seen.has(id)) continue;
    seen.add(id);
    const parent = await find(tx, id);
    if (parent === undefined) continue;
    open.push(...(parent.dependsOn ?? []).map((above) => ({ id: above, path: [...path, parent.name] })));
  }
  return undefined;
}

async function assertParents(tx: Tx, child: Dependent): Promise<void> {
  const errors: FieldError[] = [];
  for (const [index, id] of (child.dependsOn ?? []).entries()) {
    if (id === child.id || (await find(tx, id)) !== undefined) continue;
    const message = `There is no check or server "${id}". Remove it from the list`;
    errors.push({ pointer: `/dependsOn/${index}`, code: "not_found", message });
  }
  if (errors.length > 0) throw new AppError("invalid", "A dependency does not exist", { errors });
  const circle = await findCircle(tx, child);
  if (circle === undefined) return;
  const message = `Dependencies must not form a circle: ${circle.join(" → ")}. Remove one of them`;
  throw new AppError("invalid", message, {
    errors: [{ pointer: "/dependsOn", code: "circle", message }],
  });
}

/** Without the IDs that are gone; undefined when nothing is left. */
function toKept(
  dependsOn: readonly string[] | undefined,
  gone: ReadonlySet<string>,
): { readonly dependsOn?: string[] } {
  const kept = (dependsOn ?? []).filter((id) => !gone.has(id));
  return kept.length === 0 ? {} : { dependsOn: kept };
}

function isAffected({ dependsOn = [] }: Dependent, gone: ReadonlySet<string>): boolean {
  return dependsOn.some((id) => gone.has(id));
}

async function dropParents(tx: Tx, gone: ReadonlySet<string>): Promise<void> {
  if (gone.size === 0) return;
  for (const { dependsOn, ...record } of await listEvery(tx, checks, { index: "id", pageSize: PAGE }))
    if (isAffected({ ...record, dependsOn }, gone))
      await tx.put(checks, { ...record, ...toKept(dependsOn, gone) });
  for (const { dependsOn, ...record } of await listEvery(tx, servers, { index: "id", pageSize: PAGE }))
    if (isAffected({ ...record, dependsOn }, gone))
      await tx.put(servers, { ...record, ...toKept(dependsOn, gone) });
}

export const parents: Parents = { assert: assertParents, drop: dropParents };
