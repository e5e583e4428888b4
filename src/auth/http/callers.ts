/** Who asks, read from a request. Hidden here: header names and what is cut or replaced. */
import { toAddressPrefix } from "../../kit/address.ts";
import type { Caller } from "../caller.ts";
import { clientIdSchema } from "../ledger-schema.ts";
import { readDevice } from "./device-cookie.ts";

const MAX_USER_AGENT = 200;

/** The application that `X-Auth-Client` names (seed): "unknown" when absent, "invalid" when malformed. */
export function toClientId(header: string | undefined): string {
  if (header === undefined || header === "") return "unknown";
  return clientIdSchema.safeParse(header).success ? header : "invalid";
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
    device: readDevice((name) => c.req.header(name)),
  };
}
