/** The credentials that the application shows the center. */

/** Basic credentials; both parts are form-encoded first (RFC 6749 section 2.3.1). */
export function toBasic(clientId: string, clientSecret: string): string {
  return btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
}

/** The credentials of a client, if it has any. Throws unless id and secret come together. */
export function findBasic(
  clientId: string | undefined,
  clientSecret: string | undefined,
): string | undefined {
  if ((clientId === undefined) !== (clientSecret === undefined))
    throw new TypeError("clientId and clientSecret must be used together");
  return clientId === undefined || clientSecret === undefined ? undefined : toBasic(clientId, clientSecret);
}
