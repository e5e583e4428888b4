/** The check of a shop without the auth service: nobody has an account, and all tokens are invalid. */
import type { UserCheck } from "./user-check.ts";

export const nobody: UserCheck = {
  hasAccounts: false,
  validateRequest: () => Promise.resolve({ status: "refused" }),
  readAddresses: () => Promise.resolve({ status: "refused" }),
};
