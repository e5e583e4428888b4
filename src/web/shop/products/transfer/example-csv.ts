/** A file to begin with: a product of its own, one with variants, and one that is sold as keys. */

const rows = [
  "slug,title,summary,status,categoryId,tags,priceDecimal,compareAtPriceDecimal,deliveryType,weightGrams,variantSku,variantOptions,variantPriceDecimal,onHand",
  "enamel-mug,Enamel mug,Holds 300 ml,published,kitchen,gift|camping,14.50,19.00,shipping,180,,,,24",
  "linen-shirt,Linen T-shirt,,draft,clothes,,,,shipping,200,SHIRT-S,size=S,34.50,10",
  "linen-shirt,,,,,,,,,,SHIRT-M,size=M,34.50,8",
  "photo-tool,Photo tool license,For one computer,draft,software,,19.99,,auto_secret,,,,,",
];

/** The text of the file, as the reader's spreadsheet opens it; each variant of a product is a row of its own. */
export function toExampleCsv(separator: "comma" | "semicolon"): string {
  const lines =
    separator === "comma"
      ? rows
      : rows.map((row) => row.replaceAll(",", ";").replaceAll(/(\d)\.(\d)/gu, "$1,$2"));
  return `\ufeff${lines.join("\r\n")}\r\n`;
}
