/**
 * A report's results of checks: member `checks` of the payload. It is validated strictly, but never causes the report
 * to be rejected.
 */
import { z } from "zod";
import { allowances } from "../../kit/check-files/check-file.ts";
import { type ProbeFault, type ProbeResult, probeFaults } from "../../kit/probes/probe.ts";
import { timeMs } from "../../kit/text/schemas.ts";
import { isJsonObject } from "../fleet/opaque-sample.ts";
import { compileCheck } from "../ingest/report-check.ts";

/** Results of one report that are looked at: an agent sends 32 KiB of them. */
const MOST_RESULTS = 400;
const MAX_DETAIL = 200;
const MAX_PROBLEM = 300;

const name = z.string().max(253);
const chainEndSchema = z.object({ subject: z.string().max(500), validTo: timeMs });
const isFinding = compileCheck(
  z.looseObject({
    id: z.string().max(64),
    at: timeMs,
    hash: z.string().max(64),
    fault: z.string().max(32).optional(),
    detail: z.string().max(1_000),
    latencyMs: z.number().min(0).max(120_000).optional(),
    certificate: z
      .looseObject({
        subject: z.string().max(500),
        issuer: z.string().max(500),
        names: z.array(name).max(20),
        validFrom: timeMs,
        validTo: timeMs,
      })
      .optional(),
  }),
);

/** One try of one check, as a machine tells it. */
export interface Finding {
  readonly checkId: string;
  /** When, by the clock of the machine, epoch milliseconds. */
  readonly at: number;
  /** Of what was looked at. */
  readonly hash: string;
  readonly result: ProbeResult;
}

/** The state of a machine's file. */
export interface PlaceState {
  /** Of the file in use; undefined: there is none. */
  readonly hash: string | undefined;
  readonly allow: readonly (typeof allowances)[number][];
  /** The current problem with the file. */
  readonly problem: string | undefined;
}

function toLine(text: string, maxLength: number): string {
  return text.replace(/\p{C}/gu, "").slice(0, maxLength);
}

const isFault = (text: string): text is ProbeFault => probeFaults.some((fault) => fault === text);

function toCertificate(found: {
  subject: string;
  issuer: string;
  names: string[];
  validFrom: number;
  validTo: number;
  isTrusted?: unknown;
  chainEnd?: unknown;
}): ProbeResult["certificate"] {
  const { subject, issuer, names, validFrom, validTo, isTrusted } = found;
  const chainEnd = chainEndSchema.safeParse(found.chainEnd).data;
  return {
    subject: toLine(subject, 500),
    issuer: toLine(issuer, 500),
    names: names.map((each) => toLine(each, 253)),
    validFrom,
    validTo,
    isTrusted: isTrusted === true,
    ...(chainEnd && { chainEnd: { ...chainEnd, subject: toLine(chainEnd.subject, 253) } }),
  };
}

function toFinding(value: unknown): Finding | undefined {
  if (!isFinding(value)) return undefined;
  const { id: checkId, at, hash, fault, detail, latencyMs, certificate } = value;
  // A fault that this version does not know is a fault all the same.
  const known = fault === undefined || isFault(fault) ? fault : "protocol";
  const result: ProbeResult = {
    detail: toLine(detail, MAX_DETAIL),
    ...(known === undefined ? {} : { fault: known }),
    ...(latencyMs === undefined ? {} : { latencyMs }),
    ...(certificate === undefined ? {} : { certificate: toCertificate(certificate) }),
  };
  return { checkId, at, hash, result };
}

type Sample = Readonly<Record<string, unknown>>;

/** The results in a report, in their order; those that are no results are left out. */
export function readFindings(sample: Sample): readonly Finding[] {
  const { checks } = sample;
  if (!isJsonObject(checks) || !Array.isArray(checks["results"])) return [];
  return checks["results"].slice(0, MOST_RESULTS).flatMap((result: unknown) => toFinding(result) ?? []);
}

/** The state of a machine's file in a report; undefined without a file. */
export function readPlaceState(sample: Sample): PlaceState | undefined {
  const { checks } = sample;
  if (!isJsonObject(checks)) return undefined;
  const { hash, allow, problem } = checks;
  const allowed: readonly unknown[] = Array.isArray(allow) ? allow : [];
  const state: PlaceState = {
    hash: typeof hash === "string" && /^[0-9a-f]{16}$/u.test(hash) ? hash : undefined,
    allow: allowances.filter((each) => allowed.includes(each)),
    problem: typeof problem === "string" && problem !== "" ? toLine(problem, MAX_PROBLEM) : undefined,
  };
  return state.hash === undefined && state.problem === undefined ? undefined : state;
}
