/** Addresses that applications have browsers sent to. */

/** On the person's own machine (RFC 8252 section 7.3): scheme and host, then the port. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/iu;

/** Whether a program on the person's machine answers it, which can be any program (RFC 8252 section 8.6). */
export function isOnMachine(redirectUri: string): boolean {
  return LOOPBACK.test(redirectUri) || !/^https?:/iu.test(redirectUri);
}

/** Whether one of those that are registered is meant: the same text, but for the port of the person's own machine. */
export function isRegistered(redirectUri: string, registered: readonly string[]): boolean {
  const withoutPort = (uri: string): string => uri.replace(LOOPBACK, "$1");
  return (
    registered.includes(redirectUri) ||
    registered.some((each) => LOOPBACK.test(each) && withoutPort(each) === withoutPort(redirectUri))
  );
}
