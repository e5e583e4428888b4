/** Cells of other shops as values. */
import { toWesternDigits } from "../base/amount-text.ts";

const yes: ReadonlySet<string> = new Set(
  "true|yes|y|1|wahr|ja|vrai|oui|verdadero|sí|si|vero|waar|sim|tak|prawda|是|真|active|published|publish".split(
    "|",
  ),
);

export function isYes(cell: string): boolean {
  return yes.has(cell.trim().toLowerCase());
}

/** A whole number from 0, from "12", "12.0", "12,0", "1.234,00" or "١٢"; undefined for another text. */
export function readCount(cell: string): number | undefined {
  const text = toWesternDigits(cell.normalize("NFKC").trim());
  const [, sign, digits] = /^(-?)(\d{1,12})(?:[.,]0{1,6})?$/u.exec(text) ?? [];
  // A spreadsheet that shows groups of thousands.
  const [, first, mark, rest = ""] =
    /^(\d{1,3})([.,' ])(\d{3}(?:[.,' ]\d{3}){0,3})(?:[.,]0{1,2})?$/u.exec(text) ?? [];
  if (first !== undefined && mark !== undefined)
    return rest.length === 3 || rest.slice(3).startsWith(mark)
      ? Number(first + rest.replaceAll(/\D/gu, ""))
      : undefined;
  if (digits === undefined) return undefined;
  // Oversold units of the other shop.
  return sign === "-" ? 0 : Number(digits);
}

const grams: Readonly<Record<string, number>> = {
  g: 1,
  kg: 1_000,
  lb: 453.592_37,
  lbs: 453.592_37,
  oz: 28.349_523_125,
};

/** Grams; undefined for a text that is no weight. */
export function readGrams(cell: string, unit: string): number | undefined {
  const [, amount = "", own = ""] =
    /^(\d{0,9}(?:[.,]\d{1,12})?) ?(kg|g|lbs?|oz)?$/iu.exec(toWesternDigits(cell.normalize("NFKC").trim())) ??
    [];
  const factor = grams[(own === "" ? unit : own).toLowerCase().trim()];
  const value = Number(amount.replace(",", "."));
  if (amount === "" || factor === undefined || !Number.isFinite(value)) return undefined;
  return Math.round(value * factor);
}

/** The parts of a list with commas, or with semicolons, pipes or line ends where it has no commas. */
export function readList(cell: string): string[] {
  const divider = [",", "|", ";", "\n"].find((mark) => cell.includes(mark)) ?? ",";
  return cell
    .split(divider)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Addresses or names of pictures; a comma inside of an address divides nothing. */
export function readPictures(cell: string): string[] {
  return cell
    .split(/[|;\n]|,(?=\s|https?:\/\/)/u)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Categories such as "Clothing > T-shirts, Sale" as paths. */
export function readCategories(cell: string): string[][] {
  return readList(cell)
    .map((path) =>
      path
        .split(">")
        .map((title) => title.trim())
        .filter((title) => title !== ""),
    )
    .filter((path) => path.length > 0);
}
