/** Whether an HTTP answer is as it was expected. */
import type { Answer } from "../outbound/outbound-exchange.ts";
import { judgeConditions, type JudgedConditions, needsBody, type Seen } from "./conditions.ts";
import { findDoubt, isExpectedStatus, showStatus } from "./http-status.ts";
import { type JsonDocument, judgeJson, parseJson, showValue } from "./json-rules.ts";
import type { HttpTarget } from "./kinds/http-settings.ts";
import type { ConditionResult, ProbeFault, SeenCertificate } from "./probe.ts";

export interface AnswerFault {
  readonly fault: ProbeFault;
  readonly detail: string;
}

type Document = () => JsonDocument | undefined;

/** The body as JSON, parsed once. */
function toDocument({ text }: Answer): Document {
  let parsed: { readonly document: JsonDocument | undefined } | undefined;
  return () => (parsed ??= { document: parseJson(text) }).document;
}

function findJsonFault(
  document: JsonDocument | undefined,
  rule: HttpTarget["json"],
): AnswerFault | undefined {
  const { path, operator, value } = rule;
  const { isMet, seen } = judgeJson(document, rule);
  if (isMet === true) return undefined;
  if (isMet === undefined) return notJudged(seen, "its JSON was not judged");
  const fault = "content";
  if (document === undefined) return { fault, detail: "The response is not JSON" };
  if (seen === "the path is not valid") return { fault, detail: `"${path}" is not a valid path` };
  if (seen === "not in the response") return { fault, detail: `"${path}" is not in the response` };
  if (operator === "absent") return { fault, detail: `"${path}" is in the response: ${seen}` };
  return { fault, detail: `"${path}" is ${seen}, expected ${operator} ${showValue(value)}` };
}

const notJudged = (doubt: string, rule: string): AnswerFault => ({
  fault: "not_judged",
  detail: `${doubt}: ${rule}`,
});

function findContentFault(
  answer: Answer,
  { contains, excludes, json }: HttpTarget,
  document: Document,
): AnswerFault | undefined {
  const { text, unread } = answer;
  const fault = "content";
  if (excludes !== "" && text.includes(excludes))
    return { fault, detail: "The response contains the forbidden text" };
  const missing = contains !== "" && !text.includes(contains);
  const doubt = missing ? findDoubt(answer, contains) : undefined;
  if (missing && doubt === undefined) return { fault, detail: "The expected text is not in the response" };
  const jsonFault = json.path === "" || unread !== undefined ? undefined : findJsonFault(document(), json);
  if (jsonFault?.fault === "content") return jsonFault;
  if (doubt !== undefined) return notJudged(doubt, "the expected text is not in the part that was read");
  const excludesDoubt = excludes === "" ? undefined : findDoubt(answer, excludes);
  if (excludesDoubt !== undefined)
    return notJudged(excludesDoubt, "whether it contains the forbidden text is unknown");
  return json.path !== "" && unread !== undefined ? notJudged(unread, "its JSON was not read") : jsonFault;
}

/** Whether the body says something of the target. */
export function judgesContent({ contains, excludes, json, conditions = [] }: HttpTarget): boolean {
  return contains !== "" || excludes !== "" || json.path !== "" || conditions.some(needsBody);
}

interface Asked extends Omit<Seen, "answer" | "json" | "certificate"> {
  readonly target: HttpTarget;
  readonly certificate: SeenCertificate | undefined;
}

export interface JudgedAnswer {
  /** Undefined: nothing is wrong. */
  readonly fault: AnswerFault | undefined;
  readonly conditions: readonly ConditionResult[];
}

/** Results of all rules by precedence: status, content, time, then conditions. */
function listFaults(
  answer: Answer,
  { target, latencyMs, judged, document }: Asked & { judged: JudgedConditions; document: Document },
): readonly (AnswerFault | undefined)[] {
  const { conditions = [], maxLatencyMs, statuses } = target;
  // Conditions on the status replace the accepted statuses.
  const isAsked = conditions.every(({ subject }) => subject !== "status");
  const isSlow = maxLatencyMs > 0 && latencyMs > maxLatencyMs;
  return [
    isAsked && !isExpectedStatus(answer.status, statuses)
      ? { fault: "status", detail: showStatus(answer) }
      : undefined,
    judged.fault?.fault === "status" ? judged.fault : undefined,
    answer.ending === "broken" ? { fault: "protocol", detail: "The response ended too early" } : undefined,
    findContentFault(answer, target, document),
    isSlow
      ? { fault: "slow", detail: `${Math.round(latencyMs)} ms, more than ${maxLatencyMs} ms` }
      : undefined,
    judged.fault,
  ];
}

/** Judges a response: definite failures precede rules that could not be evaluated. */
export function judgeAnswer(answer: Answer, asked: Asked): JudgedAnswer {
  const document = toDocument(answer);
  const { target, latencyMs, certificate, now } = asked;
  const seen: Seen = { answer, latencyMs, certificate, now, json: document };
  const judged = judgeConditions(target.conditions ?? [], seen);
  const found = listFaults(answer, { ...asked, judged, document }).filter((fault) => fault !== undefined);
  const fault = found.find((one) => one.fault !== "not_judged") ?? found[0];
  return { fault, conditions: judged.results };
}
