/** The `fetch` of the client library: over the checked outbound HTTP, which reaches no private address unless a setting allows it, and follows no redirect. */
import type { CustomFetch } from "openid-client";
import { type Outbound, createOutbound } from "../../kit/outbound/outbound.ts";

/** The provider did not answer; the message says why, for administrators. */
export class ProviderAwayError extends Error {
  override readonly name = "ProviderAwayError";
}

/** Creates the way to providers, whose addresses an administrator sets. */
export function createUpstreamOutbound({ allowPrivate }: { allowPrivate: boolean }): Outbound {
  const privateRemedy = "set UPSTREAM_PRIVATE=1 to allow private addresses";
  return createOutbound({ allowPrivate, privateRemedy, userAgent: "Trivet" });
}

/** Creates it. @throws ProviderAwayError from what it makes, when no answer came */
export function createOutboundFetch(outbound: Outbound): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (method !== "GET" && method !== "POST")
      throw new TypeError(`The method "${method}" is not allowed here`);
    const { "content-type": contentType, "user-agent": _agent, ...rest } = headers;
    const outcome = await outbound.send({
      method,
      url,
      headers: rest,
      ...(contentType === undefined ? {} : { contentType }),
      ...(body instanceof URLSearchParams || typeof body === "string" ? { body: body.toString() } : {}),
      followRedirects: false,
    });
    if (outcome.kind !== "answered") throw new ProviderAwayError(outcome.reason);
    const { status, text, contentType: type } = outcome;
    if (status >= 500) throw new ProviderAwayError(`The provider responded with status ${status}`);
    const hasBody = status >= 200 && status !== 204 && status !== 304;
    return new Response(hasBody ? text : null, {
      status,
      headers: type === undefined ? {} : { "content-type": type },
    });
  };
}
