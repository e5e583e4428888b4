/** A category or a collection as it is typed, and what is sent of it. */
import type { TextName } from "../../app/texts.ts";
import { type Edited, type ParsedForm, parseWhole } from "../../ui/forms/parsed.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { readMoney, typeMoney } from "../ui/money.ts";
import { type TypedTranslations, toTranslations } from "../../ui/forms/translations.ts";
import { type RuleView, type ShownKind, type ShownView, toShownPath } from "./shown-data.ts";

const MAX_COLLECTED = 500;
const DEFAULT_LIMIT = "24";

export interface RuleForm {
  readonly categoryId: string;
  readonly tag: string;
  readonly minPrice: string;
  readonly maxPrice: string;
  readonly inStock: boolean;
  readonly sort: RuleView["sort"];
  readonly limit: string;
}

export interface ShownForm {
  readonly title: string;
  readonly description: string;
  readonly status: "published" | "hidden";
  /** "" at the top; of categories. */
  readonly parentId: string;
  /** Whether a rule chooses the products; of collections. */
  readonly hasRule: boolean;
  readonly rule: RuleForm;
  readonly translations: TypedTranslations;
}

/** What is sent. */
export interface ShownFields {
  readonly title: string;
  readonly description: string;
  readonly status: "published" | "hidden";
  readonly parentId?: string | null | undefined;
  readonly rule?: RuleView | null | undefined;
  readonly translations: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Fields by their pointers. */
export const pointers = ["/title", "/description", "/status", "/parentId", "/rule", "/translations"];

function toRuleForm(rule: RuleView | null | undefined, currency: string): RuleForm {
  return {
    categoryId: rule?.categoryId ?? "",
    tag: rule?.tag ?? "",
    inStock: rule?.inStock ?? false,
    minPrice: typeMoney(rule?.minPrice, currency),
    maxPrice: typeMoney(rule?.maxPrice, currency),
    sort: rule?.sort ?? "newest",
    limit: rule === undefined || rule === null ? DEFAULT_LIMIT : String(rule.limit),
  };
}

function parseRule(form: RuleForm, currency: string, faults: Map<string, TextName>): RuleView {
  const price = (name: "minPrice" | "maxPrice"): number | undefined => {
    if (form[name].trim() === "") return undefined;
    const minor = readMoney(form[name], currency);
    if (minor === undefined) faults.set(`/rule/${name}`, "shop.ui.fault.money");
    return minor;
  };
  const limit = parseWhole(form.limit, { min: 1, max: MAX_COLLECTED });
  if (limit === undefined) faults.set("/rule/limit", "shop.ui.fault.whole");
  const [minPrice, maxPrice] = [price("minPrice"), price("maxPrice")];
  return {
    ...(form.categoryId === "" ? {} : { categoryId: form.categoryId }),
    ...(form.tag.trim() === "" ? {} : { tag: form.tag.trim() }),
    ...(minPrice === undefined ? {} : { minPrice }),
    ...(maxPrice === undefined ? {} : { maxPrice }),
    inStock: form.inStock,
    sort: form.sort,
    limit: limit ?? 1,
  };
}

function pick(kind: ShownKind, stored: ShownView): ShownFields {
  const { title, description, status, translations } = stored;
  const common = { title, description, status, translations };
  if (kind === "categories")
    return { ...common, parentId: "parentId" in stored ? (stored.parentId ?? null) : null };
  return { ...common, rule: "rule" in stored ? (stored.rule ?? null) : null };
}

function parse(kind: ShownKind, form: ShownForm, currency: string): ParsedForm<ShownFields> {
  const faults = new Map<string, TextName>();
  const { title, description, status, parentId, hasRule } = form;
  if (title.trim() === "") faults.set("/title", "admin.fault.empty");
  const common = {
    title: title.trim(),
    description,
    status,
    translations: toTranslations(form.translations),
  };
  const fields: ShownFields =
    kind === "categories"
      ? { ...common, parentId: parentId === "" ? null : parentId }
      : { ...common, rule: hasRule ? parseRule(form.rule, currency, faults) : null };
  return faults.size > 0 ? { ok: false, faults } : { ok: true, fields };
}

/** How one of a kind is edited. */
export function toEdited(kind: ShownKind, currency: string): Edited<ShownView, ShownForm, ShownFields> {
  return {
    pick: (stored) => pick(kind, stored),
    toForm: ({ rule, parentId, ...words }) => ({
      ...words,
      parentId: parentId ?? "",
      hasRule: rule !== undefined && rule !== null,
      rule: toRuleForm(rule, currency),
    }),
    parse: (form) => parse(kind, form, currency),
    send: ({ id, version }, body) =>
      adminRequest<ShownView>(toShownPath(kind, id), { method: "PATCH", body, version }),
    reload: ({ id }) => adminRequest<ShownView>(toShownPath(kind, id)),
  };
}
