/** The direction of a language's writing, for `dir` of pages and mails. */

/** A table, because Firefox has no Intl.Locale.getTextInfo. */
const rightToLeft = new Set(["ar", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"]);

/** Of a tag such as "ar" or "de-AT". */
export function toDirection(tag: string): "ltr" | "rtl" {
  return rightToLeft.has(tag.split("-")[0]?.toLowerCase() ?? "") ? "rtl" : "ltr";
}
