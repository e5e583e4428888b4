/** Percent-encoding of parts of an address (RFC 3986, section 2.1). */

/** Whether the text can be decoded: each "%" begins a byte, and the bytes are UTF-8. */
export function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
