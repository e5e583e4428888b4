/** Rules for fields of products, among each other and with the site. */
import type { FieldError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { ProductFields, VariantInput } from "./change-schema.ts";
import { MAX_PERIOD_MONTHS } from "./license-schema.ts";
import type { ProductRecord, Variant } from "./schema.ts";
import type { SiteSettings } from "../site/schema.ts";
import { checkBundle } from "./bundle.ts";
import { checkPayWhatYouWant } from "./pay-what-you-want.ts";
import { checkTierPrices } from "./tier-prices.ts";

/** A problem with a field, by its JSON pointer. */
export function fieldError(pointer: string, message: string): FieldError {
  return { pointer, code: "invalid", message };
}

export interface VariantOptions {
  readonly existing: readonly Variant[];
  /** Imports: ids of elsewhere are kept, and units of known variants may be set. */
  readonly isImport: boolean;
  readonly nowMs: number;
}

const VARIANT_ID = /^var_[0-9a-z]{26}$/u;

function checkVariants(inputs: readonly VariantInput[], options: VariantOptions): FieldError[] {
  const errors: FieldError[] = [];
  const ids = new Set<string>();
  const skus = new Set<string>();
  inputs.forEach(({ id, sku }, index) => {
    const isKnown = options.existing.some((variant) => variant.id === id);
    if (id !== undefined && ids.has(id))
      errors.push(fieldError(`/variants/${index}/id`, "must not be repeated"));
    else if (id !== undefined && !isKnown && !(options.isImport && VARIANT_ID.test(id)))
      errors.push(fieldError(`/variants/${index}/id`, "is no variant of this product"));
    if (sku !== "" && skus.has(sku))
      errors.push(fieldError(`/variants/${index}/sku`, "must not be repeated"));
    if (id !== undefined) ids.add(id);
    skus.add(sku);
  });
  return errors;
}

/** Omitted values are unchanged, and null removes them. */
function toValue<T>(input: T | null | undefined, before: T | undefined): T | undefined {
  return input === undefined ? before : (input ?? undefined);
}

/** An empty list is none. */
export function toFilled<T>(list: T[] | undefined): T[] | undefined {
  return list?.length === 0 ? undefined : list;
}

/** Finds out which variants are meant: by id, else by SKU, else new ones. `onHand` has units by the variant's id, where the input has them. */
export function resolveVariants(inputs: readonly VariantInput[], options: VariantOptions) {
  const errors = checkVariants(inputs, options);
  const named = new Set(inputs.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const onHand = new Map<string, number>();
  const variants = inputs.map((input, index): Variant => {
    const alike = options.existing.find(({ id, sku }) => sku !== "" && sku === input.sku && !named.has(id));
    const id = input.id ?? alike?.id ?? newId("var", options.nowMs);
    const known = options.existing.find((variant) => variant.id === id);
    if (input.onHand !== undefined) {
      if (known !== undefined && !options.isImport)
        errors.push(fieldError(`/variants/${index}/onHand`, "is set with the stock of the product"));
      onHand.set(id, input.onHand);
    }
    return {
      id,
      sku: input.sku,
      options: { ...input.options },
      price: input.price,
      compareAtPrice: toValue(input.compareAtPrice, known?.compareAtPrice),
      tierPrices: toFilled(toValue(input.tierPrices, known?.tierPrices)),
      imageHash: toValue(input.imageHash, known?.imageHash),
      weightGrams: toValue(input.weightGrams, known?.weightGrams),
      license: toValue(input.license, known?.license),
    };
  });
  return { variants, onHand, errors };
}

/** A renewing license is valid for its period, which has a number of months that payment providers take. */
function checkRenewal({ license, variants }: ProductRecord): FieldError[] {
  const { renewal } = license ?? {};
  if (renewal === undefined) return [];
  const errors: FieldError[] = [];
  if (renewal.count * (renewal.every === "year" ? 12 : 1) > MAX_PERIOD_MONTHS)
    errors.push(fieldError("/license/renewal/count", `must not exceed ${MAX_PERIOD_MONTHS} months`));
  const message = "must be removed, because renewing licenses are valid for their period";
  if (license?.days !== undefined) errors.push(fieldError("/license/days", message));
  for (const [index, variant] of variants.entries())
    if (typeof variant.license?.days === "number")
      errors.push(fieldError(`/variants/${index}/license/days`, message));
  return errors;
}

function checkInputs(inputs: ProductRecord["inputs"]): FieldError[] {
  const keys = new Set<string>();
  return inputs.flatMap(({ key, kind, options }, index): FieldError[] => {
    const isTwice = keys.has(key);
    keys.add(key);
    if (isTwice) return [fieldError(`/inputs/${index}/key`, "must not be repeated")];
    if (kind === "select" && options.length === 0)
      return [fieldError(`/inputs/${index}/options`, "must have at least one option")];
    return [];
  });
}

/** Errors of a product's units compared with its other fields. */
function checkUnits(fields: ProductFields, after: ProductRecord, isNew: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const isGenerated = after.license?.keys === "generated";
  const isKeyed = after.deliveryType === "auto_secret" && !isGenerated;
  if (after.deliveryType === "auto_secret" && isGenerated && after.stockMode === "tracked")
    errors.push(fieldError("/stockMode", "must be unlimited, because license keys are generated"));
  if (isKeyed && after.stockMode === "unlimited")
    errors.push(fieldError("/stockMode", "must be tracked, because every license key is delivered once"));
  const hasUnits = fields.onHand !== undefined || fields.variants?.some(({ onHand }) => onHand !== undefined);
  if (isKeyed && hasUnits === true)
    errors.push(fieldError("/onHand", "is the number of license keys and cannot be set"));
  else if (fields.onHand !== undefined && after.variants.length > 1)
    errors.push(fieldError("/onHand", "is set for each variant"));
  else if (fields.onHand !== undefined && !isNew)
    errors.push(fieldError("/onHand", "is set with the stock of the product"));
  return errors;
}

/** Errors of a gift card: its amounts are real, and it is the buyer who chooses an open one. */
function checkGiftCard(product: ProductRecord): FieldError[] {
  const { deliveryType, giftCard, price, variants, compareAtPrice } = product;
  if (deliveryType !== "gift_card") return [];
  const errors: FieldError[] = [];
  if (giftCard?.openAmount !== undefined && variants.length > 0)
    errors.push(fieldError("/giftCard/openAmount", "must be absent if the product has variants"));
  if (variants.length === 0 && price < 1)
    errors.push(fieldError("/price", "must be at least 1 for a gift card"));
  variants.forEach((variant, index) => {
    if (variant.price < 1)
      errors.push(fieldError(`/variants/${index}/price`, "must be at least 1 for a gift card"));
  });
  if ([product, ...variants].some(({ tierPrices }) => tierPrices !== undefined))
    errors.push(fieldError("/tierPrices", "must be absent: gift cards are sold for their amount"));
  if (compareAtPrice !== undefined || variants.some((variant) => variant.compareAtPrice !== undefined))
    errors.push(fieldError("/compareAtPrice", "must be absent: gift cards are sold for their amount"));
  return errors;
}

/** Everything that is wrong with a product as it would become. */
export function checkProduct(
  fields: ProductFields,
  parts: {
    readonly before: ProductRecord | undefined;
    readonly after: ProductRecord;
    readonly site: SiteSettings;
    readonly isImport: boolean;
  },
): FieldError[] {
  const { before, after, site } = parts;
  const isNew = before === undefined || parts.isImport;
  const errors = [...checkUnits(fields, after, isNew), ...checkRenewal(after)];
  const isForeign = fields.currency !== undefined && fields.currency !== site.currency;
  if (isForeign && fields.currency !== before?.currency)
    errors.push(fieldError("/currency", `must be the currency of the shop, ${site.currency}`));
  if (after.minQuantity > after.maxQuantity)
    errors.push(fieldError("/maxQuantity", "must not be less than minQuantity"));
  if (after.minQuantity > (after.maxPerCustomer ?? after.minQuantity))
    errors.push(fieldError("/maxPerCustomer", "must not be less than minQuantity"));
  if (before === undefined && after.variants.length === 0 && fields.price === undefined)
    errors.push(fieldError("/price", "is required without variants"));
  errors.push(
    ...checkTierPrices(after),
    ...checkPayWhatYouWant(after),
    ...checkBundle(after),
    ...checkInputs(after.inputs),
    ...checkGiftCard(after),
  );
  return errors;
}
