/** The file of checks of one machine, ready to paste there; the monitor itself puts it nowhere. */
import { isJudged } from "../checks/judged.ts";
import { z } from "zod";
import {
  type CheckFile,
  MAX_CHECK_FILE_BYTES,
  MAX_FILE_CHECKS,
  checkFileSchema,
} from "../../kit/check-files/check-file.ts";
import { hashChecks } from "../../kit/check-files/check-hash.ts";
import { CHECK_LEVEL, levelOf } from "../../kit/check-files/check-level.ts";
import { describeSchema } from "../../kit/fields/describe.ts";
import { kindOf } from "../../kit/probes/kinds/kinds.ts";
import { secretNames, targetKinds } from "../../kit/probes/targets.ts";
import type { CheckRecord } from "../checks/schema.ts";

export interface MadeCheckFile {
  /** JSON, with a line feed at its end. */
  readonly text: string;
  /** The hash that an agent with this file reports. */
  readonly hash: string;
  /** Checks in it. */
  readonly count: number;
  /** Checks that found no room: 200 of them, or 256 KiB. */
  readonly leftOut: number;
  /** Checks that the agent is too old for. */
  readonly tooNew: number;
  /** Environment variables that the agent needs for it. */
  readonly variables: readonly string[];
}

const FRAME_BYTES = 200;

/** Required members of each kind; the others have defaults. */
const needed: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  targetKinds.map((kind) => {
    const described = Object.entries(describeSchema(z.object(kindOf({ kind }).settings())));
    return [kind, described.filter(([, { required }]) => required === true).map(([name]) => name)];
  }),
);

/** Those that name the server, as far as an agent can run them, in the order in which they were made. */
export function listChecksOf(records: readonly CheckRecord[], serverId: string): readonly CheckRecord[] {
  const meant = records.filter(
    ({ places, target, paused }) => !paused && !isJudged(target) && places.serverIds.includes(serverId),
  );
  return meant.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Such as "TRIVET_CHECK_X9Y1Z5_AUTHORIZATION"; only a proposal, which no hash knows. */
function toVariable(id: string, header: string): string {
  const plain = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/gu, "_");
  return `TRIVET_CHECK_${plain(id.slice(-6))}_${plain(header).slice(0, 60)}`;
}

type Member = Readonly<Record<string, unknown>>;

/** The names of the secrets that a target may have. */
function secretsOf({ target, sealed }: CheckRecord): readonly string[] {
  if (isJudged(target) || sealed === undefined) return [];
  const kind = kindOf(target);
  return secretNames(target).filter((name) => kind.usesSecret?.(target, name) ?? true);
}

function toFileTarget(record: CheckRecord): Member {
  const { id, target } = record;
  const secrets = secretsOf(record).map((name) => [name, { env: toVariable(id, name) }] as const);
  if (!("headers" in target)) return { ...target, ...Object.fromEntries(secrets) };
  const headers = target.headers.map(({ name }) => ({ name, env: toVariable(id, name) }));
  return { ...target, ...Object.fromEntries(secrets), headers };
}

/** The members that differ from what is usual: the file is for people to read. */
function differing(given: Member, usual: Member, must: readonly string[]): Member {
  const isKept = (name: string): boolean =>
    must.includes(name) || JSON.stringify(given[name]) !== JSON.stringify(usual[name]);
  return Object.fromEntries(Object.entries(given).filter(([name]) => isKept(name)));
}

function toFileCheck(record: CheckRecord): Member {
  const { id, name, intervalSeconds, timeoutSeconds, failures, retrySeconds, inverted } = record;
  const given = { id, name, intervalSeconds, timeoutSeconds, failures, retrySeconds, inverted };
  const target = toFileTarget(record);
  const must = isJudged(record.target) ? [] : ["kind", ...(needed[record.target.kind] ?? [])];
  const least = Object.fromEntries(must.map((member) => [member, target[member]]));
  const [usual] = checkFileSchema.parse({ v: 1, checks: [{ id, target: least }] }).checks;
  const level = isJudged(record.target) ? 1 : levelOf(record.target);
  return {
    ...differing(given, { ...usual }, ["id", "name", "intervalSeconds"]),
    // Agents of level 1 know no such member.
    ...(level > 1 && { level }),
    target: differing(target, { ...usual?.target }, must),
  };
}

function variablesOf(record: CheckRecord): string[] {
  const { id, target } = record;
  const headers = "headers" in target ? target.headers.map(({ name }) => name) : [];
  return [...headers, ...secretsOf(record)].map((name) => toVariable(id, name));
}

const encoder = new TextEncoder();

/**
 * Creates the check file of a server. `allow` lists what checks may do on the machine; `level` is that of its agent,
 * undefined where that has not reported.
 */
export function makeCheckFile(
  records: readonly CheckRecord[],
  {
    serverId,
    allow,
    level = CHECK_LEVEL,
  }: { readonly serverId: string; readonly allow: CheckFile["allow"]; readonly level?: number | undefined },
): MadeCheckFile {
  const meant = listChecksOf(records, serverId);
  const all = meant.filter(({ target }) => levelOf(target) <= level);
  const included: CheckRecord[] = [];
  const checks: Member[] = [];
  let left = MAX_CHECK_FILE_BYTES - FRAME_BYTES;
  for (const record of all) {
    const check = toFileCheck(record);
    // Indented by two levels more in the file.
    left -= encoder.encode(JSON.stringify(check, undefined, 4)).byteLength * 1.5;
    if (left < 0 || included.length === MAX_FILE_CHECKS) break;
    included.push(record);
    checks.push(check);
  }
  const file = { v: 1, ...(allow.length === 0 ? {} : { allow }), checks };
  return {
    text: `${JSON.stringify(file, undefined, 2)}\n`,
    hash: hashChecks(included),
    count: included.length,
    leftOut: all.length - included.length,
    tooNew: meant.length - all.length,
    variables: [...new Set(included.flatMap(variablesOf))],
  };
}
