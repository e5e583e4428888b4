/** Addresses with further parameters. */

/** The address with the parameters after those that it has; spaces as %20, which programs of every kind read. */
export function withQuery(address: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString().replaceAll("+", "%20");
  return query === "" ? address : `${address}${address.includes("?") ? "&" : "?"}${query}`;
}
