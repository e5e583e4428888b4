/** Where pictures are served, in the sizes that screens ask for. */
import type { ProductImage } from "./schema.ts";

/** Available widths of pictures, in pixels. */
export const imageWidths = [160, 320, 640, 1_280] as const;
export type ImageWidth = (typeof imageWidths)[number];

/** Where a picture is served as it came, below the shop's own address. */
export function toImageAddress(hash: string): string {
  return `/api/images/${hash}`;
}

/** The addresses of a picture with their widths, as the attribute `srcset` of HTML takes them. */
export function toSrcset({ hash, width }: Pick<ProductImage, "hash" | "width">): string {
  const address = toImageAddress(hash);
  const smaller = imageWidths.filter((size) => size < width).map((size) => `${address}?w=${size} ${size}w`);
  return [...smaller, `${address} ${width}w`].join(", ");
}

/** The class of a picture that may be transparent: it gets a light plate. */
export function toPlate({ mediaType }: Pick<ProductImage, "mediaType">): string {
  return mediaType === "image/jpeg" ? "" : " is-plated";
}
