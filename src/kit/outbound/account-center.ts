/** PORT: the auth center of the install, as its other services sign people in there. `service/account-center.ts` is the adapter. */

/** The tokens of a sign-in; times in epoch ms. */
export interface CenterTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly accessEndsAt: number;
  readonly refreshEndsAt: number;
}

export interface CenterPerson {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly emailVerified: boolean;
  /** Whether they administer the services of this install; false: they would with a second factor; undefined: no. */
  readonly administers: boolean | undefined;
  /** Scopes of their roles, such as "orders:write". */
  readonly adminScopes: readonly string[];
  /**
   * When they last verified their identity, in epoch ms; undefined if unknown, or while someone else acts in
   * the account.
   */
  readonly provedAt?: number | undefined;
  /** The administrator of the center who acts in the account. */
  readonly impersonatedBy?: string | undefined;
}

/** The user of the tokens, and the tokens to keep from now on; or that the center cannot say now. */
export type CenterAnswer =
  | { readonly status: "valid"; readonly person: CenterPerson; readonly tokens: CenterTokens }
  | { readonly status: "refused" }
  | { readonly status: "auth_unavailable"; readonly retryAfterSeconds: number };

/** The holder of a Bearer token; with `scopes`, an application that acts for them within these. */
export type BearerAnswer =
  | {
      readonly status: "valid";
      readonly person: CenterPerson;
      readonly scopes: readonly string[] | undefined;
    }
  | Exclude<CenterAnswer, { status: "valid" }>;

/** An application that administers in its own name. */
export interface CenterMachine {
  readonly clientId: string;
  /** Administrative scopes of this service. */
  readonly scopes: readonly string[];
}

/** A user who returned from the center; they were on their way to `returnTo`, a path of this service. */
export interface Arrived {
  readonly person: CenterPerson;
  readonly tokens: CenterTokens;
  readonly returnTo: string;
}

export interface AccountCenter {
  /**
   * Whether people who came by this address can sign in by the center. "unknown": it answers, but does not know this
   * service, or not at that address.
   */
  ask(requestUrl: string): Promise<"ready" | "unknown" | "away">;
  /** Where a browser that came by this address reaches the center; undefined when it does not. */
  findUrl(requestUrl: string): string | undefined;
  /**
   * The way to the center for a browser, and back to `returnTo`, a path of this service; "/" for anything else. With
   * `isFresh` people prove again who they are, unless they did a moment ago.
   */
  begin(
    request: Request,
    returnTo: string | undefined,
    options?: { readonly isFresh: boolean },
  ): Promise<Response>;
  /** The returning user, or the response to send. */
  receive(request: Request): Promise<Arrived | Response>;
  /** The user of the tokens; answers of the last seconds are cached. Never rejects. */
  check(tokens: CenterTokens): Promise<CenterAnswer>;
  /**
   * The user of a Bearer token of a first-party sign-in, or one for this service; every other token is rejected.
   * Answers of the last seconds are cached. Never rejects.
   */
  checkBearer(request: Pick<Request, "headers">): Promise<BearerAnswer>;
  /**
   * The application of a token from `client_credentials`, and what it may administer here; undefined for any other
   * token. Answers of the last seconds are used again. Never rejects.
   */
  checkMachine(token: string): Promise<CenterMachine | "auth_unavailable" | undefined>;
  /** Ends the sign-in, at the center too; resolves with whether that is certain. Never rejects. */
  end(tokens: CenterTokens): Promise<boolean>;
  /** Keeps tokens in a sealed cookie, for a service without sessions. */
  readonly cookie: {
    /** The value of Set-Cookie. */
    write(tokens: CenterTokens): Promise<string>;
    read(request: Pick<Request, "headers">): Promise<CenterTokens | undefined>;
    /** The value of Set-Cookie that takes it away. */
    clear(): string;
  };
  /**
   * Reads a logout token of the center (OpenID Connect Back-Channel Logout 1.0 section 2.6) and forgets what it
   * remembers of answers, so that every later `check` sends a new request; resolves with the account, where the token names it.
   * @throws AppError `bad_request` for a token that is not good, `unavailable` when the keys cannot be read
   */
  readLogout(token: string): Promise<string | undefined>;
}
