/** What the buyer of a gift card can say of it: its amount, who gets it, and when. */
import type { ProductGiftCard } from "./gift-card-schema.ts";
import type { InputField } from "./schema.ts";

/** The amount that the buyer chose, as a decimal number. */
export const AMOUNT_INPUT = "giftAmount";
/** Who gets the card by email, what it says, and on which day ("2026-12-24"). */
export const giftInputs = {
  email: "giftRecipient",
  name: "giftName",
  message: "giftMessage",
  day: "giftSendOn",
} as const;

const isoDay = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/u;

/** Whether a text is a day of the calendar, such as "2026-12-24". */
export function isDay(text: string): boolean {
  if (!isoDay.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(text);
}

const field = (key: string, label: string, maxLength: number, kind: InputField["kind"] = "text") => ({
  key,
  label,
  kind,
  required: false,
  options: [],
  maxLength,
});

const cardFields: readonly InputField[] = [
  field(giftInputs.email, "Email of the recipient", 254, "email"),
  field(giftInputs.name, "Name of the recipient", 120),
  field(giftInputs.message, "Message", 500),
  field(giftInputs.day, "Send on", 10),
];
const amountField: InputField = { ...field(AMOUNT_INPUT, "Amount", 20), required: true };

interface Asking {
  readonly deliveryType: string;
  readonly inputs: readonly InputField[];
  readonly giftCard?: ProductGiftCard | undefined;
}

/** Everything that a product asks its buyer for: gift cards ask for an amount and a recipient by themselves. */
export function listInputs({ deliveryType, inputs, giftCard }: Asking): readonly InputField[] {
  if (deliveryType !== "gift_card") return inputs;
  return [...(giftCard?.openAmount === undefined ? [] : [amountField]), ...cardFields, ...inputs];
}
