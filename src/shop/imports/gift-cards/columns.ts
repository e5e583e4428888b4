/** The columns of files with gift cards. */
import { createColumns } from "../columns.ts";

const giftCardFields = [
  "code",
  "lastFour",
  "balance",
  "initial",
  "currency",
  "expiresAt",
  "email",
  "name",
  "note",
  "status",
  "enabled",
  "disabled",
] as const;
export type GiftCardField = (typeof giftCardFields)[number];

/** Headers of Shopify and its apps, and of plugins of WooCommerce, and words of en, de, fr, es, it, nl, pt, pl, zh and ja. */
const words: Readonly<Record<GiftCardField, string>> = {
  code: "code|gift card code|gift card|card code|card number|gift card number|number|voucher code|gift code|gutscheincode|gutschein code|gutscheinnummer|kartennummer|code cadeau|code de la carte cadeau|numéro de carte|código|código de tarjeta regalo|codice|codice carta regalo|cadeauboncode|kod|kod karty|礼品卡号|礼品卡代码|卡号|ギフトカードコード",
  lastFour: "last characters|last four|last 4|last four characters",
  balance:
    "balance|current balance|remaining|remaining balance|remaining amount|remaining value|available balance|guthaben|restguthaben|restbetrag|restwert|solde|solde restant|saldo|saldo restante|saldo residuo|resterend saldo|saldo pozostałe|余额|当前余额|残高",
  initial:
    "initial value|initial balance|initial amount|amount|value|original amount|original balance|original value|issued value|card value|gift card value|wert|betrag|ausgangsbetrag|montant|valeur|valeur initiale|importe|valor|valor inicial|importo|valore|bedrag|waarde|kwota|wartość|面值|初始金额|金额|額面",
  currency: "currency|währung|devise|moneda|valuta|moeda|waluta|货币|通貨",
  expiresAt:
    "expires on|expires|expires at|expiration|expiration date|expiry|expiry date|valid until|gültig bis|ablaufdatum|expire le|date d expiration|caduca|fecha de caducidad|scadenza|vervaldatum|data de validade|data ważności|有效期至|到期时间|过期时间|有効期限",
  email:
    "recipient email|recipient|email|e mail|customer email|to email|e mail adresse|empfänger e mail|empfänger|courriel|email du destinataire|correo|destinatario|收件人邮箱|邮箱|メールアドレス",
  name: "recipient name|customer name|name|to|empfängername|nom du destinataire|nombre|nome|naam|收件人|姓名|名前",
  note: "note|notes|comment|internal note|notiz|remarque|nota|opmerking|备注",
  status: "status|state|card status|zustand|statut|estado|stato|状态",
  enabled: "enabled|active|is active|aktiv|actif|activo|attivo|启用",
  disabled: "disabled|disabled at|deaktiviert|gesperrt|désactivé|停用",
};

export const giftCardColumns = createColumns<GiftCardField>({
  fields: giftCardFields,
  words,
  differing: {},
  findSource: (keys) => {
    const has = (...all: readonly string[]): boolean => all.every((key) => keys.has(key));
    if (has("last characters") || has("code", "initial value", "expires on")) return "shopify";
    if (has("card number", "balance") || has("code", "recipient", "balance")) return "woocommerce";
    return undefined;
  },
});
