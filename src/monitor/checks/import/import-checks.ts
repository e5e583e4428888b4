/** Creates checks from another program's file, or lists them in a dry run. */
import { AppError } from "../../../kit/errors.ts";
import { classifyAddress } from "../../../kit/outbound/allowed-networks.ts";
import { describeTarget } from "../../../kit/probes/probes.ts";
import { parseStrictJson } from "../../../kit/text/strict-json.ts";
import type { AuditActor } from "../../../records/audit.ts";
import type { Checks } from "../checks.ts";
import type { CheckRecord, CheckTarget } from "../schema.ts";
import type { CheckDirectory } from "../standings.ts";
import type { CheckInput } from "../view-schema.ts";
import type { ImportEntry, ImportPlan } from "./entry.ts";
import { planGatus } from "./gatus.ts";
import { parseYaml } from "./gatus-values.ts";
import { planHealthchecks } from "./healthchecks.ts";
import { planKuma } from "./kuma.ts";
import { toNote } from "./notes.ts";
import { type ImportEntryView, type ImportInput, type ImportResult, MAX_ENTRIES } from "./view-schema.ts";

export interface ImportDeps {
  readonly checks: Checks;
  readonly directory: CheckDirectory;
  /** Whether checks may reach private networks. */
  readonly allowsPrivate: () => Promise<boolean>;
}

/** Names that only networks of one's own resolve: of mDNS, of routers, and single labels (RFC 6762, RFC 8375). */
const OWN_NAME = /^[^.:]+$|\.(?:local|lan|home|internal|home\.arpa|localdomain)\.?$/iu;

/** Members of targets with the URL or the name of something that is connected to. */
const PLACES = ["url", "host", "proxy", "tokenUrl", "server"];

/** Whether something of a target is in a private network, as far as its address says so. */
function isPrivateTarget(target: CheckInput["target"]): boolean {
  return Object.entries(target).some(([member, place]) => {
    if (!PLACES.includes(member) || typeof place !== "string") return false;
    const name = (URL.canParse(place) ? new URL(place).hostname : place).replace(/^\[|\]$/gu, "");
    return name !== "" && (classifyAddress(name) === "private" || OWN_NAME.test(name));
  });
}

const parseJson = (text: string): unknown =>
  parseStrictJson(new TextEncoder().encode(text), { maxDepth: 32 });

interface Format {
  plan(text: string): ImportPlan | undefined;
  readonly entries: string;
}

const formats: Readonly<Record<ImportInput["format"], Format>> = {
  kuma: {
    plan: (text) => planKuma(parseJson(text)),
    entries: 'monitors of Uptime Kuma ("monitorList")',
  },
  gatus: {
    plan: (text) => planGatus(parseYaml(text)),
    entries: 'endpoints of Gatus ("endpoints")',
  },
  healthchecks: {
    plan: (text) => planHealthchecks(parseJson(text)),
    entries: 'checks of healthchecks.io ("checks")',
  },
};

/** @throws AppError `invalid`, `bad_request`, `too_large` */
function readPlan({ format, text }: ImportInput): ImportPlan {
  const plan = formats[format].plan(text);
  if (plan === undefined) throw new AppError("invalid", `The file has no ${formats[format].entries}`);
  if (plan.entries.length > MAX_ENTRIES)
    throw new AppError("invalid", `The file has more than ${MAX_ENTRIES} entries. Split it`);
  return plan;
}

const placeOf = ({ group, name }: { group: string; name: string }): string => JSON.stringify([group, name]);

/** Leaves out what is here already, so that an import that is done again makes nothing twice. */
class Known {
  readonly #places: Set<string>;
  readonly #keys: Set<string>;

  constructor(records: readonly CheckRecord[]) {
    this.#places = new Set(records.map(placeOf));
    this.#keys = new Set(records.flatMap(({ pingKey }) => pingKey ?? []));
  }

  filter(entry: ImportEntry): ImportEntry {
    const { check, pingKey, ...rest } = entry;
    if (check === undefined) return entry;
    const place = placeOf(check);
    if (this.#places.has(place)) return { ...rest, notes: [toNote("same_name")] };
    if (pingKey !== undefined && this.#keys.has(pingKey)) return { ...rest, notes: [toNote("token_taken")] };
    this.#places.add(place);
    if (pingKey !== undefined) this.#keys.add(pingKey);
    return entry;
  }
}

function describeInput(target: CheckInput["target"]): string {
  if (target.kind === "heartbeat") {
    const { schedule } = target;
    if (schedule.type === "period") return `every ${schedule.seconds} s`;
    return schedule.type === "cron" ? schedule.expression : schedule.calendar;
  }
  if (target.kind === "group") return target.group;
  // `as`: secrets, which may be left out of an input, are in no description.
  return describeTarget(target as Exclude<CheckTarget, { kind: "heartbeat" | "group" }>);
}

function toView(entry: ImportEntry, id: string | undefined): ImportEntryView {
  const { check, pingKey, isGroup } = entry;
  const shared = {
    name: entry.name.slice(0, 200),
    type: entry.type.slice(0, 40),
    notes: entry.notes.map((note) => ({ ...note })),
  };
  if (check === undefined) return { ...shared, outcome: isGroup ? "group" : "left_out" };
  const { name, group, tags, target, paused } = check;
  const made = { name, group, tags, kind: target.kind, target: describeInput(target), paused };
  return {
    ...shared,
    outcome: "check",
    check: { ...(id === undefined ? {} : { id }), ...made, keepsToken: pingKey !== undefined },
  };
}

/**
 * Reads a file and makes its checks, all of them or none; on trial it makes none.
 * @throws AppError `invalid`, `bad_request`, `too_large`, and what `createAll` of the checks throws
 */
export async function importChecks(
  { checks, directory, allowsPrivate }: ImportDeps,
  { input, actor }: { readonly input: ImportInput; readonly actor: AuditActor },
): Promise<ImportResult> {
  const plan = readPlan(input);
  const known = new Known(directory.records());
  const entries = plan.entries.map((entry) => known.filter(entry));
  const wanted = entries.flatMap(({ check, pingKey }) =>
    check === undefined ? [] : [{ input: check, pingKey }],
  );
  const ids = new Map<CheckInput, string>();
  if (!input.trial && wanted.length > 0) {
    const made = await checks.createAll(wanted, actor);
    for (const [index, { id }] of made.entries()) {
      const check = wanted[index]?.input;
      if (check !== undefined) ids.set(check, id);
    }
  }
  const needsPrivate = wanted.some((one) => isPrivateTarget(one.input.target)) && !(await allowsPrivate());
  return {
    trial: input.trial,
    checks: wanted.length,
    setting: needsPrivate ? "privateTargets" : undefined,
    entries: entries.map((entry) =>
      toView(entry, entry.check === undefined ? undefined : ids.get(entry.check)),
    ),
    leftOut: [...plan.leftOut],
  };
}
