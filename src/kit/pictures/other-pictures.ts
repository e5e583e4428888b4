/** Pictures of other kinds than PNG, JPEG and WebP: known by their first bytes, so that a refusal says how to convert them. */

const HEIC = "HEIC pictures are not supported";
const AVIF = "AVIF pictures are not supported";

/** ISO/IEC 14496-12, section 4.3: the brand in the first box of a file. */
const brands: Readonly<Record<string, string>> = {
  heic: HEIC,
  heix: HEIC,
  heim: HEIC,
  heis: HEIC,
  hevc: HEIC,
  hevx: HEIC,
  mif1: HEIC,
  msf1: HEIC,
  avif: AVIF,
  avis: AVIF,
};
const PHONE = "on an iPhone, choose Settings, Camera, Formats, Most Compatible to take JPEG photos";
const CONVERT = "open the picture and export it as JPEG, then upload the JPEG";

function textAt(bytes: Uint8Array, start: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(start, start + length));
}

function findBrand(bytes: Uint8Array): string | undefined {
  return textAt(bytes, 4, 4) === "ftyp" ? brands[textAt(bytes, 8, 4)] : undefined;
}

/** Whether bytes say that they are an AVIF picture. */
export function isAvif(bytes: Uint8Array): boolean {
  return findBrand(bytes) === AVIF;
}

/** Why bytes that are no PNG, JPEG or WebP cannot be taken, and what to do. */
export function explainOtherPicture(bytes: Uint8Array): string {
  const named = findBrand(bytes);
  if (named !== undefined) return `${named}: ${CONVERT}${named === HEIC ? `; ${PHONE}` : ""}`;
  const start = textAt(bytes, 0, 4);
  const isTiff = start === "II*\0" || start === "MM\0*";
  const other = start === "GIF8" ? "GIF" : isTiff ? "TIFF" : start.startsWith("BM") ? "BMP" : undefined;
  if (other !== undefined) return `${other} pictures are not supported: ${CONVERT}`;
  return "The body is not a valid PNG, JPEG or WebP picture";
}
