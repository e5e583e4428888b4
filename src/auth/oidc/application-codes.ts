/** Codes with which a browser that signed in here brings its sign-in to an application: good once, for a minute, there alone. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { newSecret } from "../../kit/secrets/id.ts";
import type { Tx } from "../../store/store.ts";
import type { Subject } from "../sessions/subject.ts";
import type { AuthDeps } from "../base/deps.ts";
import { applicationCodes, sessions } from "../sessions/records.ts";
import { consents } from "./records.ts";
import { findLive } from "../sessions/live-sessions.ts";
import type { ApplicationCodeRecord } from "../sessions/schema.ts";

const CODE_MS = 60_000;
/** A code is used up after this many invalid requests, so that verifiers cannot be guessed. */
const MAX_TRIES = 5;
/** For so long after its use, the same request with a code is one that was sent twice. */
const TWICE_MS = 10_000;

/** Where a code is of use. */
export interface CodePlace {
  readonly clientId: string;
  /** Where the browser is sent with it, exactly. */
  readonly redirectUri: string;
  /** A value that only the initiator can send back, or its SHA-256 in hexadecimal if only that is known; undefined: none. */
  readonly binding: string | { readonly hash: string } | undefined;
  /** The resources that tokens are wanted for now; undefined: all that were granted. */
  readonly audience?: readonly string[] | undefined;
}

/** The request that the code belongs to. */
export interface CodeRequest {
  readonly scope: string;
  /** Resources. */
  readonly audience: readonly string[];
  readonly nonce: string | undefined;
  /** The person's consent, without which the code is invalid. */
  readonly consentId?: string;
  /** The authentication context class that it asked for and got. */
  readonly acr?: string | undefined;
}

/** The result of a code. */
export interface Redeemed extends CodeRequest {
  readonly subject: Subject;
}

/** Why a code brings nothing. */
export type CodeFault =
  | "code_unknown"
  | "code_used"
  | "code_expired"
  | "code_other_client"
  | "code_other_address"
  | "session_over"
  | "target_exceeded"
  | "verifier_missing"
  | "verifier_needless"
  | "verifier_wrong";

/** The hash of a code's binding. */
function toBindingHash(binding: CodePlace["binding"]): string {
  if (binding === undefined) return "";
  return typeof binding === "string" ? hashSecret(binding) : binding.hash;
}

/** Why the code does not match the place where it came at `atMs`; undefined if it is, or was, valid there. */
function findFault(
  known: ApplicationCodeRecord,
  { clientId, redirectUri, binding, audience = [] }: CodePlace,
  atMs: number,
): CodeFault | undefined {
  if (known.clientId !== clientId) return "code_other_client";
  if (known.expiresAt <= atMs) return "code_expired";
  if (known.redirectUri !== redirectUri) return "code_other_address";
  if (audience.some((id) => !known.audience.includes(id))) return "target_exceeded";
  const bindingHash = toBindingHash(binding);
  if (known.bindingHash === bindingHash) return undefined;
  if (bindingHash === "") return "verifier_missing";
  return known.bindingHash === "" ? "verifier_needless" : "verifier_wrong";
}

export type ApplicationCodes = ReturnType<typeof createApplicationCodes>;

export function createApplicationCodes({ store, expiry }: Pick<AuthDeps, "store" | "expiry">) {
  /**
   * The sign-in that the code belongs to, or why it is invalid: it was used, expired, or was issued for another
   * redirect URI or browser. An invalid request doesn't use up the code, except after {@link MAX_TRIES}. When a used
   * code is sent again, by any client and however late, the tokens that it issued are revoked (RFC 6749 section
   * 4.1.2), unless it is a repeat of the same valid request within {@link TWICE_MS}.
   */
  async function redeemIn(tx: Tx, code: string, place: CodePlace): Promise<Redeemed | CodeFault> {
    const nowMs = expiry.now();
    const known = await tx.get(applicationCodes, hashSecret(code));
    if (known === undefined) return "code_unknown";
    const { usedAt, openedId, scope, audience, nonce, consentId, acr } = known;
    if (usedAt !== undefined) {
      const isTwice = nowMs - usedAt < TWICE_MS && findFault(known, place, usedAt) === undefined;
      if (openedId !== undefined && !isTwice) await tx.remove(sessions, openedId);
      return "code_used";
    }
    const fault = findFault(known, place, nowMs);
    if (fault !== undefined) {
      const tries = known.tries + 1;
      await tx.put(applicationCodes, { ...known, tries, usedAt: tries < MAX_TRIES ? undefined : nowMs });
      return fault;
    }
    await tx.put(applicationCodes, { ...known, usedAt: nowMs });
    // Withdrawn on the way.
    if (consentId !== undefined && (await tx.get(consents, consentId)) === undefined) return "session_over";
    const subject = await findLive(tx, await tx.get(sessions, known.sessionId), nowMs);
    return subject === undefined ? "session_over" : { subject, scope, audience, nonce, acr };
  }

  return {
    /** A code for the sign-in of `subject`. The caller has made sure that they may use the application. */
    issue: async (
      { session }: Subject,
      { clientId, redirectUri, binding }: CodePlace,
      request: Partial<CodeRequest> = {},
    ): Promise<string> => {
      const code = newSecret("cod");
      await store.transact((tx) =>
        tx.insert(applicationCodes, {
          id: hashSecret(code),
          clientId,
          redirectUri,
          sessionId: session.id,
          bindingHash: toBindingHash(binding),
          scope: request.scope ?? "",
          audience: [...(request.audience ?? [])],
          nonce: request.nonce,
          consentId: request.consentId,
          acr: request.acr,
          tries: 0,
          expiresAt: expiry.now() + CODE_MS,
        }),
      );
      return code;
    },
    /** The same as `redeemIn`, for who opens nothing with it. */
    redeem: async (code: string, place: CodePlace): Promise<Subject | undefined> => {
      const redeemed = await store.transact((tx) => redeemIn(tx, code, place));
      return typeof redeemed === "string" ? undefined : redeemed.subject;
    },
    redeemIn,
    /** Notes the session that was opened with a code. */
    noteOpened: async (tx: Tx, code: string, openedId: string): Promise<void> => {
      const known = await tx.get(applicationCodes, hashSecret(code));
      if (known !== undefined) await tx.put(applicationCodes, { ...known, openedId });
    },
  };
}
