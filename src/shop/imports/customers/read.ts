/** Customers of a file, known by their email addresses. */
import { isMailAddress } from "../../../kit/mail/mail.ts";
import type { CsvRow } from "../../../kit/files/csv.ts";
import {
  MAX_PROFILE_TAGS,
  type ProfileAddress,
  type ProfileFields,
  profileFieldsSchema,
} from "../../customers/profile-schema.ts";
import { readVatId, toCompactVatId } from "../../tax/vat-id.ts";
import { isYes, readList } from "../cells.ts";
import { readDate } from "../dates.ts";
import type { Fault } from "../faults.ts";
import type { ReadContext, ReadItem } from "../kind.ts";
import { type Reading, readEach } from "../reading.ts";
import { type Said, say, sayIssue, toQuote } from "../said.ts";
import { applyCustomer } from "./apply.ts";
import type { CustomerDraft } from "./draft.ts";
import { type CustomerField, customerColumns } from "./columns.ts";
import { readCountry } from "./countries.ts";

const MAX_NOTE = 4_000;

type Build = Reading<CustomerField>;

/** A text of one line up to a length. */
function readLine(build: Build, field: CustomerField, most: number): string | undefined {
  // Shopify writes an apostrophe before digits that spreadsheets would change.
  const cell = build
    .get(field)
    ?.replaceAll(/\s+/gu, " ")
    .replace(/^'(?=\d)/u, "");
  if (cell === undefined || cell.length <= most) return cell;
  build.note(field, say("import.customer.cut", { most }));
  return cell.slice(0, most);
}

function readRegion(build: Build, fields: readonly CustomerField[]): string | undefined {
  const field = fields.find((name) => build.get(name) !== undefined);
  const cell = field === undefined ? undefined : build.get(field);
  if (field === undefined || cell === undefined) return undefined;
  const code = readCountry(cell);
  if (code === undefined) build.note(field, say("import.customer.country", { value: toQuote(cell) }));
  return code;
}

function joinNames(first: string | undefined, last: string | undefined): string | undefined {
  const name = [first, last].filter((part) => part !== undefined).join(" ");
  return name === "" ? undefined : name.slice(0, 120);
}

function readName(build: Build): string | undefined {
  const first = readLine(build, "firstName", 60);
  return joinNames(first, readLine(build, "lastName", 60)) ?? readLine(build, "name", 120);
}

/** Without the members that a file does not say; undefined for an address that says nothing. */
function toAddress(members: ProfileAddress): ProfileAddress | undefined {
  const said = Object.entries(members).filter(([, value]) => value !== undefined);
  const isPlace = said.some(([name]) => name !== "name" && name !== "company" && name !== "phone");
  return isPlace ? Object.fromEntries(said) : undefined;
}

function readAddresses(build: Build, name: string | undefined): ProfileAddress[] {
  const line = (field: CustomerField, most: number): string | undefined => readLine(build, field, most);
  const billing = toAddress({
    name,
    company: line("company", 120),
    line1: line("street", 200),
    line2: line("street2", 200),
    city: line("city", 120),
    region: line("region", 120),
    postalCode: line("postalCode", 20),
    country: readRegion(build, ["countryCode", "country"]),
    phone: line("addressPhone", 40),
  });
  const shipping = toAddress({
    name: joinNames(line("shipFirstName", 60), line("shipLastName", 60)) ?? name,
    company: line("shipCompany", 120),
    line1: line("shipStreet", 200),
    line2: line("shipStreet2", 200),
    city: line("shipCity", 120),
    region: line("shipRegion", 120),
    postalCode: line("shipPostalCode", 20),
    country: readRegion(build, ["shipCountry"]),
    phone: line("shipPhone", 40),
  });
  // Parcels go to the first one.
  const all = [shipping, billing].filter((address) => address !== undefined);
  const [one, two] = all.map((address) => JSON.stringify(address));
  return one !== undefined && one === two ? all.slice(0, 1) : all;
}

function readTime(build: Build, field: CustomerField): number | undefined {
  const { row, context } = build;
  const cell = row.get(field);
  if (cell === undefined) return undefined;
  const { dateOrder, timeZone = context.timeZone } = context.options;
  const read = readDate(cell, { dateOrder, timeZone });
  if ("at" in read) return read.at;
  build.note(field, read.problem);
  return undefined;
}

const AGREED = /^(?:subscribed|opted in|confirmed|single_opt_in|confirmed_opt_in|abonniert|订阅)$/iu;

/** A consent without its time proves nothing. */
function readMarketing(build: Build): ProfileFields["marketing"] {
  const { row, table } = build;
  const cell = row.get("marketing");
  const isAgreed = cell === undefined ? row.get("consentAt") !== undefined : isYes(cell) || AGREED.test(cell);
  if (!isAgreed) return undefined;
  if (row.get("consentAt") === undefined) {
    build.note("marketing", say("import.customer.consent"));
    return undefined;
  }
  const agreedAt = readTime(build, "consentAt");
  const source = readLine(build, "consentSource", 200) ?? (table.source === "columns" ? "CSV" : table.source);
  return agreedAt === undefined ? undefined : { agreedAt, source };
}

function readVat(build: Build): string | undefined {
  const cell = build.get("vatId");
  if (cell === undefined) return undefined;
  const read = readVatId(cell);
  if (typeof read === "object") return read.text;
  // Numbers of countries outside the EU have forms of their own.
  if (read === "unknown" && toCompactVatId(cell).length <= 40) return toCompactVatId(cell);
  build.note("vatId", say("import.customer.vat", { value: toQuote(cell) }));
  return undefined;
}

function readTags(build: Build): string[] {
  const all = [...new Set(readList(build.get("tags") ?? "").map((tag) => tag.slice(0, 60)))];
  const count = all.length - MAX_PROFILE_TAGS;
  if (count > 0) build.note("tags", say("import.customer.tags", { count, most: MAX_PROFILE_TAGS }));
  return all.slice(0, MAX_PROFILE_TAGS);
}

function readNote(build: Build): string {
  const cell = build.get("note") ?? "";
  if (cell.length <= MAX_NOTE) return cell;
  build.note("note", say("import.customer.cut", { most: MAX_NOTE }));
  return cell.slice(0, MAX_NOTE);
}

function toFields(build: Build): unknown {
  const name = readName(build);
  const isExempt = isYes(build.get("taxExempt") ?? "");
  if (isExempt) build.note("taxExempt", say("import.customer.taxExempt"));
  return {
    name,
    company: readLine(build, "company", 120),
    phone: readLine(build, "phone", 40),
    vatId: readVat(build),
    tags: readTags(build),
    addresses: readAddresses(build, name),
    marketing: readMarketing(build),
    since: readTime(build, "since"),
  };
}

/** A text that two columns share is noted once. */
function dropTwins(notes: readonly Fault[]): Fault[] {
  return notes.filter(
    (one, at) =>
      notes.findIndex(({ column, message }) => column === one.column && message === one.message) === at,
  );
}

function readOne(build: Build, email: string): ReadItem {
  const { row, table } = build;
  const text = readNote(build);
  const parsed = profileFieldsSchema.safeParse(toFields(build));
  if (!parsed.success)
    return build.toBad(
      email,
      parsed.error.issues.map((issue) => ({ line: row.line, code: "invalid", ...sayIssue(issue) })),
    );
  const fields = parsed.data;
  const draft: CustomerDraft = {
    line: row.line,
    email,
    note: text,
    fields,
    foreign: `${table.source}:${email.toLowerCase()}`,
  };
  const [address] = fields.addresses;
  const detail = [fields.name ?? fields.company, address?.city, address?.country];
  const item = build.toGood({
    title: email,
    detail: detail.filter((part) => part !== undefined).join(", "),
    apply: (tx, options) => applyCustomer(tx, draft, options),
    columnOf: () => undefined,
  });
  return { ...item, notes: dropTwins(build.notes) };
}

/** Reads customers; further sales to a customer of Gumroad say nothing new. */
export async function* readCustomers(
  open: () => AsyncIterable<CsvRow>,
  context: ReadContext,
): AsyncGenerator<ReadItem, void> {
  const lines = new Map<string, number>();
  for await (const build of readEach(open, customerColumns, context)) {
    const email = build.get("email") ?? "";
    const key = email.toLowerCase();
    const isSales = build.table.source === "gumroad";
    // The last row of Gumroad's files has sums.
    if (isSales && (email === "" || lines.has(key))) continue;
    const sayTwin = (line: number): Said => say("import.customer.twin", { email: toQuote(email), line });
    if (email !== "" && !isMailAddress(email))
      build.refuse("email", say("import.customer.email", { value: toQuote(email) }));
    yield build.faults.length === 0 && build.claim("email", key, { lines, sayTwin })
      ? readOne(build, email)
      : build.toBad(email === "" ? (build.get("name") ?? build.get("lastName") ?? "") : email);
  }
}
