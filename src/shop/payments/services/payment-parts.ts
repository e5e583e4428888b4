/** The parts of the shop that speak with payment services, put together. */
import type { ShopDeps } from "../../base/deps.ts";
import { PaymentStarts } from "./begin.ts";
import { DemoPayments } from "./demo-payment.ts";
import { PaymentJobs } from "./payment-jobs.ts";
import { Notices } from "./receive.ts";

export function createPaymentParts(deps: ShopDeps) {
  const notices = new Notices(deps);
  const starts = new PaymentStarts(deps);
  return {
    notices,
    starts,
    demo: new DemoPayments(deps, notices),
    paymentJobs: new PaymentJobs(deps, starts),
  };
}
