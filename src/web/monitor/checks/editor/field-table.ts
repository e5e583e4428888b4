/** What forms of checks ask for: the fields of their kinds, as tables. */
import type { FieldJson, FieldsJson } from "../../../../kit/fields/field-json.ts";
import type { TextName } from "../../../app/texts.ts";
import { toBounds } from "../../../ui/forms/parsed.ts";

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

/** A field as the tables have it: its bounds and choices are those of the schema. */
export type CheckFieldOf<I extends CheckField["input"] = CheckField["input"]> = I extends unknown
  ? Omit<Extract<CheckField, { input: I }>, "min" | "max" | "choices">
  : never;

function findField(fields: FieldsJson, path: string): FieldJson | undefined {
  const [name = "", ...rest] = path.split(".");
  const field = fields[name];
  return rest.length === 0 || field === undefined ? field : findField(field.fields ?? {}, rest.join("."));
}

/** The fields with what their schema says. */
export function withBounds(fields: readonly CheckFieldOf[], described: FieldsJson): readonly CheckField[] {
  return fields.map((field) => {
    const json = findField(described, field.name);
    if (json === undefined) throw new TypeError(`The schema has no field "${field.name}"`);
    const choices = json.choices === undefined ? {} : { choices: json.choices.map(String) };
    return { ...field, ...toBounds(json), ...choices } as CheckField; // `as`: it has the members that tables omit
  });
}

/** A host by name or address. */
export const host: CheckFieldOf = {
  name: "host",
  input: "text",
  label: "admin.check.host",
  placeholder: "db.example.org",
  missing: "admin.check.missing.host",
};
/** A port, with what it is at first. */
export const port = (initial: number): CheckFieldOf<"whole"> => ({
  name: "port",
  input: "whole",
  label: "admin.field.port",
  initial,
  fault: "admin.fault.port",
});
/** How many days before its end a certificate is a fault. */
export const certificateDays: CheckFieldOf<"whole"> = {
  name: "certificateDays",
  input: "whole",
  label: "admin.check.certificateDays",
  initial: 0,
  fault: "admin.check.fault.days",
};

/** Of HTTP and HTTPS. */
export const httpFields: readonly CheckFieldOf[] = [
  {
    name: "url",
    input: "text",
    label: "admin.field.address",
    placeholder: "https://example.org/health",
    missing: "admin.check.missing.url",
  },
  { name: "contains", input: "text", label: "admin.check.contains" },
  {
    name: "method",
    input: "choice",
    label: "admin.check.method",
    initial: "GET",
    advanced: true,
  },
  {
    name: "statuses",
    input: "text",
    label: "admin.check.statuses",
    initial: "200-299",
    missing: "admin.check.missing.statuses",
    advanced: true,
  },
  { name: "headers", input: "headers", label: "admin.check.headers", advanced: true },
  {
    name: "body",
    input: "text",
    label: "admin.check.body",
    long: true,
    when: { name: "method", among: ["POST", "PUT", "PATCH", "DELETE"] },
    advanced: true,
  },
  { name: "excludes", input: "text", label: "admin.check.excludes", advanced: true },
  {
    name: "json.path",
    input: "text",
    label: "admin.check.json.path",
    placeholder: "$.status",
    advanced: true,
  },
  {
    name: "json.operator",
    input: "choice",
    label: "admin.check.json.operator",
    initial: "=",
    advanced: true,
  },
  { name: "json.value", input: "text", label: "admin.check.json.value", advanced: true },
  {
    name: "maxBodyMib",
    input: "whole",
    label: "admin.check.maxBody",
    initial: 1,
    fault: "admin.check.fault.maxBody",
    omitsInitial: true,
    advanced: true,
  },
  {
    name: "maxLatencyMs",
    input: "whole",
    label: "admin.check.maxLatency",
    initial: 0,
    fault: "admin.check.fault.latency",
    advanced: true,
  },
  { ...certificateDays, advanced: true },
  {
    name: "maxRedirects",
    input: "whole",
    label: "admin.check.maxRedirects",
    initial: 5,
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
export const dnsFields: readonly CheckFieldOf[] = [
  {
    name: "name",
    input: "text",
    label: "admin.check.dnsName",
    placeholder: "example.org",
    missing: "admin.check.missing.host",
  },
  {
    name: "record",
    input: "choice",
    label: "admin.check.record",
    initial: "A",
  },
  {
    name: "expected",
    input: "words",
    label: "admin.check.expected",
    fault: "admin.check.fault.expected",
  },
  {
    name: "resolver",
    input: "text",
    label: "admin.check.resolver",
    placeholder: "1.1.1.1",
    advanced: true,
  },
];

const period = { name: "schedule.type", among: ["period"] };
const cron = { name: "schedule.type", among: ["cron"] };

/** Of signs of life. */
export const heartbeatFields: readonly CheckFieldOf[] = [
  {
    name: "schedule.type",
    input: "choice",
    label: "admin.check.schedule",
    initial: "period",
  },
  {
    name: "schedule.seconds",
    input: "span",
    label: "admin.check.period",
    initial: 86_400,
    fault: "admin.check.fault.period",
    when: period,
  },
  {
    name: "schedule.expression",
    input: "text",
    label: "admin.check.cron",
    placeholder: "15 3 * * *",
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
    fault: "admin.check.fault.grace",
  },
  {
    name: "maxRunSeconds",
    input: "span",
    label: "admin.check.maxRun",
    initial: 0,
    fault: "admin.check.fault.grace",
    advanced: true,
  },
];
