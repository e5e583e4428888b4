/** Which buyers count as businesses of another EU country, and what they must give for it. */
import type { FieldError } from "../../kit/errors.ts";
import type { Address } from "../base/postal-address.ts";
import type { TaxSettings } from "../site/selling-schema.ts";
import { isInEu } from "./eu-rates.ts";
import type { VatCheck } from "./schema.ts";
import type { VatVerdict } from "./vat-checks.ts";
import { type VatId, type VatIdFault, readVatId, toCompactVatId, toVatPrefix } from "./vat-id.ts";

/** A buyer's claim to be a company. */
export interface BusinessClaim {
  readonly seller: string;
  /** As it was typed. */
  readonly vatId?: string | undefined;
  readonly shippingAddress?: Address | undefined;
  readonly billingAddress?: Address | undefined;
  /** Where the buyer is, as far as anything says it. */
  readonly buyer?: string | undefined;
}

/** The result of the claim. */
export interface Business {
  /** Compact, to keep and to print; as it was typed where it is none of the EU. */
  readonly vatId?: string | undefined;
  /** Owes the tax itself; absent for everyone else. */
  readonly relief?: VatId | undefined;
  /** Errors of the input. */
  readonly faults: readonly FieldError[];
  /** Missing before the tax is deducted; an order cannot be placed without it. */
  readonly lacks: readonly FieldError[];
  /** What is known of its registration, where the shop wants that; without a time for a check by a person. */
  readonly check?: (Omit<VatCheck, "at"> & { readonly at?: number }) | undefined;
}

const NONE: Business = { faults: [], lacks: [] };

/** What is wrong with a VAT ID, and what to do. */
export function toVatFault(typed: string, fault: Exclude<VatIdFault, "unknown">): FieldError {
  const compact = toCompactVatId(typed);
  const messages = {
    greek: `Greek VAT IDs start with EL, not with GR. Enter EL${compact.slice(2)}`,
    form: "does not have the VAT ID format of its country",
    digits: "has wrong check digits. Compare it with your company documents",
  };
  return { pointer: "/vatId", code: fault, message: messages[fault] };
}

/** A number without its country's letters, from a buyer in the EU who would get the tax off with them. */
function toPrefixFault({ buyer = "", seller }: BusinessClaim): FieldError[] {
  const prefix = isInEu(buyer) && buyer !== seller ? toVatPrefix(buyer) : undefined;
  if (prefix === undefined) return [];
  return [
    {
      pointer: "/vatId",
      code: "prefix",
      message: `must start with ${prefix}, like all VAT IDs of that country`,
    },
  ];
}

function listLacks(claim: BusinessClaim, { country, text }: VatId): FieldError[] {
  const { billingAddress, shippingAddress } = claim;
  const address = billingAddress ?? shippingAddress;
  if (address === undefined) {
    const message = "is required with a VAT ID: the company name and address are printed on the invoice";
    return [{ pointer: "/billingAddress", code: "required", message }];
  }
  const pointer = billingAddress === undefined ? "/shippingAddress" : "/billingAddress";
  if ((address.company ?? "").trim() === "") {
    const message = "is required with a VAT ID: it is printed on the invoice";
    return [{ pointer: `${pointer}/company`, code: "required", message }];
  }
  if (address.country === country) return [];
  const message = `${text} is not from the country of the company's address (${address.country})`;
  return [{ pointer: "/vatId", code: "country", message }];
}

/** The claim of a company whose VAT ID and address are right, by what the shop wants to know of its registration. */
function decide(
  { vatIds, viesAway }: TaxSettings,
  vatId: VatId,
  verdict: VatVerdict | undefined,
): Pick<Business, "relief" | "check" | "faults"> {
  if (vatIds === "review") return { relief: vatId, check: { state: "unchecked", isHeld: true }, faults: [] };
  if (vatIds !== "vies") return { relief: vatId, faults: [] };
  const { state, atMs: at } = verdict ?? { state: "away", atMs: undefined };
  switch (state) {
    case "valid": {
      const { consultation, name, address } = verdict?.state === "valid" ? verdict : {};
      return { relief: vatId, check: { state, at, consultation, name, address }, faults: [] };
    }
    case "invalid": {
      const message = `is not registered for trade in the EU (VIES). Correct it, or leave it out and pay the VAT`;
      return { faults: [{ pointer: "/vatId", code: "unregistered", message }] };
    }
    case "away":
      if (viesAway === "charge") return { check: { state, at }, faults: [] };
      return { relief: vatId, check: { state, at, isHeld: true }, faults: [] };
  }
}

/**
 * Checks the form of a VAT ID and the fields that go with it.
 * @param verdict of VIES about it, where the shop asks there; without one, VIES counts as away
 */
export function readBusiness(settings: TaxSettings, claim: BusinessClaim, verdict?: VatVerdict): Business {
  const { vatIds, enabled, smallBusiness } = settings;
  const typed = claim.vatId?.trim() ?? "";
  if (typed === "") return NONE;
  const isChecked = enabled && !smallBusiness && vatIds !== "off" && isInEu(claim.seller);
  const read = readVatId(typed);
  if (read === "unknown") return { ...NONE, vatId: typed, faults: isChecked ? toPrefixFault(claim) : [] };
  if (typeof read === "string") return { ...NONE, vatId: typed, faults: [toVatFault(typed, read)] };
  const { country, text: vatId } = read;
  if (!isChecked || country === claim.seller) return { ...NONE, vatId };
  if (claim.buyer !== undefined && claim.buyer !== country) {
    const message = `${vatId} is not from the country of the buyer (${claim.buyer})`;
    return { ...NONE, vatId, faults: [{ pointer: "/vatId", code: "country", message }] };
  }
  const lacks = listLacks(claim, read);
  if (lacks.length > 0) return { vatId, faults: [], lacks };
  return { vatId, lacks, ...decide(settings, read, verdict) };
}
