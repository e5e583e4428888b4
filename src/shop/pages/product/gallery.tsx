/** @jsxImportSource hono/jsx */
/** The pictures of a product: the one of what is chosen large, the others below it. */
import { imageWidths, toImageAddress, toPlate, toSrcset } from "../../products/image-url.ts";
import type { ProductImage } from "../../products/schema.ts";
import type { Visit } from "../visit.tsx";

const LARGE = "(max-width: 60rem) calc(100vw - 2rem), 42rem";

interface GalleryProps {
  readonly images: readonly ProductImage[];
  /** Of what is chosen; undefined where there is none of it. */
  readonly large: ProductImage | undefined;
  readonly title: string;
  readonly visit: Pick<Visit, "t">;
}

/** The pictures; each of the small ones leads to its large self. */
export function Gallery({ images, large, title, visit: { t } }: GalleryProps) {
  const empty = (
    <span class="picture is-empty" aria-hidden="true">
      {/./u.exec(title)?.[0]}
    </span>
  );
  if (images.length === 0) return empty;
  return (
    <div class="gallery" data-close={t("product.zoomClose")}>
      {large === undefined ? (
        empty
      ) : (
        <a class="gallery-large" href={toImageAddress(large.hash)} data-zoom={t("product.zoom")}>
          <img
            class={`picture${toPlate(large)}`}
            src={`${toImageAddress(large.hash)}?w=${imageWidths[2]}`}
            srcset={toSrcset(large)}
            sizes={LARGE}
            width={large.width}
            height={large.height}
            alt={large.alt === "" ? title : large.alt}
            fetchpriority="high"
          />
        </a>
      )}
      {images.length === 1 && large !== undefined ? (
        <></>
      ) : (
        <ul class="thumbs" aria-label={t("product.pictures")}>
          {images.map((image, at) => (
            <li>
              <a
                href={toImageAddress(image.hash)}
                data-zoom=""
                aria-current={image === large ? "true" : undefined}
              >
                <img
                  class={toPlate(image).trim() || undefined}
                  src={`${toImageAddress(image.hash)}?w=${imageWidths[0]}`}
                  width={160}
                  height={Math.max(1, Math.round((160 * image.height) / Math.max(1, image.width)))}
                  alt={
                    image.alt === ""
                      ? t("product.picture", { number: at + 1, count: images.length })
                      : image.alt
                  }
                  loading="lazy"
                />
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
