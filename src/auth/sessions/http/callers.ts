/** The caller of a request. */
import { toAddressPrefix } from "../../../kit/outbound/ip-address.ts";
import { findAcceptedLanguage } from "../../../kit/text/accepted-languages.ts";
import type { Caller } from "../../base/caller.ts";
import { callerNameSchema } from "../../base/ledger-schema.ts";
import { readDevice } from "./device-cookie.ts";

const MAX_USER_AGENT = 200;

const MAX_CLIENT_ID = 64;

/**
 * The application that `X-Auth-Client` names, undefined when it names none. Other spellings get one form:
 * "My App" is "my-app", "https://Shop.example/" is "shop.example".
 */
export function findClientId(header: string | undefined): string | undefined {
  if (header === undefined || header === "") return undefined;
  if (callerNameSchema.safeParse(header).success) return header;
  const plain = header
    .slice(0, 4 * MAX_CLIENT_ID)
    .toLowerCase()
    .replace(/^\s*https?:\/\//u, "")
    .replaceAll(/[^a-z0-9._-]+/gu, "-")
    .replace(/^[^a-z0-9]+/u, "")
    .slice(0, MAX_CLIENT_ID);
  // From behind by hand: an expression for it is quadratic on long runs.
  let end = plain.length;
  while (end > 0 && /[^a-z0-9]/u.test(plain.charAt(end - 1))) end -= 1;
  return end === 0 ? undefined : plain.slice(0, end);
}

/** The same, "unknown" when it names none. */
export function toClientId(header: string | undefined): string {
  return findClientId(header) ?? "unknown";
}

/** The caller of the request in a context. */
export function toCaller(c: {
  readonly req: { header(name: string): string | undefined };
  readonly var: { readonly requestId: string; readonly clientAddress: string };
}): Caller {
  const { clientAddress, requestId } = c.var;
  return {
    clientId: toClientId(c.req.header("x-auth-client")),
    clientAddress,
    ipPrefix: toAddressPrefix(clientAddress),
    // Header values are latin-1 or ASCII; what does not print could forge lines where it is shown.
    userAgent: (c.req.header("user-agent") ?? "")
      .replaceAll(/[^\u0020-\u007e]/gu, "")
      .slice(0, MAX_USER_AGENT),
    requestId,
    language: findAcceptedLanguage(c.req.header("accept-language")),
    device: readDevice((name) => c.req.header(name)),
  };
}
