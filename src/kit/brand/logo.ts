/** The owner's logo: a PNG or SVG as a data address, small. What an SVG may contain: `logo-change.ts`. */
import { fromBase64 } from "../text/base64.ts";

export const MAX_LOGO_BYTES = 65_536;
const PREFIXES = {
  "image/png": "data:image/png;base64,",
  "image/svg+xml": "data:image/svg+xml;base64,",
} as const;
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
export interface Logo {
  readonly contentType: keyof typeof PREFIXES;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The picture in a data address; undefined when there is none. */
export function readLogo(address: string): Logo | undefined {
  for (const contentType of ["image/png", "image/svg+xml"] as const) {
    const prefix = PREFIXES[contentType];
    if (!address.startsWith(prefix)) continue;
    try {
      return { contentType, bytes: fromBase64(address.slice(prefix.length)) };
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function isSvg(bytes: Uint8Array): boolean {
  try {
    return /<(?:\w+:)?svg[\s/>]/u.test(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return false;
  }
}

/** Why a picture cannot be the logo; undefined when it can, and for "", which is no logo. */
export function findLogoFault(address: string): string | undefined {
  if (address === "") return undefined;
  const logo = readLogo(address);
  if (logo === undefined) return "must be a PNG or SVG picture as a base64 data URL, or empty";
  const { contentType, bytes } = logo;
  if (bytes.length > MAX_LOGO_BYTES) return `has ${bytes.length} bytes. The maximum is ${MAX_LOGO_BYTES}`;
  if (contentType === "image/png")
    return PNG_SIGNATURE.every((byte, at) => bytes[at] === byte) ? undefined : "is not a PNG picture";
  return isSvg(bytes) ? undefined : "is not an SVG picture";
}
