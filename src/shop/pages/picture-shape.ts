/** The proportions of pictures in lists: those that the owner chose, or that most products have. */
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { PictureShape, Storefront } from "../site/storefront-schema.ts";

type Shape = Exclude<PictureShape, "auto">;

/** Products whose pictures are counted: the newest. */
const COUNTED = 60;
/** Height by width from which on a picture is upright, and below which it is wide. */
const [UPRIGHT, WIDE] = [1.12, 0.88];

function toShape(width: number, height: number): Shape {
  const ratio = height / Math.max(1, width);
  if (ratio >= UPRIGHT) return "portrait";
  return ratio < WIDE ? "landscape" : "square";
}

/** Creates what finds it, counted once for each state of the catalogue. */
export function createFindShape(
  catalogue: Pick<Catalogue, "list" | "revision">,
): (storefront: Pick<Storefront, "pictures">) => Shape {
  let counted: { readonly revision: number; readonly shape: Shape } | undefined;

  function count(): Shape {
    const counts = { square: 0, portrait: 0, landscape: 0 };
    for (const { product } of catalogue.list({}, { sort: "newest", limit: COUNTED }).items) {
      const [image] = product.images;
      if (image !== undefined) counts[toShape(image.width, image.height)] += 1;
    }
    const { square, portrait, landscape } = counts;
    if (portrait > square && portrait >= landscape) return "portrait";
    return landscape > square ? "landscape" : "square";
  }

  return ({ pictures }) => {
    if (pictures !== "auto") return pictures;
    const revision = catalogue.revision();
    if (counted?.revision !== revision) counted = { revision, shape: count() };
    return counted.shape;
  };
}
