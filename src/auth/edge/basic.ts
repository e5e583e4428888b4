/** Credentials of applications in the Authorization header. */
import { fromBase64 } from "../../kit/text/base64.ts";

/** "" for what is no base64, such as a length that no bytes have. */
function decodeBase64(encoded: string): string {
  try {
    return new TextDecoder().decode(fromBase64(encoded));
  } catch {
    return "";
  }
}

/** "Basic" credentials: a client's id and secret (RFC 6749 section 2.3.1). */
export function readBasic(header: string | undefined): { id: string; secret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/iu.exec(header ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = decodeBase64(encoded);
  const colon = text.indexOf(":");
  return colon === -1 ? undefined : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}
