/** Addresses with names in braces: "https://pay.example.org/{orderId}". */

/** The first name in braces of an address that is not among `known`. */
export function findUnknownPlaceholder(template: string, known: readonly string[]): string | undefined {
  const names = Array.from(template.matchAll(/\{(\w+)\}/gu), ([, name = ""]) => name);
  return names.find((name) => !known.includes(name));
}

/** An address with its names in braces filled in; a value that costs something to make is a function. */
export function fillTemplate(
  template: string,
  values: Readonly<Record<string, string | (() => string)>>,
): string {
  return template.replaceAll(/\{(\w+)\}/gu, (whole, name: string) => {
    if (!Object.hasOwn(values, name)) return whole;
    const value = values[name] ?? "";
    return encodeURIComponent(typeof value === "string" ? value : value());
  });
}
