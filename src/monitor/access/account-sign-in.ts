/** Signing in with an account of the auth center: the monitor only keeps its own session. */
import { AppError } from "../../kit/errors.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import type { AdminSessions, OpenedSession } from "./sessions.ts";
import type { Access } from "./access.ts";
import type { AccountAnswer, AccountCheck, AccountProof } from "./account-check.ts";
import type { Right } from "./visitor.ts";

const FAILURES = 10;
const FAILURE_WINDOW_MS = 15 * 60_000;

export type AccountSignedIn =
  | (OpenedSession & {
      readonly status: "signed_in";
      readonly right: Exclude<Right, "nothing">;
      readonly name: string;
    })
  | Extract<AccountAnswer, { status: "mfa_required" }>;

/**
 * Signs a user in. Throws what {@link AccountCheck} throws, `forbidden` for an account without access, and
 * `rate_limited` after ten failures in 15 minutes from an address.
 */
export type AccountSignIn = (
  proof: AccountProof,
  caller: { readonly clientAddress: string; readonly requestId: string },
) => Promise<AccountSignedIn>;

export function createAccountSignIn(deps: {
  access: Pick<Access, "takesAccounts" | "rightOfAccount">;
  check: AccountCheck;
  sessions: Pick<AdminSessions, "open">;
  limits: LimitSource;
}): AccountSignIn {
  const { access, check, sessions } = deps;
  const failures = deps.limits.create("account-sign-in", { limit: FAILURES, windowMs: FAILURE_WINDOW_MS });

  async function ask(proof: AccountProof, clientAddress: string): Promise<AccountAnswer> {
    const address = addressKey(clientAddress);
    const { allowed, retryAfterSeconds } = failures.check(address);
    if (!allowed)
      throw new AppError("rate_limited", "Too many failed attempts from this address. Wait, then try again", {
        retryAfterSeconds,
      });
    try {
      return await check(proof, clientAddress);
    } catch (error) {
      if (error instanceof AppError && error.code === "unauthenticated") failures.hit(address);
      throw error;
    }
  }

  return async (proof, caller) => {
    if (!access.takesAccounts)
      throw new AppError("forbidden", "Sign-in with accounts is disabled. Ask an administrator to enable it");
    const answer = await ask(proof, caller.clientAddress);
    if (answer.status === "mfa_required") return answer;
    const { account } = answer;
    const right = access.rightOfAccount(account);
    if (right === "nothing")
      throw new AppError(
        "forbidden",
        `The account "${account.username}" has no access to this site. Ask an administrator for access`,
      );
    const session = await sessions.open(account, { ...caller, right });
    return { status: "signed_in", right, name: account.username, ...session };
  };
}
