/** What forms of checks ask for: the fields of their kinds, as tables. */
import type { TextName } from "../../../app/texts.ts";

interface Shared {
  /** Where the value stands in the target, such as "json.path". */
  readonly name: string;
  /** Its hint is "<label>.hint", where there is such a text. */
  readonly label: TextName;
  /** Shown with the rest that most people leave as it is. */
  readonly advanced?: true;
  /** Asked for only while another field has one of these values. */
  readonly when?: { readonly name: string; readonly among: readonly string[] };
}

interface Bounds {
  readonly initial: number;
  readonly min: number;
  readonly max: number;
  readonly fault: TextName;
}

/** A field as a form asks for it. */
export type CheckField =
  | (Shared & {
      readonly input: "text";
      readonly initial?: string;
      readonly max: number;
      readonly placeholder?: string;
      /** What is said when it is empty; without it, it may be. */
      readonly missing?: TextName;
      readonly long?: true;
    })
  | (Shared & {
      readonly input: "whole";
      /** Not sent while it is as it began: the monitor takes its absence for that. */
      readonly omitsInitial?: true;
    } & Bounds)
  /** Seconds, typed as a number with its unit. */
  | (Shared & { readonly input: "span" } & Bounds)
  | (Shared & {
      readonly input: "choice";
      readonly initial: string;
      /** Their words are "<label>.<value>"; one that needs none, such as "GET", stands for itself. */
      readonly choices: readonly string[];
    })
  | (Shared & { readonly input: "tick"; readonly initial: boolean })
  | (Shared & { readonly input: "words"; readonly max: number; readonly fault: TextName })
  | (Shared & { readonly input: "zone"; readonly initial: string })
  | (Shared & { readonly input: "headers" });

/** A host by name or address. */
export const host: CheckField = {
  name: "host",
  input: "text",
  label: "admin.check.host",
  placeholder: "db.example.org",
  max: 253,
  missing: "admin.check.missing.host",
};
/** A port, with what it is at first. */
export const port = (initial: number): Extract<CheckField, { input: "whole" }> => ({
  name: "port",
  input: "whole",
  label: "admin.field.port",
  initial,
  min: 1,
  max: 65_535,
  fault: "admin.fault.port",
});
/** How many days before its end a certificate is a fault. */
export const certificateDays: Extract<CheckField, { input: "whole" }> = {
  name: "certificateDays",
  input: "whole",
  label: "admin.check.certificateDays",
  initial: 0,
  min: 0,
  max: 365,
  fault: "admin.check.fault.days",
};

/** Of HTTP and HTTPS. */
export const httpFields: readonly CheckField[] = [
  {
    name: "url",
    input: "text",
    label: "admin.field.address",
    placeholder: "https://example.org/health",
    max: 2_000,
    missing: "admin.check.missing.url",
  },
  { name: "contains", input: "text", label: "admin.check.contains", max: 500 },
  {
    name: "method",
    input: "choice",
    label: "admin.check.method",
    initial: "GET",
    choices: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    advanced: true,
  },
  {
    name: "statuses",
    input: "text",
    label: "admin.check.statuses",
    initial: "200-299",
    max: 100,
    missing: "admin.check.missing.statuses",
    advanced: true,
  },
  { name: "headers", input: "headers", label: "admin.check.headers", advanced: true },
  {
    name: "body",
    input: "text",
    label: "admin.check.body",
    max: 10_000,
    long: true,
    when: { name: "method", among: ["POST", "PUT", "PATCH", "DELETE"] },
    advanced: true,
  },
  { name: "excludes", input: "text", label: "admin.check.excludes", max: 500, advanced: true },
  {
    name: "json.path",
    input: "text",
    label: "admin.check.json.path",
    placeholder: "$.status",
    max: 200,
    advanced: true,
  },
  {
    name: "json.operator",
    input: "choice",
    label: "admin.check.json.operator",
    initial: "=",
    choices: ["=", "!=", "<", "<=", ">", ">=", "contains", "exists", "absent"],
    advanced: true,
  },
  { name: "json.value", input: "text", label: "admin.check.json.value", max: 200, advanced: true },
  {
    name: "maxBodyMib",
    input: "whole",
    label: "admin.check.maxBody",
    initial: 1,
    min: 1,
    max: 16,
    fault: "admin.check.fault.maxBody",
    omitsInitial: true,
    advanced: true,
  },
  {
    name: "maxLatencyMs",
    input: "whole",
    label: "admin.check.maxLatency",
    initial: 0,
    min: 0,
    max: 60_000,
    fault: "admin.check.fault.latency",
    advanced: true,
  },
  { ...certificateDays, advanced: true },
  {
    name: "maxRedirects",
    input: "whole",
    label: "admin.check.maxRedirects",
    initial: 5,
    min: 0,
    max: 5,
    fault: "admin.check.fault.redirects",
    advanced: true,
  },
  {
    name: "ignoresCertificate",
    input: "tick",
    label: "admin.check.ignoresCertificate",
    initial: false,
    advanced: true,
  },
];

/** Of names. */
export const dnsFields: readonly CheckField[] = [
  {
    name: "name",
    input: "text",
    label: "admin.check.dnsName",
    placeholder: "example.org",
    max: 253,
    missing: "admin.check.missing.host",
  },
  {
    name: "record",
    input: "choice",
    label: "admin.check.record",
    initial: "A",
    choices: ["A", "AAAA", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT", "CAA"],
  },
  {
    name: "expected",
    input: "words",
    label: "admin.check.expected",
    max: 20,
    fault: "admin.check.fault.expected",
  },
  {
    name: "resolver",
    input: "text",
    label: "admin.check.resolver",
    placeholder: "1.1.1.1",
    max: 60,
    advanced: true,
  },
];

/** The bounds of `seconds` in schema.ts. */
const YEAR_SECONDS = 31_536_000;
const period = { name: "schedule.type", among: ["period"] };
const cron = { name: "schedule.type", among: ["cron"] };

/** Of signs of life. */
export const heartbeatFields: readonly CheckField[] = [
  {
    name: "schedule.type",
    input: "choice",
    label: "admin.check.schedule",
    initial: "period",
    choices: ["period", "cron"],
  },
  {
    name: "schedule.seconds",
    input: "span",
    label: "admin.check.period",
    initial: 86_400,
    min: 20,
    max: YEAR_SECONDS,
    fault: "admin.check.fault.period",
    when: period,
  },
  {
    name: "schedule.expression",
    input: "text",
    label: "admin.check.cron",
    placeholder: "15 3 * * *",
    max: 100,
    missing: "admin.check.missing.cron",
    when: cron,
  },
  {
    name: "schedule.timeZone",
    input: "zone",
    label: "admin.field.timeZone",
    initial: "UTC",
    when: cron,
  },
  {
    name: "graceSeconds",
    input: "span",
    label: "admin.check.grace",
    initial: 3_600,
    min: 0,
    max: YEAR_SECONDS,
    fault: "admin.check.fault.grace",
  },
  {
    name: "maxRunSeconds",
    input: "span",
    label: "admin.check.maxRun",
    initial: 0,
    min: 0,
    max: YEAR_SECONDS,
    fault: "admin.check.fault.grace",
    advanced: true,
  },
];
