/** Creates the servers and alert rules of another monitor in one transaction, or lists them in a dry run. */
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import type { AuditActor } from "../../records/audit.ts";
import type { Store, Tx } from "../../store/store.ts";
import { type Alerts } from "../alerts/alerts.ts";
import { MAX_RULES } from "../alerts/schema.ts";
import { insertRule, readRules } from "../alerts/rules.ts";
import { readInOrder } from "../fleet/display-order.ts";
import { addServer, newAgentKey } from "../fleet/servers.ts";
import type { Enrolments } from "../ingest/enrolments.ts";
import { type PlannedRule, type PlannedServer, planRules, planServers, toRule } from "./beszel.ts";
import type { MovingNote, ServerImport, ServerImportResult } from "./schema.ts";

/** How long an install command of an import is valid: there can be many machines to go to. */
const LIFE_SECONDS = 7 * 86_400;

export interface MovingDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly enrolments: Pick<Enrolments, "create">;
  readonly alerts: Pick<Alerts, "reload">;
}

export interface MovingBy {
  readonly actor: AuditActor;
  /** The command that a machine runs to become a server, from its code. */
  readonly toCommand: (code: string) => string;
}

type SystemView = ServerImportResult["systems"][number];
type AlertView = ServerImportResult["alerts"][number];

interface Plan {
  readonly systems: SystemView[];
  readonly alerts: AlertView[];
}

/** Servers of the plan; IDs of systems whose name is taken are those of the present servers. */
async function addServers(
  tx: Tx,
  planned: readonly PlannedServer[],
  { clock, actor, trial }: { clock: Clock; actor: AuditActor; trial: boolean },
): Promise<{ views: SystemView[]; ids: Map<string, string> }> {
  const present = new Map((await readInOrder(tx)).map(({ name, id }) => [name, id]));
  const ids = new Map<string, string>();
  const views: SystemView[] = [];
  for (const { systemId, name, address, fields, notes } of planned) {
    const shown = { name: name.slice(0, 200), address: address.slice(0, 300) };
    const taken = fields && present.get(fields.name);
    if (fields === undefined || taken !== undefined) {
      if (taken !== undefined) ids.set(systemId, taken);
      views.push({ ...shown, outcome: "left_out", notes: taken === undefined ? notes : ["same_name"] });
      continue;
    }
    const id = trial
      ? systemId
      : (await addServer(tx, { id: undefined, fields, key: newAgentKey().kept }, { clock, actor })).id;
    present.set(fields.name, id);
    ids.set(systemId, id);
    views.push({ ...shown, outcome: "server", ...(trial ? {} : { id }), notes });
  }
  return { views, ids };
}

/** Rules of the plan; a rule whose name exists is not created again. */
async function addRules(
  tx: Tx,
  planned: readonly PlannedRule[],
  at: { clock: Clock; actor: AuditActor; trial: boolean; ids: ReadonlyMap<string, string> },
): Promise<AlertView[]> {
  const present = await readRules(tx);
  const names = new Set(present.map(({ rule }) => rule.name));
  let count = present.length;
  const views: AlertView[] = [];
  for (const rule of planned) {
    const servers = rule.systemIds.flatMap((id) => at.ids.get(id) ?? []);
    const fault = findFault(rule, { names, servers: servers.length, count });
    const shown = { name: rule.name, servers: servers.length };
    if (fault !== undefined || rule.fields === undefined) {
      views.push({ ...shown, outcome: "left_out", notes: fault === undefined ? [...rule.notes] : [fault] });
      continue;
    }
    if (!at.trial) await insertRule(tx, toRule(rule, servers), at);
    count += 1;
    views.push({ ...shown, outcome: "rule", notes: [...rule.notes] });
  }
  return views;
}

function findFault(
  { name, fields }: PlannedRule,
  at: { names: ReadonlySet<string>; servers: number; count: number },
): MovingNote | undefined {
  if (fields === undefined) return undefined;
  if (at.names.has(name)) return "same_name";
  if (at.servers === 0) return "no_server";
  return at.count >= MAX_RULES ? "full" : undefined;
}

/** The command of each new server, as long as there is room for more enrollment keys. */
async function addCommands(deps: MovingDeps, plan: Plan, { actor, toCommand }: MovingBy): Promise<void> {
  for (const system of plan.systems) {
    const { id: serverId } = system;
    if (serverId === undefined) continue;
    try {
      const { code } = await deps.enrolments.create({ serverId, lifeSeconds: LIFE_SECONDS, actor });
      system.command = toCommand(code);
    } catch (error) {
      if (error instanceof AppError && error.code === "conflict") return;
      throw error;
    }
  }
}

/** Imports, or only says what it would do. @throws AppError `conflict` when there are too many servers */
export async function importServers(
  deps: MovingDeps,
  { systems, alerts, trial }: ServerImport,
  by: MovingBy,
): Promise<ServerImportResult> {
  const { store, clock } = deps;
  const [servers, rules] = [planServers(systems), planRules(alerts)];
  const work = async (tx: Tx): Promise<Plan> => {
    const at = { clock, actor: by.actor, trial };
    const { views, ids } = await addServers(tx, servers, at);
    return { systems: views, alerts: await addRules(tx, rules, { ...at, ids }) };
  };
  const plan = await store.transact(work);
  if (!trial) {
    await deps.alerts.reload();
    await addCommands(deps, plan, by);
  }
  return {
    trial,
    servers: plan.systems.filter(({ outcome }) => outcome === "server").length,
    rules: plan.alerts.filter(({ outcome }) => outcome === "rule").length,
    ...plan,
  };
}
