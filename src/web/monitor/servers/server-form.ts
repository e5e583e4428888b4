/** A server's fields as a form holds them (texts and ticks), and back. */
import { describeSchema } from "../../../kit/fields/describe.ts";
import { type ServerFields, billingSchema, trafficSchema } from "../../../monitor/base/schema.ts";
import type { TextName } from "../../app/texts.ts";
import { type ByteUnit, parseByteAmount, toByteAmount } from "../../ui/forms/byte-amount.ts";
import { parseLocal, toDateText, toDateTimeText } from "../../ui/forms/local-time.ts";
import { parseMoney, toMoneyText } from "../../ui/forms/money.ts";
import { type ParsedForm, parseBounded } from "../../ui/forms/parsed.ts";

const { cycle } = describeSchema(billingSchema);
const bounds = describeSchema(trafficSchema);

type Billing = NonNullable<ServerFields["billing"]>;
type Traffic = ServerFields["traffic"];

/** Whether alerts notify people: they do, they do not, or not until a moment. */
export const muteChoices = ["off", "until", "forever"] as const;
export type MuteChoice = (typeof muteChoices)[number];

export interface ServerForm {
  readonly name: string;
  readonly group: string;
  readonly tags: readonly string[];
  readonly hidden: boolean;
  readonly disabled: boolean;
  readonly note: string;
  readonly publicNote: string;
  readonly region: string;
  readonly provider: string;
  readonly hasBilling: boolean;
  readonly price: string;
  readonly currency: string;
  readonly cycleCount: string;
  readonly cycleUnit: Billing["cycle"]["unit"];
  /** Local date; "" for none. */
  readonly expires: string;
  readonly autoRenew: boolean;
  /** "" for no limit. */
  readonly limit: string;
  readonly limitUnit: ByteUnit;
  readonly mode: Traffic["mode"];
  readonly resetDay: string;
  readonly timeZone: string;
  readonly mute: MuteChoice;
  /** Local date and minute, for "until". */
  readonly muteUntil: string;
}

/** The form that shows these fields. */
export function toServerForm(fields: ServerFields): ServerForm {
  const { billing, traffic, name, group, tags, hidden, disabled, note, publicNote, region, provider } =
    fields;
  const limit = toByteAmount(traffic.limitBytes);
  const currency = billing?.currency ?? "USD";
  return {
    name,
    group,
    tags,
    hidden,
    disabled,
    note,
    publicNote,
    region,
    provider,
    hasBilling: billing !== undefined,
    price: billing === undefined ? "" : toMoneyText(billing.priceMinor, currency),
    currency,
    cycleCount: String(billing?.cycle.n ?? 1),
    cycleUnit: billing?.cycle.unit ?? "month",
    expires: toDateText(billing?.expiresAt),
    autoRenew: billing?.autoRenew ?? false,
    limit: limit.value,
    limitUnit: limit.unit,
    mode: traffic.mode,
    resetDay: String(traffic.resetDay),
    timeZone: traffic.timeZone,
    mute: fields.mute === undefined ? "off" : fields.mute.until === undefined ? "forever" : "until",
    muteUntil: toDateTimeText(fields.mute?.until),
  };
}

function parseBilling(form: ServerForm, before: Billing | undefined, faults: Map<string, TextName>): Billing {
  const currency = form.currency.trim().toUpperCase();
  const priceMinor = parseMoney(form.price, currency);
  const n = parseBounded(form.cycleCount, cycle.fields?.["n"]);
  const expiresAt = form.expires === "" ? undefined : parseLocal(form.expires, before?.expiresAt);
  if (!/^[A-Z]{3}$/u.test(currency)) faults.set("/billing/currency", "admin.fault.currency");
  if (priceMinor === undefined) faults.set("/billing/priceMinor", "admin.fault.price");
  if (n === undefined) faults.set("/billing/cycle/n", "admin.fault.cycle");
  if (form.expires !== "" && expiresAt === undefined) faults.set("/billing/expiresAt", "admin.fault.date");
  return {
    priceMinor: priceMinor ?? 0,
    currency,
    cycle: { n: n ?? 1, unit: form.cycleUnit },
    ...(expiresAt === undefined ? {} : { expiresAt }),
    autoRenew: form.autoRenew,
  };
}

function parseTraffic(form: ServerForm, before: Traffic, faults: Map<string, TextName>): Traffic {
  const limitBytes = parseByteAmount({ value: form.limit, unit: form.limitUnit });
  const resetDay = parseBounded(form.resetDay, bounds.resetDay);
  if (limitBytes === undefined) faults.set("/traffic/limitBytes", "admin.fault.bytes");
  if (resetDay === undefined) faults.set("/traffic/resetDay", "admin.fault.day");
  return {
    ...before,
    limitBytes: limitBytes ?? 0,
    mode: form.mode,
    resetDay: resetDay ?? 1,
    timeZone: form.timeZone.trim() === "" ? "UTC" : form.timeZone.trim(),
  };
}

function parseMute(
  form: ServerForm,
  before: ServerFields["mute"],
  faults: Map<string, TextName>,
): ServerFields["mute"] {
  if (form.mute === "off") return undefined;
  if (form.mute === "forever") return {};
  const until = parseLocal(form.muteUntil, before?.until);
  if (until === undefined) faults.set("/mute/until", "admin.fault.moment");
  return until === undefined ? {} : { until };
}

/** The fields that a form means. `before` is what it was made from: what the form does not show stays. */
export function parseServerForm(form: ServerForm, before: ServerFields): ParsedForm<ServerFields> {
  const faults = new Map<string, TextName>();
  const { billing: billingBefore, mute: muteBefore, ...rest } = before;
  const { name, group, tags, hidden, disabled, note, publicNote, region, provider } = form;
  const billing = form.hasBilling ? parseBilling(form, billingBefore, faults) : undefined;
  const traffic = parseTraffic(form, before.traffic, faults);
  const mute = parseMute(form, muteBefore, faults);
  if (name.trim() === "") faults.set("/name", "admin.fault.name");
  if (tags.length > 16) faults.set("/tags", "admin.fault.tags");
  if (faults.size > 0) return { ok: false, faults };
  return {
    ok: true,
    fields: {
      ...rest,
      name: name.trim(),
      group: group.trim(),
      tags: [...tags],
      hidden,
      disabled,
      note,
      publicNote,
      region,
      provider: provider.trim(),
      traffic,
      ...(billing === undefined ? {} : { billing }),
      ...(mute === undefined ? {} : { mute }),
    },
  };
}
