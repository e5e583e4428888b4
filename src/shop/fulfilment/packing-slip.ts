/** The contents of a parcel: a printed list without prices. */
import { nameCountries } from "../base/countries.ts";
import { toAddressLines, toPrintDay, toSenderLines } from "../invoices/document.ts";
import { toPrintLogo } from "../invoices/print-logo.ts";
import type { PrintDocument } from "../invoices/print-document.ts";
import { findInvoiceWords } from "../invoices/words.ts";
import { formatDay } from "../base/formats.ts";
import type { OrderLine, OrderRecord } from "../orders/schema.ts";
import type { SiteSettings } from "../site/schema.ts";

const GRAMS = 1_000;

/** "1.25 kg". */
function toKilograms(grams: number): string {
  return `${String(grams / GRAMS)} kg`;
}

/** Units that went back to the shelf before the parcel left are not in it. */
function toPacked(line: OrderLine): OrderLine {
  const back = line.deliveredAt === undefined ? (line.returned ?? 0) : 0;
  return { ...line, quantity: line.quantity - back };
}

/** The packing slip of an order: its lines that are sent, or all when none is. */
export function toPackingSlip(order: OrderRecord, site: SiteSettings): PrintDocument {
  const { words, language } = findInvoiceWords(order.language);
  const { shipment, shippingAddress, shippingTitle = "" } = order;
  const present = order.lines.map(toPacked).filter(({ quantity }) => quantity > 0);
  const sent = present.filter(({ deliveryType }) => deliveryType === "shipping");
  const lines = sent.length === 0 ? present : sent;
  const grams = lines.reduce((sum, { weightGrams = 0, quantity }) => sum + weightGrams * quantity, 0);
  const seller = {
    ...site.seller,
    name: site.seller.name || site.name,
    vatId: "",
    taxNumber: "",
    register: "",
  };
  const names = new Map(Object.entries(nameCountries([seller.country, shippingAddress?.country], language)));
  const nameOf = (code: string): string => names.get(code) ?? code;
  const carrier = shipment?.carrier || shippingTitle;
  const facts: (readonly [string, string])[] = [
    [words.order, order.number],
    [words.orderedOn, toPrintDay(formatDay(order.createdAt, site.timeZone), language)],
    [words.carrier, carrier],
    [words.trackingNumber, shipment?.trackingNumber ?? ""],
    [words.weight, grams === 0 ? "" : toKilograms(grams)],
  ];
  return {
    language,
    title: words.packingSlip,
    createdAt: order.createdAt,
    sender: toSenderLines(seller, words, nameOf),
    recipient: shippingAddress === undefined ? [order.email] : toAddressLines(shippingAddress, nameOf),
    facts: facts.filter(([, value]) => value !== ""),
    columns: [{ label: words.item }, { label: words.sku }, { label: words.quantity, isNumber: true }],
    rows: lines.map(({ title, sku, options, quantity, inputs }) => ({
      cells: [title, sku, String(quantity)],
      details: [
        ...Object.entries(options).map(([name, value]) => `${name}: ${value}`),
        ...Object.entries(inputs).map(([name, value]) => `${name}: ${value}`),
      ],
    })),
    sums: [],
    notes: order.note === "" ? [] : [`${words.note}: ${order.note}`],
    footer: [],
    pageWords: words.page,
    logo: toPrintLogo(site),
  };
}
