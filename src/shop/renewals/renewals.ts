/** Renewals of licenses, put together. */
import type { ShopDeps } from "../base/deps.ts";
import type { PaymentStarts } from "../payments/services/begin.ts";
import type { VatChecks } from "../tax/vat-checks.ts";
import { Cancellations } from "./cancellations.ts";
import { RenewalJobs } from "./jobs.ts";
import { RemoteJobs } from "./remote-jobs.ts";
import { RenewalOrders } from "./renewal-orders.ts";
import { Subscriptions } from "./subscriptions.ts";

export function createRenewals(
  deps: ShopDeps,
  parts: { readonly starts: PaymentStarts; readonly vatChecks: VatChecks },
) {
  const renewalOrders = new RenewalOrders(deps, parts);
  const subscriptions = new Subscriptions(deps, renewalOrders);
  return {
    renewalJobs: new RenewalJobs(deps, renewalOrders),
    remoteJobs: new RemoteJobs(deps, renewalOrders),
    subscriptions,
    cancellations: new Cancellations(deps, subscriptions),
  };
}
