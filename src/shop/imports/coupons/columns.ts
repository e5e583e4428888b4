/** The columns of files with coupons. */
import { createColumns } from "../columns.ts";

const couponFields = [
  "code",
  "kind",
  "value",
  "percent",
  "amount",
  "valueType",
  "discountClass",
  "minimum",
  "maximum",
  "cap",
  "currency",
  "startsAt",
  "endsAt",
  "maxUses",
  "maxUsesPerUser",
  "oncePerCustomer",
  "used",
  "status",
  "note",
  "products",
  "categories",
  "excludedProducts",
  "excludedCategories",
  "freeShipping",
  "excludeSale",
  "customers",
  "itemLimit",
] as const;
export type CouponField = (typeof couponFields)[number];

/** Headers of Shopify, WooCommerce and its export plugins, and Lemon Squeezy, and words of en, de, fr, es, it, nl, pt, pl, zh and ja. */
const words: Readonly<Record<CouponField, string>> = {
  code: "code|coupon code|coupon|discount code|voucher code|voucher|promo code|post title|gutscheincode|gutschein|gutschein code|rabattcode|code promo|code de réduction|bon de réduction|código|código de cupón|cupón|codice|codice sconto|kortingscode|código de desconto|kod rabatowy|kod|优惠码|优惠券代码|优惠券|クーポンコード",
  kind: "type|discount type|coupon type|rabattart|art|type de remise|tipo|tipo de descuento|tipo di sconto|类型|优惠类型",
  value:
    "value|discount|discount value|coupon amount|wert|rabatt|rabattwert|remise|valeur|valor|descuento|sconto|valore|korting|desconto|rabat|折扣|优惠|值",
  percent:
    "percent|percentage|percent off|discount percent|discount percentage|prozent|rabatt in prozent|pourcentage|porcentaje|percentuale|折扣百分比|百分比",
  amount:
    "amount|amount off|discount amount|fixed amount|betrag|rabattbetrag|montant|importe|importo|bedrag|kwota|金额|优惠金额",
  valueType: "value type|amount type",
  discountClass: "discount class",
  minimum:
    "minimum|minimum amount|minimum spend|min spend|minimum purchase|minimum purchase requirements|minimum order|mindestbestellwert|mindestbetrag|minimum de commande|montant minimum|pedido mínimo|importe mínimo|ordine minimo|minimumbedrag|minimalna kwota|最低消费|最低金额",
  maximum: "maximum amount|maximum spend|max spend|höchstbestellwert|montant maximum|importe máximo|最高金额",
  cap: "cap|maximum discount|max discount|höchstrabatt|remise maximum|最高优惠",
  currency: "currency|währung|devise|moneda|valuta|waluta|货币",
  startsAt:
    "start|starts at|start date|valid from|date start|starts|gültig ab|beginn|von|date de début|début|fecha de inicio|válido desde|data di inizio|startdatum|data de início|data początkowa|开始时间|开始日期",
  endsAt:
    "end|ends at|end date|expires|expires at|expiry|expiry date|expiration date|date expires|valid until|valid to|gültig bis|ablaufdatum|ende|bis|date d expiration|date de fin|expire le|fecha de caducidad|fecha de vencimiento|válido hasta|scadenza|data di scadenza|einddatum|vervaldatum|data de validade|data ważności|到期时间|到期日期|有效期至|过期时间|結束日期",
  maxUses:
    "usage limit|usage limit per code|usage limit per coupon|max uses|maximum uses|max redemptions|limit|max purchase count|einlöselimit|maximale einlösungen|nutzungslimit|limite d utilisation|límite de uso|limite di utilizzo|gebruikslimiet|limite de uso|limit użycia|使用次数上限|总次数",
  maxUsesPerUser:
    "usage limit per user|usage limit per customer|max uses per user|limit per customer|limit pro kunde|einlösungen pro kunde|limite par client|límite por cliente|每人限用|每客户次数",
  oncePerCustomer:
    "applies once per customer|once per customer|one per customer|einmal pro kunde|une fois par client|una vez por cliente|每人一次",
  used: "usage count|times used in total|times used|used|redemptions|redemptions count|eingelöst|verwendet|utilisations|usos|使用次数|已使用",
  status: "status|post status|enabled|active|aktiv|zustand|état|estado|stato|actif|activo|启用|状态",
  note: "note|notes|description|post excerpt|name|titel|notiz|beschreibung|description du coupon|descripción|descrizione|备注|描述",
  products:
    "products|product ids|product skus|product sku|applies to products|include products|produkte|produits|productos|prodotti|producten|商品|适用商品",
  categories:
    "categories|product categories|product category ids|applies to categories|kategorien|catégories|categorías|categorie|分类|适用分类",
  excludedProducts:
    "exclude products|exclude product ids|excluded product ids|excluded products|exclude product skus|ausgeschlossene produkte|排除商品",
  excludedCategories:
    "exclude product categories|excluded product categories|exclude product category ids|excluded categories|ausgeschlossene kategorien|排除分类",
  freeShipping:
    "free shipping|enable free shipping|allow free shipping|kostenloser versand|versandkostenfrei|livraison gratuite|envío gratuito|spedizione gratuita|免运费|包邮",
  excludeSale: "exclude sale items|exclude sale|angebote ausschließen",
  customers:
    "customer selection|customer email|customer emails|allowed emails|email restrictions|restricted emails|kunden|kundengruppe",
  itemLimit: "limit usage to x items|limit items",
};

export const couponColumns = createColumns<CouponField>({
  fields: couponFields,
  words,
  differing: {
    shopify: { name: "code", title: "note", "discount amount": "" },
    // "10.00", whatever the type says that it is.
    woocommerce: { amount: "value", "discount amount": "" },
    lemonsqueezy: { amount: "value" },
  },
  findSource: (keys) => {
    const has = (...all: readonly string[]): boolean => all.every((key) => keys.has(key));
    if (has("name", "value", "value type") || has("discount class")) return "shopify";
    if (has("discount type") || has("coupon amount") || has("code", "usage limit per user"))
      return "woocommerce";
    if (has("code", "amount type")) return "lemonsqueezy";
    return undefined;
  },
});
