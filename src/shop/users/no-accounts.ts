/** The check of a shop without the auth service: there are no accounts, and all tokens are invalid. */
import type { UserCheck } from "./user-check.ts";

export const noAccounts: UserCheck = {
  hasAccounts: false,
  validateRequest: () => Promise.resolve({ status: "refused" }),
  readAddresses: () => Promise.resolve({ status: "refused" }),
};
