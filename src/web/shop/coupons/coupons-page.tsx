/** Coupons. */
import type { JSX } from "preact";
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import { type CouponView, couponChangeSchema } from "../../../shop/coupons/schema.ts";
import { toNumber } from "../../app/format.ts";
import { currentLanguage, text } from "../../app/texts.ts";
import { Badge, Moment } from "../../ui/console/pieces.tsx";
import { Switch } from "../../ui/controls.tsx";
import { type Kind, memberText } from "../../ui/resource/kind.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import type { Resource } from "../../ui/resource/resource.ts";
import { NewResourcePage, ResourcePage } from "../../ui/resource/resource-page.tsx";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { type Goods, categoriesKind, moneyKind, productsKind, useGoods } from "../kinds/goods-kinds.tsx";
import { countriesKind } from "../kinds/country-kinds.tsx";
import { MoneyField } from "../ui/money-field.tsx";
import { showMoney } from "../ui/money.ts";
import { Figure } from "../../ui/figures.tsx";
import { mayUse } from "../../ui/console/session.ts";
import { Panel } from "../../ui/panel.tsx";

function showPercent(hundredths: number): string {
  const form = new Intl.NumberFormat(currentLanguage(), { style: "percent", maximumFractionDigits: 2 });
  return form.format(hundredths / 10_000);
}

/** "12.5" or "12,5" percent as hundredths; undefined when it is none of 1 to 100. */
function readPercent(typed: string): number | undefined {
  const [, whole = "", fraction = ""] = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/u.exec(typed.trim()) ?? [];
  const value = Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  return whole !== "" && value >= 100 && value <= 10_000 ? value : undefined;
}

/** Whether the value of a kind is a percentage. */
function isPercent(kind: unknown): boolean {
  return kind === "percent" || kind === "buy_get";
}

/** Hundredths of a percent or minor units, as the coupon's kind says; what was typed for the other one stays. */
function worthKind(json: FieldJson): Kind<Goods> {
  const money = moneyKind({ ...json, kind: "money" });
  return {
    blank: { percent: "10", fixed: "" },
    toTyped: (value, at) =>
      isPercent(at.form["kind"])
        ? { percent: String(Number(value) / 100), fixed: "" }
        : { percent: "", fixed: money.toTyped(value, at) },
    read: (typed, at) => {
      if (!isPercent(at.form["kind"])) {
        const got = money.read(memberText(typed, "fixed"), { ...at, before: undefined });
        return "value" in got && got.value === undefined ? { fault: "shop.ui.fault.money" } : got;
      }
      const value = readPercent(memberText(typed, "percent"));
      return value === undefined ? { fault: "shop.coupons.fault.percent" } : { value };
    },
    Field: ({ label, error, value, onChange, form, context }) => {
      const kind = isPercent(form["kind"]) ? "percent" : "fixed";
      const [percent, fixed] = [memberText(value, "percent"), memberText(value, "fixed")];
      return (
        <MoneyField
          label={label}
          error={error}
          currency={kind === "percent" ? "%" : context.currency}
          value={kind === "percent" ? percent : fixed}
          onInput={(typed) =>
            onChange(kind === "percent" ? { percent: typed, fixed } : { percent, fixed: typed })
          }
        />
      );
    },
    say: (value, at) =>
      isPercent(at.form["kind"]) && typeof value === "number" ? showPercent(value) : money.say(value, at),
  };
}

function toState({
  enabled,
  startsAt,
  endsAt,
  maxUses,
  used,
}: CouponView): "on" | "off" | "later" | "over" | "used" {
  const now = Date.now();
  if (!enabled) return "off";
  if (endsAt !== undefined && Date.parse(endsAt) <= now) return "over";
  if (maxUses !== undefined && used >= maxUses) return "used";
  return startsAt !== undefined && Date.parse(startsAt) > now ? "later" : "on";
}

function Mark({ view }: { view: CouponView }): JSX.Element {
  const state = toState(view);
  const kind = state === "on" ? "good" : state === "later" ? "idle" : "warn";
  return <Badge kind={kind}>{text(`shop.coupons.state.${state}`)}</Badge>;
}

function toUses({ used, maxUses }: CouponView): string {
  if (maxUses === undefined) return toNumber(used);
  return text("shop.coupons.usedOf", { used: toNumber(used), most: toNumber(maxUses) });
}

function Uses({ view }: { view: CouponView }): JSX.Element {
  return (
    <Panel title={text("shop.coupons.uses")}>
      <dl class="figures">
        <Figure label={text("shop.coupons.used")} value={toUses(view)} />
      </dl>
      <p class="field-hint">{text("shop.coupons.used.hint")}</p>
      {view.used > 0 && view.code !== "" && (
        <div class="button-row">
          <a class="button" href={`/admin/orders?coupon=${encodeURIComponent(view.code)}`}>
            {text("shop.coupons.orders")}
          </a>
        </div>
      )}
    </Panel>
  );
}

function toWorth({ kind, value, currency, buyQuantity = 1, getQuantity = 1 }: CouponView): string {
  if (kind === "shipping") return text("shop.coupons.kind.shipping");
  if (kind === "fixed") return showMoney(value, currency);
  if (kind === "percent") return showPercent(value);
  return text("shop.coupons.buyGet", { buy: toNumber(buyQuantity), get: toNumber(getQuantity) });
}

/** The code, or the title of an automatic discount. */
function toName({ code, title = "" }: Pick<CouponView, "code" | "title">): string {
  return code === "" ? title : code;
}

function ImportLink(): JSX.Element | null {
  if (!mayUse("products:write")) return null;
  return (
    <a class="button" href="/admin/products/import?from=shop&kind=coupons">
      {text("shop.coupons.import")}
    </a>
  );
}

export const coupons: Resource<CouponView, typeof couponChangeSchema, Goods> = {
  api: "/api/admin/coupons",
  home: "/admin/coupons",
  navigation: "shop.nav.coupons",
  texts: "shop.coupons",
  words: "shop.coupons.field",
  write: "products:write",
  schema: couponChangeSchema,
  kinds: { money: moneyKind },
  fields: {
    value: {
      kind: worthKind,
      when: ({ kind }) => kind !== "shipping",
      label: ({ kind }) => (isPercent(kind) ? "shop.coupons.field.percent" : "shop.coupons.field.amount"),
    },
    buyQuantity: { when: ({ kind }) => kind === "buy_get", fault: "shop.ui.fault.whole" },
    getQuantity: { when: ({ kind }) => kind === "buy_get", fault: "shop.ui.fault.whole" },
    getProductIds: { when: ({ kind }) => kind === "buy_get", kind: productsKind },
    code: { when: ({ automatic }) => automatic !== true },
    title: { when: ({ automatic }) => automatic === true, missing: "admin.fault.empty" },
    kind: { kind: choiceKind({ words: "shop.coupons.kind" }) },
    cap: {
      placeholder: "shop.ui.noLimit",
      when: ({ kind }) => kind === "percent" || kind === "shipping",
      label: ({ kind }) =>
        kind === "shipping" ? "shop.coupons.field.cap.shipping" : "shop.coupons.field.cap",
    },
    minimumQuantity: { placeholder: "shop.ui.noLimit", fault: "shop.ui.fault.whole" },
    countries: { kind: countriesKind },
    maxUses: { placeholder: "shop.ui.noLimit", fault: "shop.ui.fault.whole" },
    maxUsesPerUser: { placeholder: "shop.ui.noLimit", fault: "shop.ui.fault.whole" },
    categoryIds: { kind: categoriesKind, label: "shop.nav.categories" },
    productIds: { kind: productsKind },
  },
  panels: [
    { title: "shop.coupons.code", fields: ["automatic", "code", "title", "enabled", "note"] },
    {
      title: "shop.coupons.group.worth",
      fields: [
        "kind",
        ["buyQuantity", "getQuantity"],
        ["value", "cap"],
        "getProductIds",
        ["minimum", "minimumQuantity"],
        "stacks",
      ],
    },
    {
      title: "shop.coupons.group.limits",
      fields: [
        ["startsAt", "endsAt"],
        ["maxUses", "maxUsesPerUser"],
      ],
    },
    {
      title: "shop.coupons.group.scope",
      hint: "shop.coupons.group.scope.hint",
      fields: ["categoryIds", "productIds", "countries"],
    },
  ],
  check: ({ startsAt, endsAt }) =>
    new Map(startsAt && endsAt && endsAt <= startsAt ? [["/endsAt", "admin.fault.after"]] : []),
  idOf: ({ id }) => id,
  nameOf: toName,
  useContext: useGoods,
  Mark,
  ListActions: ImportLink,
  Side: Uses,
  table: {
    class: "goods-table is-coupons",
    icon: "grid",
    columns: ({ change, mayWrite }) => [
      {
        key: "code",
        label: text("shop.coupons.code"),
        cell: ({ id, code, title, note }) => (
          <>
            <a class="row-name" href={`/admin/coupons/${id}`}>
              {toName({ code, title })}
            </a>
            {note !== "" && (
              <>
                <br />
                <span class="field-hint break">{note}</span>
              </>
            )}
          </>
        ),
      },
      {
        key: "worth",
        label: text("shop.coupons.worth"),
        number: true,
        cell: toWorth,
      },
      { key: "state", label: text("admin.column.state"), cell: (view) => <Mark view={view} /> },
      { key: "used", label: text("shop.coupons.used"), number: true, cell: toUses },
      {
        key: "until",
        label: text("shop.coupons.field.endsAt"),
        cell: ({ endsAt }) => (endsAt === undefined ? "" : <Moment at={endsAt} />),
      },
      {
        key: "switch",
        label: text("shop.coupons.field.enabled"),
        silent: true,
        cell: (view) => (
          <Switch
            label={text("shop.coupons.on", { code: toName(view) })}
            checked={view.enabled}
            disabled={!mayWrite}
            onChange={(enabled) => change(view, { enabled })}
          />
        ),
      },
    ],
  },
};

/** The section. */
export function CouponsPage({ id }: { id: string | undefined }): JSX.Element {
  if (id === undefined) return <ResourceList of={coupons} />;
  return id === "new" ? <NewResourcePage of={coupons} /> : <ResourcePage of={coupons} id={id} key={id} />;
}
