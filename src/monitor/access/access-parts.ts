/** Puts together who may look and who may administer. */
import type { LimitSource } from "../../bus/shared-limit.ts";
import { AppError } from "../../kit/errors.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { AccountCenter } from "../../kit/outbound/account-center.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { createApiKeys } from "../../records/rights/api-keys.ts";
import type { Store } from "../../store/store.ts";
import type { Access } from "./access.ts";
import type { AccountCheck } from "./account-check.ts";
import { createAccountTokens } from "./account-tokens.ts";
import { createAccountSignIn } from "./account-sign-in.ts";
import { createCenterSessions } from "./center-sessions.ts";
import { createRightOf } from "./rights.ts";
import { createAdminSessions } from "./sessions.ts";
import { createAccessTokens } from "./tokens.ts";

const refuseAccounts: AccountCheck = async () => {
  throw new AppError("unavailable", "This monitor is not connected to an auth center");
};

/** By what people are known. */
export interface AccessDeps {
  /** SHA-256 of the administrator tokens that count, hex. */
  readonly tokenHashes: readonly string[];
  /** Called when a right token came for the first time since the start. */
  readonly onTokenUse?: (() => void) | undefined;
  /** Checks passwords with the auth center; absent: none are accepted. */
  readonly checkAccount?: AccountCheck | undefined;
  /** Where accounts sign in; absent: with a password here. */
  readonly center?: AccountCenter | undefined;
}

interface PartsDeps extends AccessDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: LimitSource;
  readonly notify: { readonly box: SecretBox };
  readonly access: Access;
}

/** Creates the parts over `access`. */
export function createAccessParts(deps: PartsDeps) {
  const { access, checkAccount: check = refuseAccounts } = deps;
  const sessions = createAdminSessions({
    ...deps,
    centerSessions: createCenterSessions({ ...deps, center: deps.center, box: deps.notify.box }),
    onFirstUse: deps.onTokenUse,
    rightOfAccount: (account) => access.rightOfAccount(account),
    scopesOfAccount: (account) => access.scopesOfAccount(account),
    onEnd: () => access.announce(),
  });
  const accountTokens = createAccountTokens({ access, center: deps.center });
  return {
    access,
    accountTokens,
    /** The auth center of the install, where there is one. */
    center: deps.center,
    sessions,
    accessTokens: createAccessTokens(deps),
    apiKeys: createApiKeys({ ...deps, expiry: deps.clock }),
    signInAccount: createAccountSignIn({ ...deps, sessions, check }),
    /** The current right of a credential. */
    rightOf: createRightOf({ access, sessions, accountTokens }),
  };
}
