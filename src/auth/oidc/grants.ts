/** Tokens for applications: for the code that a signed-in browser brought, and for a refresh token. */
import type { ClientRecord } from "../applications/schema.ts";
import type { Caller } from "../base/caller.ts";
import type { Subject } from "../sessions/subject.ts";
import type { AuthDeps } from "../base/deps.ts";
import { sessions as sessionRecords } from "../sessions/records.ts";
import type { Activity } from "../sessions/activity.ts";
import type { ApplicationCodes, CodeFault } from "./application-codes.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import { findLive } from "../sessions/live-sessions.ts";
import { toLifetimes } from "../policy/lifetimes.ts";
import { toPolicy } from "../policy/policy.ts";
import { asksOffline, withoutOffline } from "./scopes.ts";
import { type Sessions, type TokenSet } from "../sessions/sessions.ts";

interface GrantDeps extends Pick<AuthDeps, "store" | "expiry"> {
  readonly sessions: Sessions;
  readonly browserSessions: BrowserSessions;
  readonly applicationCodes: ApplicationCodes;
  readonly activity: Activity;
}

/** A code with its client. */
export interface CodeGrant {
  readonly code: string;
  readonly redirectUri: string;
  /** Undefined without PKCE, which is only valid if the code was requested without it. */
  readonly verifier: string | undefined;
  /** Resources that the access token is for; undefined: all that were granted. */
  readonly audience?: readonly string[] | undefined;
}

/** A refresh token with its client. */
export interface RefreshGrant {
  readonly refreshToken: string;
  /** A narrower scope than was granted; undefined: all of it. */
  readonly scope: string | undefined;
  /** Fewer resources than were granted; undefined: all of them. */
  readonly audience?: readonly string[] | undefined;
}

/** Tokens for an application. */
export interface Granted {
  readonly tokens: TokenSet;
  readonly displayName: string;
  readonly profile?: Subject["profile"];
  readonly rules?: Subject["rules"];
  readonly nonce?: string;
}

export type Grants = ReturnType<typeof createGrants>;

/** Creates the logic. Callers have made sure of the application's secret. */
export function createGrants({
  store,
  expiry,
  sessions,
  browserSessions,
  applicationCodes,
  activity,
}: GrantDeps) {
  return {
    /** Opens the application's session, or returns why a code is invalid or expired. */
    exchange: (
      client: ClientRecord,
      { code, redirectUri, verifier, audience: accessAudience }: CodeGrant,
      caller: Caller,
    ): Promise<Granted | CodeFault> => {
      const clientId = client.id;
      const place = { clientId, redirectUri, binding: verifier, audience: accessAudience };
      return store.transact(async (tx) => {
        const redeemed = await applicationCodes.redeemIn(tx, code, place);
        if (typeof redeemed === "string") return redeemed;
        const { subject, audience, nonce, acr } = redeemed;
        const { user, session: parent, displayName, profile, rules = {} } = subject;
        const scope = toPolicy(client, rules).offlineAccess ? redeemed.scope : withoutOffline(redeemed.scope);
        // An administrator's look into an account ends with it.
        const isOffline = asksOffline(scope) && parent.impersonatedBy === undefined;
        const tokens = await sessions.open(tx, {
          user,
          amr: parent.amr,
          parent,
          scope,
          audience,
          accessAudience,
          acr,
          isOffline,
          lifetimes: toLifetimes(client, rules, isOffline),
          caller: { ...caller, clientId },
        });
        await applicationCodes.noteOpened(tx, code, tokens.session.id);
        activity.note(subject, clientId);
        return { tokens, displayName, profile, nonce, rules };
      });
    },
    /** Renews the application's tokens, and keeps the browser's session that they hang on from idling. Throws `refresh_invalid`, `refresh_reused`. */
    refresh: async (
      clientId: string,
      { refreshToken, scope, audience }: RefreshGrant,
      caller: Caller,
    ): Promise<Granted> => {
      const tokens = await sessions.refresh(refreshToken, caller, { clientId, scope, audience });
      const { parentId } = tokens.session;
      const parent =
        parentId === undefined
          ? undefined
          : await store.read(async (tx) =>
              findLive(tx, await tx.get(sessionRecords, parentId), expiry.now()),
            );
      if (parent !== undefined) {
        await browserSessions.keep(parent);
        activity.note(parent, clientId);
      }
      return {
        tokens,
        displayName: parent?.displayName ?? tokens.user.username,
        profile: parent?.profile,
        rules: parent?.rules,
      };
    },
  };
}
