/** Account numbers of banks (ISO 13616) and the buyer references of German authorities, which share check digits. */
import { z } from "zod";

/** The rest by 97 of a text in which A is 10 and Z is 35 (ISO 7064, MOD 97-10). */
function restOf(text: string): number {
  let rest = 0;
  for (const character of text)
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest;
}

/** An IBAN in capitals without spaces. */
export const ibanSchema = z
  .string()
  .max(60)
  .overwrite((typed) => typed.replaceAll(/\s/gu, "").toUpperCase())
  .refine(
    (text) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/u.test(text),
    "must be an IBAN such as DE02 1203 0000 0000 2020 51",
  )
  .refine(
    (text) => !/^[A-Z0-9]+$/u.test(text) || restOf(text.slice(4) + text.slice(0, 4)) === 1,
    "has wrong check digits",
  );

/** 2 to 12 digits, up to 30 letters and digits, and two check digits: "04011000-12345-03". */
const LEITWEG = /^\d{2,12}-(?:[A-Z0-9]{1,30}-)?\d{2}$/iu;

/** Whether a text has the form of a Leitweg-ID and other check digits than it. */
export function isWrongLeitwegId(text: string): boolean {
  return LEITWEG.test(text) && restOf(text.toUpperCase().replaceAll("-", "")) !== 1;
}
