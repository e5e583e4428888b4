/** Pictures of products: added, described, put in order, taken off. */
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { takeUpload } from "./images.ts";
import { type ProductImage, type ProductRecord, MAX_IMAGES } from "../products/schema.ts";
import { getProduct } from "../products/products.ts";
import { dropLostPictures } from "../products/references.ts";
import { products } from "../products/records.ts";

/** A picture of a product by its hash, with the words for those who do not see it. */
export interface ImageChoice {
  readonly hash: string;
  readonly alt?: string | undefined;
}

/** The pictures in the order that was chosen. Throws `invalid`. */
function choose(present: readonly ProductImage[], choices: readonly ImageChoice[]): ProductImage[] {
  const chosen = new Set<string>();
  return choices.map(({ hash, alt }, index) => {
    const image = present.find((candidate) => candidate.hash === hash);
    const message =
      image === undefined
        ? "is not an image of this product. Add it first"
        : chosen.has(hash)
          ? "must not be repeated"
          : undefined;
    if (image === undefined || message !== undefined) {
      const errors = [{ pointer: `/images/${index}/hash`, code: "invalid", message: message ?? "" }];
      throw new AppError("invalid", "The list of images is invalid", { errors });
    }
    chosen.add(hash);
    return { ...image, alt: alt ?? image.alt };
  });
}

export type ProductImages = ReturnType<typeof createProductImages>;

/** Creates the administration of pictures. */
export function createProductImages(deps: Pick<ShopDeps, "store" | "clock" | "blobs" | "sizes">) {
  const { store, clock } = deps;
  function change(
    productId: string,
    actor: AuditActor,
    toImages: (product: ProductRecord) => ProductImage[],
  ): Promise<ProductRecord> {
    return store.transact(async (tx: Tx) => {
      const product = await getProduct(tx, productId);
      const images = toImages(product);
      await writeAudit(
        tx,
        { actor, action: "product.change", target: productId, changes: ["images"] },
        clock,
      );
      const variants = dropLostPictures({ ...product, images });
      return tx.put(products, { ...product, images, variants, updatedAt: clock.now() });
    });
  }
  return {
    /** Adds a picture at the end. Throws `too_large`, `invalid`, `not_found`, `already_exists`, `conflict` beyond 20. */
    add: async (
      productId: string,
      { bytes, alt, actor }: { bytes: Uint8Array<ArrayBuffer>; alt: string; actor: AuditActor },
    ): Promise<ProductRecord> => {
      // Nothing is kept for a product that is not there.
      await store.read((tx) => getProduct(tx, productId));
      const kept = await takeUpload(deps, bytes);
      return change(productId, actor, ({ images }) => {
        if (images.some(({ hash }) => hash === kept.hash))
          throw new AppError("already_exists", "The product already has this image");
        if (images.length >= MAX_IMAGES)
          throw new AppError("conflict", `A product can have up to ${MAX_IMAGES} images. Remove one first`);
        return [...images, { ...kept, alt }];
      });
    },
    /** Puts the product's pictures in this order, and takes off those that are left out. Throws `not_found`, `invalid`. */
    arrange: (
      productId: string,
      { images, actor }: { images: readonly ImageChoice[]; actor: AuditActor },
    ): Promise<ProductRecord> => change(productId, actor, (product) => choose(product.images, images)),
    /**
     * Removes a picture from a product. Its bytes stay: another product or a message may show it. Throws `not_found`.
     */
    remove: (
      productId: string,
      { hash, actor }: { hash: string; actor: AuditActor },
    ): Promise<ProductRecord> =>
      change(productId, actor, ({ images }) => {
        const rest = images.filter((image) => image.hash !== hash);
        if (rest.length === images.length)
          throw new AppError("not_found", "The product does not have this image");
        return rest;
      }),
  };
}
