/** A file to begin with: a product of its own, one with variants, and one that is sold as keys. */

const rows = [
  "slug,title,summary,status,categoryId,tags,price,compareAtPrice,deliveryType,weightGrams,variantSku,variantOptions,variantPrice,onHand",
  "enamel-mug,Enamel mug,Holds 0.3 l,published,kitchen,gift|camping,1450,1900,shipping,180,,,,24",
  "linen-shirt,Linen T-shirt,,draft,clothes,,,,shipping,200,SHIRT-S,size=S,3450,10",
  "linen-shirt,,,,,,,,,,SHIRT-M,size=M,3450,8",
  "photo-tool,Photo tool licence,For one computer,draft,software,,1999,,auto_secret,,,,,",
];

/** The text of the file; each variant of a product is a row of its own. */
export const exampleCsv = `${rows.join("\r\n")}\r\n`;
