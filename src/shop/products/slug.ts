/** Slugs for addresses, made from titles. */
import anyAscii from "any-ascii";
import { mixesScripts } from "../../kit/text/schemas.ts";
import type { ReadTx } from "../../store/store.ts";
import { readSite } from "../site/settings.ts";
import type { SiteSettings } from "../site/schema.ts";
import { products } from "./records.ts";

const MAX_LENGTH = 120;
/** Room for "-1000" behind the slug. */
const MAX_BASE_LENGTH = MAX_LENGTH - 5;
const MAX_NUMBER = 1_000;
/** Titles are shorter; a handle of another shop may be anything. */
const MAX_TITLE_LENGTH = 400;

/** Letters that no decomposition (Unicode NFKD) takes apart. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  þ: "th",
  ħ: "h",
  ı: "i",
};

/** How titles become slugs: in Latin letters, or in those of the title. */
export type SlugStyle = SiteSettings["slugStyle"];

/** The whole text in ASCII; scripts without an alphabet are read in their main language: "茶杯" → "cha bei". */
function romanize(title: string): string {
  const plain = title
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[ßæœøđðłþħı]/gu, (letter) => letters[letter] ?? "")
    .replaceAll(/[\p{M}'’]/gu, "");
  // Each ideograph is a syllable or a word.
  return anyAscii(plain.replaceAll(/\p{Script=Han}/gu, "$& ")).toLowerCase();
}

/** "" when nothing of the title can be part of an address. */
function keepLetters(title: string): string {
  return title
    .toLowerCase()
    .normalize("NFC")
    .replaceAll(/['’]/gu, "")
    .replaceAll(/[^\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+/gu, "-")
    .replaceAll(/(?<=^|-)\p{M}+/gu, "");
}

/**
 * The slug for a title: "Grüße, Ørsted!" → "grusse-orsted", or with "letters" → "grüße-ørsted"; "" when nothing of it
 * can be written so.
 */
export function toSlug(title: string, style: SlugStyle = "romanize"): string {
  const short = title.slice(0, MAX_TITLE_LENGTH);
  const kept = style === "letters" ? keepLetters(short) : "";
  // Latin with letters of another script that look alike can be neither typed nor trusted.
  const base = kept !== "" && !mixesScripts(kept) ? kept : romanize(short).replaceAll(/[^a-z0-9]+/gu, "-");
  const parts: string[] = [];
  let length = 0;
  for (const part of base.split("-")) {
    length += part.length + 1;
    if (part === "") continue;
    if (length > MAX_BASE_LENGTH && parts.length > 0) break;
    parts.push(
      Array.from(part)
        .slice(0, MAX_BASE_LENGTH / 2)
        .join(""),
    );
  }
  return parts.join("-");
}

/** The slug for a product: from its title, else from its id; with -2, -3 and so on when it is taken. */
export async function findFreeSlug(
  tx: ReadTx,
  { title, id }: { readonly title: string; readonly id: string },
): Promise<string> {
  const fallback = id.replaceAll("_", "-");
  const { slugStyle } = await readSite(tx);
  const base = toSlug(title, slugStyle) || fallback;
  for (let number = 1; number <= MAX_NUMBER; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    const holder = await tx.by(products, "bySlug", [slug]);
    if (holder === undefined || holder.id === id) return slug;
  }
  return fallback;
}

/** The path of a product's page, percent-encoded (RFC 3986 section 2.1). */
export function toProductPath(slug: string): string {
  return `/p/${encodeURIComponent(slug)}`;
}
