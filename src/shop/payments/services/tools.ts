/** Tools for adapters of payment providers: the shop's clock, and requests that follow no redirect. */
import { AppError } from "../../../kit/errors.ts";
import type { ShopDeps } from "../../base/deps.ts";
import { type ProviderTools, ProviderFault } from "../providers/provider.ts";

export function createTools({
  clock,
  paymentOutbound,
}: Pick<ShopDeps, "clock" | "paymentOutbound">): ProviderTools {
  return {
    now: () => clock.now(),
    send: async (request) => {
      const outcome = await paymentOutbound.send({ ...request, followRedirects: false, wantsHeaders: true });
      if (outcome.kind === "answered") {
        const { status, text, headers, redirectsTo } = outcome;
        // A redirect means that nothing was done, so that another attempt is safe.
        if (redirectsTo !== undefined)
          throw new ProviderFault(
            "unavailable",
            `The service redirects to ${redirectsTo}. Set that URL instead`,
            {
              part: "url",
            },
          );
        return { status, text, headers };
      }
      const isUnclear = outcome.kind === "failed" && outcome.wasSent === true;
      throw isUnclear
        ? new ProviderFault("unclear", outcome.reason)
        : new ProviderFault("unavailable", outcome.reason, { part: "url" });
    },
  };
}

/** The fault of a provider, whatever an adapter threw. */
export function toFault(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  if (error instanceof AppError) return new ProviderFault("refused", error.message);
  const message = error instanceof Error ? error.message : "The payment provider could not be reached";
  return new ProviderFault("unclear", message);
}
