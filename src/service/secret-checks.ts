/** How each service remembers its secret: for tools, and for a start that lacks one. */
import { authSecretCheck } from "../auth/app/secret-check.ts";
import type { ServiceName } from "../kit/services.ts";
import { monitorSecretCheck } from "../monitor/app/records.ts";
import type { SecretCheck } from "../records/secret-check.ts";
import { shopSecretCheck } from "../shop/app/records.ts";

export const secretChecks: Readonly<Record<ServiceName, SecretCheck>> = {
  monitor: monitorSecretCheck,
  auth: authSecretCheck,
  shop: shopSecretCheck,
};
