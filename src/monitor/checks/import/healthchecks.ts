/** Checks of healthchecks.io and its own installs: what the API's `GET /api/v3/checks/` (1 to 3) returns. */
import {
  EntryDraft,
  type Fields,
  type ImportEntry,
  type ImportPlan,
  isOn,
  toFields,
  toList,
  toNumber,
  toText,
} from "./entry.ts";

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;
const MAX_SECONDS = 31_536_000;

/** Limits that heartbeats here do not have: "POST" alone, and resuming by hand. */
const restrictions = ["methods", "manual_resume"] as const;
const filters = ["filter_subject", "filter_body", "filter_http_body"] as const;

/** Keywords, which apply here to emails and bodies alike. */
function keywordsOf(check: Fields): Record<string, unknown> {
  if (!filters.some((name) => isOn(check[name]))) return {};
  return {
    failWords: toText(check["failure_kw"]),
    successWords: toText(check["success_kw"]),
    startWords: toText(check["start_kw"]),
    otherwise: isOn(check["filter_default_fail"]) ? "fail" : "log",
  };
}

/** Five fields or "@daily" are cron; all else is an OnCalendar expression of systemd. */
function scheduleOf(check: Fields): Record<string, unknown> {
  const expression = toText(check["schedule"]).trim();
  const timeZone = toText(check["tz"]) || "UTC";
  if (expression === "") return { type: "period", seconds: toNumber(check["timeout"]) ?? 86_400 };
  const isCron = expression.startsWith("@") || /^(?:[^\s:]+\s+){4}[^\s:]+$/u.test(expression);
  return isCron
    ? { type: "cron", expression, timeZone }
    : { type: "onCalendar", calendar: expression, timeZone };
}

function toEntry(given: unknown): ImportEntry {
  const check = toFields(given);
  const [key] = UUID.exec(toText(check["uuid"])) ?? UUID.exec(toText(check["ping_url"])) ?? [];
  const name = toText(check["name"]) || toText(check["slug"]) || (key ?? "");
  const draft = new EntryDraft(name, "check");
  const schedule = scheduleOf(check);
  const graceSeconds = Math.min(MAX_SECONDS, Math.max(1, Math.round(toNumber(check["grace"]) ?? 3_600)));
  // There, a run that started may last as long as the grace period.
  const lasting = { schedule, graceSeconds, maxRunSeconds: graceSeconds };
  draft.fields["target"] = { kind: "heartbeat", ...lasting, ...keywordsOf(check) };
  draft.fields["paused"] = check["status"] === "paused";
  draft.fields["note"] = toText(check["desc"]).slice(0, 4_000);
  draft.setTags(toText(check["tags"]).split(/\s+/u));
  if (key === undefined) draft.note("no_key");
  else draft.pingKey = key;
  // "https://hc-ping.com/<uuid>"; installs of their own have "/ping/" before it.
  const address = toText(check["ping_url"]);
  if (address !== "" && !address.includes("/ping/")) draft.note("other_path");
  for (const field of restrictions) {
    if (isOn(check[field]) || check[field] === "POST") draft.note("no_field", field);
  }
  return draft.finish();
}

/** The plan of a parsed answer; undefined without checks. */
export function planHealthchecks(document: unknown): ImportPlan | undefined {
  const { checks, ...others } = toFields(document);
  if (!Array.isArray(checks)) return undefined;
  const hasChannels = toList(checks).some((check) => toText(toFields(check)["channels"]) !== "");
  const leftOut = Object.keys(others).map((name) => name.slice(0, 64));
  return {
    entries: toList(checks).map(toEntry),
    leftOut: [...(hasChannels ? ["channels"] : []), ...leftOut].slice(0, 20),
  };
}
