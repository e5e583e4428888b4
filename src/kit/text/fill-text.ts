/** Texts with places for values: "Wait {minutes} minutes". */

/** Values for the places of a text. */
export type TextValues = Readonly<Record<string, string | number>>;

/** A text with its places filled; a place without a value stays as it is. */
export function fillText(text: string, values: TextValues): string {
  return text.replaceAll(/\{(\w+)\}/gu, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}
