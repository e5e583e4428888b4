/** Limits of the shop for images. */
import { IMAGE_MAX_BYTES } from "../../../shop/products/schema.ts";
import { text } from "../../app/texts.ts";

/** Their media types, for the field that chooses them. */
export const PICTURE_TYPES = "image/png,image/jpeg,image/webp";

/** Checks a file before the upload; returns the error. */
export function findPictureFault(file: File): string | undefined {
  // Browsers without HEIC know the file by its name alone.
  if (/^image\/hei[cf]$/u.test(file.type) || /\.hei[cf]$/iu.test(file.name))
    return text("shop.ui.picture.heic");
  if (!PICTURE_TYPES.split(",").includes(file.type)) return text("shop.ui.picture.type");
  return file.size > IMAGE_MAX_BYTES ? text("shop.ui.picture.size") : undefined;
}
