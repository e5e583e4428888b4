/** Withdrawals from both sides: buyers state them, administrators settle them. */
import type { ShopDeps } from "../base/deps.ts";
import { createStatements } from "./statements.ts";
import { createWithdrawalsAdmin } from "./withdrawals-admin.ts";

export function createWithdrawals(deps: ShopDeps) {
  return { statements: createStatements(deps), withdrawalsAdmin: createWithdrawalsAdmin(deps) };
}
