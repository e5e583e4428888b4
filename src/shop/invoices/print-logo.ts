/** The shop's logo on documents: a PNG everywhere, an SVG in HTML alone. */
import { readLogo } from "../../kit/brand/logo.ts";
import type { SiteSettings } from "../site/schema.ts";
import type { PrintLogo } from "./print-document.ts";

/** A small file may unpack to many pixels. */
const MAX_PIXELS = 4_000_000;
/** Bytes before the width in the first chunk of a PNG (RFC 2083 section 4.1.1). */
const WIDTH_AT = 16;

/** The logo of the settings; undefined without one. */
export function toPrintLogo({ branding, name, seller }: SiteSettings): PrintLogo | undefined {
  const { logo: address } = branding;
  const logo = readLogo(address);
  if (logo === undefined) return undefined;
  const alt = seller.name || name;
  const { bytes, contentType } = logo;
  if (contentType !== "image/png" || bytes.length < WIDTH_AT + 8) return { address, alt };
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [width, height] = [view.getUint32(WIDTH_AT), view.getUint32(WIDTH_AT + 4)];
  const isFit = width > 0 && height > 0 && width * height <= MAX_PIXELS;
  return { address, alt, size: isFit ? { width, height } : undefined };
}
