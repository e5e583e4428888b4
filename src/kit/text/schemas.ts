/** Schemas of texts, times and zones that every service's words are made of. */
import { z } from "zod";
import { fieldHints } from "./field-hints.ts";

/** Text of one line: control characters and line separators could forge log lines and headers. */
export function line(maxLength: number): z.ZodString {
  return z
    .string()
    .max(maxLength)
    .regex(
      /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]*$/u,
      "must be one line without control characters",
    );
}

/** Text of several lines; tabs and line feeds only. */
export function text(maxLength: number): z.ZodString {
  const several = z
    .string()
    .max(maxLength)
    .regex(
      /^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f\ud800-\udfff]*$/u,
      "must not contain control characters",
    );
  fieldHints.add(several, { long: true });
  return several;
}

/** One line with something in it, without spaces around. */
export function trimmedLine(maxLength: number): z.ZodString {
  return line(maxLength).trim().min(1);
}

/** Epoch milliseconds. */
export const timeMs: z.ZodNumber = z.number().int().min(0).max(8_640_000_000_000_000);

/** Names that were found good; asking Intl costs as much as all the rest of a record. */
const knownTimeZones = new Set<string>();

function isTimeZone(name: string): boolean {
  if (knownTimeZones.has(name)) return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    knownTimeZones.add(name);
    return true;
  } catch {
    return false;
  }
}

/** An IANA time zone. */
export const timeZone: z.ZodString = z
  .string()
  .max(64)
  .refine(isTimeZone, "must be an IANA time zone such as Europe/Berlin");

/** A part of an address: small letters, digits and hyphens. */
export const slug: z.ZodString = z
  .string()
  .min(1)
  .max(120)
  .regex(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/u,
    "must consist of lowercase letters, digits and single hyphens, such as red-mug",
  );

const LATIN = /\p{Script=Latin}/u;
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Whether a text mixes scripts whose letters look alike: "paypal" with two Cyrillic letters is another word. */
export function mixesScripts(text: string): boolean {
  return LATIN.test(text) && LOOKALIKE.test(text);
}

/** A part of an address with letters of any script: {@link slug} for people who do not write Latin. */
export const pathSlug: z.ZodString = z
  .string()
  .normalize("NFC")
  .min(1)
  .max(120)
  .regex(
    /^[\p{Ll}\p{Lo}\p{Lm}\p{N}][\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]*(?:-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+)*$/u,
    "must consist of lowercase letters of any script, digits and single hyphens, such as red-mug",
  )
  .refine(
    (text) => !mixesScripts(text),
    "must not mix Latin letters with Cyrillic or Greek ones, which look alike",
  );

/** A BCP 47 language tag such as "en" or "pt-BR". */
export const languageTag: z.ZodString = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/u, "must be a language tag such as en or pt-BR");
