/** The columns of files with license keys. */
import { createColumns } from "../columns.ts";

const keyFields = [
  "key",
  "product",
  "productName",
  "variant",
  "email",
  "name",
  "status",
  "enabled",
  "disabled",
  "revoked",
  "refunded",
  "disputed",
  "disputeWon",
  "maxDevices",
  "used",
  "expiresAt",
  "since",
] as const;
export type KeyField = (typeof keyFields)[number];

/** Headers of Gumroad, Lemon Squeezy and plugins of WooCommerce, and words of en, de, fr, es, it, nl, pt, pl, zh and ja. */
const words: Readonly<Record<KeyField, string>> = {
  key: "license key|licence key|license|licence|key|serial|serial number|activation key|lizenzschlüssel|lizenz|schlüssel|seriennummer|clé de licence|clé|clave de licencia|clave|chiave di licenza|licentiesleutel|chave de licença|klucz licencyjny|许可证密钥|密钥|卡密|激活码|ライセンスキー",
  product:
    "product|product id|product sku|sku|product slug|produkt|artikelnummer|produit|producto|prodotto|produto|商品|商品编号",
  productName: "product name|item name|download|produktname|nom du produit|nombre del producto|商品名称",
  variant: "variant|variant name|variants|variation|variante|option|款式|规格",
  email:
    "email|e mail|user email|customer email|purchase email|billing email|e mail adresse|courriel|correo|邮箱|电子邮箱|メールアドレス",
  name: "name|user name|customer name|buyer name|kunde|client|cliente|姓名|客户名称",
  status: "status|license status|zustand|état|estado|stato|状态",
  enabled: "license key enabled|enabled|active|aktiv|actif|activo|启用",
  disabled: "disabled|deaktiviert|désactivé|停用",
  revoked: "access revoked|revoked",
  refunded: "fully refunded",
  disputed: "disputed",
  disputeWon: "dispute won",
  maxDevices:
    "activation limit|activations limit|max activations|times activated max|maximum activations|seats|max devices|geräte|aktivierungslimit|limite d activation|límite de activaciones|激活上限|设备上限",
  used: "activations|activation count|activations count|activation usage|instances count|times activated|license key activation count|uses|aktivierungen|激活次数",
  expiresAt:
    "expires at|expires|expiration|expiration date|expiry|expiry date|valid until|gültig bis|ablaufdatum|expire le|caduca|scadenza|有效期至|到期时间|过期时间",
  since:
    "created at|created|date created|purchase date|purchased|gekauft am|kaufdatum|date d achat|fecha de compra|购买日期|创建时间",
};

export const keyColumns = createColumns<KeyField>({
  fields: keyFields,
  words,
  differing: {
    gumroad: { "buyer email": "", name: "", "sku id": "", "subscription end date": "expiresAt" },
    lemonsqueezy: { "product id": "product" },
  },
  findSource: (keys) => {
    const has = (...all: readonly string[]): boolean => all.every((key) => keys.has(key));
    if (has("license key", "purchase id")) return "gumroad";
    if (has("key", "activation limit") && (keys.has("instances count") || keys.has("activation usage")))
      return "lemonsqueezy";
    if (has("license key", "times activated max")) return "woocommerce";
    return undefined;
  },
});
