/** Requests of the auth center to the services of the same install: on this machine, also by Unix socket. */
import type { Outbound } from "../kit/outbound/outbound.ts";
import { fetchLocal, toShownUrl } from "../kit/outbound/unix-socket.ts";
import { textOf } from "../kit/thrown.ts";

const TIMEOUT_MS = 10_000;

/**
 * Sends to the URLs in `own` directly: they follow from this program's own configuration, so the rules about private
 * networks do not apply. Everything else goes through `outbound`.
 */
export function withOwnUrls(outbound: Outbound, own: readonly string[]): Outbound {
  return {
    send: async (request) => {
      const { url, method, contentType, headers = {}, body } = request;
      if (!own.includes(url)) return outbound.send(request);
      try {
        const response = await fetchLocal(url, {
          method,
          headers: { ...headers, ...(contentType === undefined ? {} : { "content-type": contentType }) },
          ...(body === undefined ? {} : { body }),
          redirect: "manual",
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        return { kind: "answered", status: response.status, text: await response.text() };
      } catch (error) {
        return { kind: "failed", reason: `${toShownUrl(url)} did not respond: ${textOf(error)}` };
      }
    },
  };
}
