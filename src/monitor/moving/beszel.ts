/**
 * Systems and alerts of Beszel as servers and alert rules. The tables are those of its migrations; a value is
 * a percentage, degrees Celsius, a load, or MiB per second, and `min` a number of minutes.
 */
import { type AlertRuleFields, alertRuleFieldsSchema } from "../alerts/schema.ts";
import { type ServerFields, serverFieldsSchema } from "../base/schema.ts";
import type { MetricName } from "../base/metrics.ts";
import type { MovingNote, ServerImport } from "./schema.ts";

const MAX_NAME = 100;
const MAX_SPAN_SECONDS = 86_400;
const MEBIBYTE = 1_048_576;

/** A system, and the server that it becomes; none without a name. */
export interface PlannedServer {
  readonly systemId: string;
  readonly name: string;
  readonly address: string;
  readonly fields: ServerFields | undefined;
  readonly notes: MovingNote[];
}

/** Alerts that say the same of several systems, and the rule that they become. */
export interface PlannedRule {
  readonly name: string;
  readonly systemIds: readonly string[];
  /** Without its scope; undefined if there is no such rule here. */
  readonly fields: object | undefined;
  readonly notes: readonly MovingNote[];
}

type Cell = ServerImport["systems"][number][string];

const toText = (cell: Cell | undefined): string =>
  cell === undefined || cell === null
    ? ""
    : String(cell)
        .replace(/[\p{C}\s]+/gu, " ")
        .trim();

function toNumber(cell: Cell | undefined): number {
  return toText(cell) === "" ? Number.NaN : Number(cell);
}

/** A socket of the agent has a path in the place of a host, and no port. */
function toAddress(host: string, port: string): string {
  if (host.startsWith("/") || port === "") return host;
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Servers of the rows, in their order. */
export function planServers(systems: ServerImport["systems"]): readonly PlannedServer[] {
  return systems.map((row) => {
    const address = toAddress(toText(row["host"]), toText(row["port"]));
    const name = toText(row["name"]) || toText(row["host"]);
    const cut = name.slice(0, MAX_NAME).trim();
    const fields = serverFieldsSchema.safeParse({
      name: cut,
      disabled: toText(row["status"]) === "paused",
      note: address === "" ? "" : `Beszel: ${address}`,
    });
    const notes: MovingNote[] = cut === name ? [] : ["other_name"];
    return {
      systemId: toText(row["id"]),
      name,
      address,
      fields: fields.data,
      notes: fields.success ? notes : ["no_name"],
    };
  });
}

interface Known {
  readonly metrics: readonly MetricName[];
  readonly op: ">" | "<";
  readonly unit: string;
  /** From Beszel's unit to that of the metric. */
  readonly factor?: number;
}

/** Beszel's alerts but for "Status", by their names. */
const known: Readonly<Record<string, Known>> = {
  CPU: { metrics: ["cpu.usagePercent"], op: ">", unit: " %" },
  Memory: { metrics: ["memory.usedPercent"], op: ">", unit: " %" },
  Disk: { metrics: ["disk.fullestPercent"], op: ">", unit: " %" },
  Temperature: { metrics: ["temperatures.maxCelsius"], op: ">", unit: " °C" },
  Bandwidth: {
    metrics: ["network.rxBytesPerSecond", "network.txBytesPerSecond"],
    op: ">",
    unit: " MiB/s",
    factor: MEBIBYTE,
  },
  GPU: { metrics: ["gpus.maxUsagePercent"], op: ">", unit: " %" },
  LoadAvg1: { metrics: ["load.one"], op: ">", unit: "" },
  LoadAvg5: { metrics: ["load.five"], op: ">", unit: "" },
  LoadAvg15: { metrics: ["load.fifteen"], op: ">", unit: "" },
  Battery: { metrics: ["battery.percent"], op: "<", unit: " %" },
};

const shared = { allChannels: true } as const;

function toRules(
  alert: string,
  { value, min }: { value: number; min: number },
): Omit<PlannedRule, "systemIds">[] {
  // Beszel takes 0 for 1: one report a minute is enough.
  const minutes = Number.isFinite(min) ? Math.max(1, min) : 1;
  const seconds = Math.min(MAX_SPAN_SECONDS, Math.round(60 * minutes));
  const cut: MovingNote[] = seconds < 60 * minutes ? ["other_span"] : [];
  if (alert === "Status") {
    const fields = { ...shared, kind: "offline", severity: "critical", graceSeconds: seconds };
    return [{ name: `Beszel: offline for ${seconds / 60} min`, fields, notes: cut }];
  }
  const found = Object.hasOwn(known, alert) ? known[alert] : undefined;
  const name = `Beszel: ${alert.slice(0, 40)}`;
  if (found === undefined) return [{ name, fields: undefined, notes: ["no_such_alert"] }];
  if (!Number.isFinite(value)) return [{ name, fields: undefined, notes: ["bad_value"] }];
  const { metrics, op, unit, factor = 1 } = found;
  return metrics.map((metric) => {
    const way = metrics.length === 1 ? "" : metric.includes(".rx") ? " in" : " out";
    const forSeconds = minutes === 1 ? 0 : seconds;
    const span = forSeconds === 0 ? "" : ` for ${seconds / 60} min`;
    return {
      name: `${name}${way} ${op} ${value}${unit}${span}`,
      fields: { ...shared, kind: "metric", metric, op, threshold: value * factor, forSeconds },
      notes: [
        ...(metrics.length === 1 ? [] : (["two_directions"] as const)),
        // There, the average of these minutes counts.
        ...(forSeconds === 0 ? [] : (["each_value"] as const)),
        ...cut,
      ],
    };
  });
}

/** Rules of the rows: alerts of several systems or users that say the same are one rule. */
export function planRules(alerts: ServerImport["alerts"]): readonly PlannedRule[] {
  const rules = new Map<string, PlannedRule>();
  for (const row of alerts) {
    const systemId = toText(row["system"]);
    const given = { value: toNumber(row["value"]), min: toNumber(row["min"]) };
    for (const rule of toRules(toText(row["name"]), given)) {
      const before = rules.get(rule.name)?.systemIds ?? [];
      rules.set(rule.name, { ...rule, systemIds: [...new Set([...before, systemId])] });
    }
  }
  return [...rules.values()];
}

/** The rule for these servers. */
export function toRule({ name, fields }: PlannedRule, ids: readonly string[]): AlertRuleFields {
  return alertRuleFieldsSchema.parse({
    ...fields,
    name: name.slice(0, MAX_NAME),
    scope: { type: "ids", ids },
  });
}
