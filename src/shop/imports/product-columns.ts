/** The columns of files with products. */
import { createColumns } from "./columns.ts";

/** Fields that a column can be mapped to. */
const productFields = [
  "handle",
  "title",
  "summary",
  "description",
  "status",
  "published",
  "kind",
  "vendor",
  "category",
  "tags",
  "price",
  "salePrice",
  "compareAtPrice",
  "currency",
  "sku",
  "stock",
  "inStock",
  "tracker",
  "weight",
  "weightUnit",
  "image",
  "imageAlt",
  "imagePosition",
  "variantImage",
  "option1Name",
  "option1Value",
  "option2Name",
  "option2Value",
  "option3Name",
  "option3Value",
  "parent",
  "foreignId",
  "shipping",
  "taxable",
  "url",
] as const;
export type ProductField = (typeof productFields)[number];

/** Headers of Shopify, WooCommerce, Gumroad and Lemon Squeezy, and words of en, de, fr, es, it, nl, pt, pl, zh and ja. */
const words: Readonly<Record<ProductField, string>> = {
  handle:
    "handle|url handle|slug|permalink|custom permalink|product id|item id|produkt id|identifier|identifiant|kennung|别名|商品编号",
  title:
    "title|name|product name|product title|item name|titel|produktname|artikelname|artikelbezeichnung|bezeichnung|artikelbezeichnung|nom|nom du produit|titre|nombre|nombre del producto|titulo|título|nome|naam|productnaam|nazwa|标题|名称|商品名称|产品名称|商品名",
  summary:
    "short description|summary|kurzbeschreibung|zusammenfassung|description courte|résumé|descripción corta|resumen|descrizione breve|korte beschrijving|descrição curta|krótki opis|简短描述|摘要|简介",
  description:
    "body html|description|body|long description|product description|description html|beschreibung|langbeschreibung|artikelbeschreibung|produktbeschreibung|descripción|descrizione|beschrijving|descrição|opis|描述|说明|商品描述|详情",
  status: "status|état|estado|stato|zustand|状态",
  published:
    "published|published on online store|veröffentlicht|publié|publicado|pubblicato|gepubliceerd|opublikowano|已发布|发布|上架",
  kind: "type|product type|typ|produkttyp|tipo|类型",
  vendor: "vendor|brand|brands|marke|marken|hersteller|marque|marca|merk|manufacturer|品牌|供应商",
  category:
    "category|categories|product category|kategorie|kategorien|warengruppe|catégorie|catégories|categoría|categorías|categoria|categorie|categorieën|kategoria|类别|分类|类目",
  tags: "tags|tag|schlagwörter|schlagworte|étiquettes|mots clés|etiquetas|标签",
  price:
    "price|variant price|regular price|list price|item price|unit price|preis|regulärer preis|verkaufspreis|bruttopreis|vk|vk preis|prix|tarif régulier|prix de vente|precio|precio normal|prezzo|prijs|preço|cena|价格|售价|单价|常规售价|価格",
  salePrice:
    "sale price|angebotspreis|aktionspreis|tarif promo|prix promo|precio rebajado|precio de oferta|促销价格|特价",
  compareAtPrice:
    "compare at price|variant compare at price|compare price|streichpreis|uvp|alter preis|prix barré|precio anterior|precio de comparación|原价|划线价",
  currency: "currency|währung|devise|moneda|valuta|waluta|货币|币种",
  sku: "sku|variant sku|product sku|item number|article number|artikelnummer|art nr|artikelnr|ugs|référence|référence produit|referencia|artikelcode|codice articolo|sku id|货号|商品编码",
  stock:
    "stock|inventory|variant inventory qty|inventory quantity|quantity|qty|quantity available|on hand|bestand|lager|lagerbestand|menge|stock quantity|quantité|quantité en stock|inventario|existencias|cantidad|voorraad|giacenza|estoque|库存|数量|库存数量",
  inStock: "in stock|vorrätig|en stock|existencias disponibles|in voorraad|有货",
  tracker: "variant inventory tracker|inventory tracker",
  weight: "weight|variant grams|variant weight|weight value grams|gewicht|poids|peso|waga|重量",
  weightUnit: "weight unit|gewichtseinheit|unité de poids|unidad de peso|重量单位",
  image:
    "image|images|foto|fotos|image src|product image url|image url|image urls|picture|pictures|picture url|photo|photos|bild|bilder|bild url|bilddatei|bild-url|image principale|imagen|imágenes|immagine|immagini|afbeelding|afbeeldingen|imagem|obraz|图片|图像|图片地址|图片链接",
  imageAlt:
    "image alt text|image alt|alt text|alternativtext|bildbeschreibung|texte alternatif|texto alternativo|图片说明|替代文本",
  imagePosition: "image position",
  variantImage: "variant image|variant image url|variantenbild",
  option1Name: "option1 name|option 1 name|attribute 1 name|attribut 1 name",
  option1Value: "option1 value|option 1 value|attribute 1 value s|attribut 1 wert e",
  option2Name: "option2 name|option 2 name|attribute 2 name|attribut 2 name",
  option2Value: "option2 value|option 2 value|attribute 2 value s|attribut 2 wert e",
  option3Name: "option3 name|option 3 name|attribute 3 name|attribut 3 name",
  option3Value: "option3 value|option 3 value|attribute 3 value s|attribut 3 wert e",
  parent: "parent|parent sku|parent product|übergeordnet|übergeordnetes produkt|parente|superior|上级|父级",
  foreignId: "id",
  shipping: "variant requires shipping|requires shipping|shippable",
  taxable: "variant taxable|charge tax|tax status|steuerstatus|état de la tva|estado del impuesto",
  url: "url|product url|link|permalink url|produkt url|adresse|buy now url|网址|链接",
};

/** Columns of a shop that mean something else there than elsewhere. */
const differing = {
  // "Type" is a free text for groups of products; "Product Category" is Shopify's own taxonomy.
  shopify: { type: "category", "product category": "", "product id": "", id: "" },
  // "Sale Price" is what one buyer paid.
  gumroad: {
    "product id": "handle",
    price: "",
    "sale price": "",
    "sku id": "sku",
    quantity: "",
    "item price": "price",
  },
  // Amounts of its API are cents.
  lemonsqueezy: {
    price: "",
    "price formatted": "price",
    "large thumb url": "image",
    "thumb url": "",
    "buy now url": "url",
    "store id": "",
  },
} as const;

export const productColumns = createColumns<ProductField>({
  fields: productFields,
  words,
  differing,
  findSource: (keys) => {
    const has = (...all: readonly string[]): boolean => all.every((key) => keys.has(key));
    if (has("handle", "title") && (keys.has("variant price") || keys.has("option1 name"))) return "shopify";
    if (has("url handle", "title")) return "shopify";
    // Its headers are translated; the first three are not in all languages.
    const isWoo = has("id", "sku") && (keys.has("regular price") || keys.has("attribute 1 name"));
    if (isWoo || [...keys].some((key) => /^attribut\w* 1 (?:name|nom)/u.test(key))) return "woocommerce";
    if (has("item name", "purchase id")) return "gumroad";
    if (has("slug", "price formatted") || has("buy now url") || has("store id", "price"))
      return "lemonsqueezy";
    return undefined;
  },
});
