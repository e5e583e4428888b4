/** The fields of a customer, each said once: answers have them, and so has the CSV, a column each. */
import { z } from "zod";
import type { Cell } from "../../kit/files/csv-line.ts";
import { isoTimeSchema, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { profileAddressSchema, profileFieldsSchema } from "./profile-schema.ts";
import type { Customer } from "./customers.ts";
import { customerRecordSchema } from "./schema.ts";

/** A field: how answers have it, where it comes from, and whether it is a column of the CSV. */
interface CustomerField<S extends z.ZodType> {
  readonly schema: S;
  readonly show: (customer: Customer) => z.infer<S>;
  /** False: the CSV lacks it. "currencies": a column for each currency. "list": its texts with commas. */
  readonly column: boolean | "currencies" | "list";
}

function field<S extends z.ZodType>(
  schema: S,
  show: (customer: Customer) => z.infer<S>,
  { column = true }: { column?: CustomerField<S>["column"] } = {},
): CustomerField<S> {
  return { schema, show, column };
}

export const customerFields = {
  id: field(z.string(), ({ id }) => id),
  version: field(
    z.int().describe("Version, 0 without a note or block"),
    ({ record }) => record?.version ?? 0,
    { column: false },
  ),
  userId: field(z.string().optional(), ({ userId }) => userId),
  email: field(
    z.string().describe("Email address of the latest order, or the imported one"),
    ({ email }) => email,
  ),
  orders: field(z.int(), ({ orders }) => orders),
  openOrders: field(z.int(), ({ openOrders }) => openOrders),
  paid: field(
    z.array(z.object({ currency: z.string(), amount: z.int() })),
    ({ paid }) => Array.from(paid, ([currency, amount]) => ({ currency, amount })),
    { column: "currencies" },
  ),
  firstOrderAt: field(isoTimeSchema.optional(), ({ firstOrderAt }) => toIsoTimeIfAny(firstOrderAt)),
  lastOrderAt: field(isoTimeSchema.optional(), ({ lastOrderAt }) => toIsoTimeIfAny(lastOrderAt)),
  note: field(customerRecordSchema.shape.note, ({ record }) => record?.note ?? ""),
  blocked: field(z.boolean(), ({ record }) => record?.blocked === "yes"),
  erasing: field(
    z.boolean().describe("Anonymized, but for orders whose time is not over"),
    ({ record }) => record?.erasing === "yes",
  ),
  name: field(
    profileFieldsSchema.shape.name.describe("Imported, as are the following members"),
    ({ profile }) => profile?.name,
  ),
  company: field(profileFieldsSchema.shape.company, ({ profile }) => profile?.company),
  phone: field(profileFieldsSchema.shape.phone, ({ profile }) => profile?.phone),
  vatId: field(profileFieldsSchema.shape.vatId, ({ profile }) => profile?.vatId),
  tags: field(z.array(z.string()).optional(), ({ profile }) => profile?.tags, { column: "list" }),
  addresses: field(z.array(profileAddressSchema).optional(), ({ profile }) => profile?.addresses, {
    column: false,
  }),
  marketingSince: field(
    isoTimeSchema.optional().describe("When the customer agreed to marketing, according to the import"),
    ({ profile }) => toIsoTimeIfAny(profile?.marketing?.agreedAt),
  ),
  marketingSource: field(z.string().optional(), ({ profile }) => profile?.marketing?.source),
  customerSince: field(isoTimeSchema.optional().describe("At the former shop"), ({ profile }) =>
    toIsoTimeIfAny(profile?.since),
  ),
} as const;

type Fields = typeof customerFields;

/** For the schema of answers. */
export const customerShape = Object.fromEntries(
  Object.entries(customerFields).map(([name, { schema }]) => [name, schema]),
  // Each member is the schema of the field of its name.
) as { [K in keyof Fields]: Fields[K]["schema"] };

/** A customer as answers have it. */
export function showCustomer(customer: Customer): { [K in keyof Fields]: z.infer<Fields[K]["schema"]> } {
  const members = Object.entries(customerFields).map(([name, { show }]) => [name, show(customer)]);
  // Each member is what the field of its name shows.
  return Object.fromEntries(members) as ReturnType<typeof showCustomer>;
}

/** The names of the columns, where customers paid in these currencies. */
export function listColumns(currencies: readonly string[]): readonly string[] {
  return Object.entries(customerFields).flatMap(([name, { column }]) => {
    if (column === "currencies") return currencies.map((currency) => `${name}${currency}`);
    return column === false ? [] : [name];
  });
}

/** The cells of a customer's line. `toAmount` writes an amount in the unit of its currency. */
export function listCells(
  customer: Customer,
  currencies: readonly string[],
  toAmount: (minor: number, currency: string) => Cell,
): readonly Cell[] {
  return Object.values(customerFields).flatMap(({ column, show }): Cell[] => {
    if (column === "currencies")
      return currencies.map((currency) => toAmount(customer.paid.get(currency) ?? 0, currency));
    const value = show(customer);
    if (column === false) return [];
    if (Array.isArray(value)) return [value.map(String).join(", ")];
    if (typeof value === "number") return [value];
    return [typeof value === "string" || typeof value === "boolean" ? String(value) : ""];
  });
}
