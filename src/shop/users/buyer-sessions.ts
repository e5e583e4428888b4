/** People who signed in at the shop itself: the sealed cookie of their browser counts wherever an access token does. */
import type { AccountCenter, CenterAnswer, CenterTokens } from "../../kit/outbound/account-center.ts";
import type { UserCheck, UserCheckResult } from "./user-check.ts";

type Center = Pick<AccountCenter, "cookie" | "check">;
type Shown = Pick<Request, "headers">;

export interface BuyerSessions extends UserCheck {
  readonly hasSession: (request: Shown) => Promise<boolean>;
  /** The tokens that the browser must store from now on, or "none" to remove them; undefined: no change. */
  findChange(request: Shown): Promise<CenterTokens | "none" | undefined>;
}

function toResult(answer: CenterAnswer): UserCheckResult {
  if (answer.status !== "valid") return answer;
  const { administers, adminScopes, impersonatedBy, provedAt, ...user } = answer.person;
  return { status: "valid", user, administers, adminScopes, impersonatedBy, provedAt };
}

/** Creates the check of Bearer tokens alone. */
export function createBearerCheck(
  center: Pick<AccountCenter, "checkBearer">,
  readAddresses: UserCheck["readAddresses"],
): UserCheck {
  return {
    validateRequest: async (request) => {
      const answer = await center.checkBearer(request);
      if (answer.status !== "valid") return answer;
      const { administers, adminScopes, impersonatedBy, provedAt: _proved, ...user } = answer.person;
      return { status: "valid", user, administers, adminScopes, impersonatedBy, scopes: answer.scopes };
    },
    readAddresses,
  };
}

/** Creates the check that takes both. */
export function createBuyerSessions(check: UserCheck, center: Center): BuyerSessions {
  const asked = new WeakMap<Shown, Promise<CenterAnswer>>();
  /** Sends one request, also for concurrent callers. */
  function ask(request: Shown, tokens: CenterTokens): Promise<CenterAnswer> {
    const present = asked.get(request) ?? center.check(tokens);
    asked.set(request, present);
    return present;
  }
  const isBearer = ({ headers }: Shown): boolean => headers.get("authorization") !== null;
  async function find(request: Shown): Promise<CenterAnswer> {
    const tokens = await center.cookie.read(request);
    return tokens === undefined ? { status: "refused" } : ask(request, tokens);
  }
  return {
    validateRequest: async (request) =>
      isBearer(request) ? check.validateRequest(request) : toResult(await find(request)),
    readAddresses: async (request) => {
      if (isBearer(request)) return check.readAddresses(request);
      const answer = await find(request);
      if (answer.status !== "valid") return answer;
      const authorization = `Bearer ${answer.tokens.accessToken}`;
      return check.readAddresses({ headers: new Headers({ authorization }) });
    },
    hasSession: async (request) => !isBearer(request) && (await center.cookie.read(request)) !== undefined,
    findChange: async (request) => {
      const answer = await asked.get(request);
      if (answer === undefined || answer.status === "auth_unavailable") return undefined;
      if (answer.status === "refused") return "none";
      const before = await center.cookie.read(request);
      return before?.refreshToken === answer.tokens.refreshToken ? undefined : answer.tokens;
    },
  };
}
