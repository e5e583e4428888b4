/** The way to a provider and back: PKCE, nonce, and a state that is good once, in ten minutes, in the browser that began (RFC 9700 section 4.7, RFC 9207). */
import { z } from "zod";
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { newSecret } from "../../kit/secrets/id.ts";
import { isSameText } from "../../kit/secrets/same-text.ts";
import { causesOf } from "../../kit/thrown.ts";
import type { AuthDeps } from "../base/deps.ts";
import { usedStates } from "./records.ts";
import { type Connections, createConnections } from "./connections.ts";
import type { ClientLibrary } from "./kind.ts";
import { upstreamKinds } from "./kinds.ts";
import { ProviderAwayError } from "./outbound-fetch.ts";
import type { Identity, UpstreamRecord } from "./schema.ts";

const FLOW_MS = 10 * 60_000;
/** The browser's encrypted state while the user is at the provider. */
export const flowSchema = z.object({
  upstreamId: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Where the person wanted to go: a path of this site. */
  next: z.string(),
  /** The account that is to be linked, and its session. */
  link: z.object({ userId: z.string(), sessionId: z.string() }).optional(),
  expiresAt: z.number(),
});
export type Flow = z.infer<typeof flowSchema>;

/** Why a sign-in through a provider cannot continue. */
export type FlowFault = "expired" | "denied" | "away" | "refused";

/** The sign-in cannot continue; `reason` is for administrators. */
export class FlowError extends Error {
  override readonly name = "FlowError";
  readonly fault: FlowFault;
  readonly reason: string;

  constructor(fault: FlowFault, reason: string, cause?: unknown) {
    super(`The sign-in with the provider failed: ${reason}`, { cause });
    this.fault = fault;
    this.reason = reason;
  }
}

const AWAY_CODES: ReadonlySet<string> = new Set(["server_error", "temporarily_unavailable"]);

/** An error of the library as an error for the user. */
function toFlowError(error: unknown, library: ClientLibrary): FlowError {
  const causes = [...causesOf(error)];
  const away = causes.find((cause) => cause instanceof ProviderAwayError);
  if (away !== undefined) return new FlowError("away", away.message, error);
  if (error instanceof library.AuthorizationResponseError) {
    const fault = error.error === "access_denied" ? "denied" : "refused";
    return new FlowError(
      AWAY_CODES.has(error.error) ? "away" : fault,
      `The provider responded with the error "${error.error}"`,
      error,
    );
  }
  if (error instanceof library.ResponseBodyError)
    return new FlowError("refused", `The provider responded with the error "${error.error}"`, error);
  return new FlowError("refused", causes.map(({ message }) => message).join(": "), error);
}

export type Flows = ReturnType<typeof createFlows>;
export type FlowDeps = Pick<AuthDeps, "store" | "clock" | "expiry" | "box" | "outbound"> & {
  readonly issuer: string;
};

/** Where a provider sends people back to: one address for each, so that none answers for another (RFC 9700 section 4.4.2). */
export function toRedirectUri(issuer: string, id: string): string {
  return `${issuer}/sign-in/with/${id}/callback`;
}

function createBegin({ expiry, issuer }: FlowDeps, { toParts, configure }: Connections) {
  return async (
    upstream: UpstreamRecord,
    { next, link }: Pick<Flow, "next" | "link">,
  ): Promise<{ flow: Flow; url: string }> => {
    const parts = await toParts(upstream);
    const { library } = parts;
    const kind = upstreamKinds[upstream.kind];
    const flow: Flow = {
      upstreamId: upstream.id,
      state: newSecret("state"),
      nonce: newSecret("nonce"),
      verifier: library.randomPKCECodeVerifier(),
      next,
      link,
      expiresAt: expiry.now() + FLOW_MS,
    };
    const scopes = upstream.scopes.length === 0 ? kind.scopes : upstream.scopes;
    try {
      const url = library.buildAuthorizationUrl(await configure(upstream, parts), {
        redirect_uri: toRedirectUri(issuer, upstream.id),
        scope: scopes.join(" "),
        state: flow.state,
        ...(kind.hasIdTokens ? { nonce: flow.nonce } : {}),
        code_challenge: await library.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: "S256",
      });
      return { flow, url: url.href };
    } catch (error) {
      throw toFlowError(error, library);
    }
  };
}

export function createFlows(deps: FlowDeps) {
  const { store, expiry, issuer } = deps;
  const connections = createConnections(deps);
  const { toParts, configure } = connections;

  /** Whether this is the first time that the state comes; counts it. */
  const spend = (flow: Flow): Promise<boolean> =>
    store.transact(async (tx) => {
      const id = hashSecret(flow.state);
      if ((await tx.get(usedStates, id)) !== undefined) return false;
      await tx.insert(usedStates, { id, expiresAt: flow.expiresAt });
      return true;
    });

  return {
    /** Begins: what the browser keeps, and where it goes. Throws FlowError. */
    begin: createBegin(deps, connections),
    /** Whether an answer belongs to what this browser began; then it may be spent. */
    isAnswerTo: (flow: Flow, upstreamId: string, parameters: URLSearchParams): boolean =>
      flow.upstreamId === upstreamId &&
      isSameText(parameters.get("state") ?? "", flow.state) &&
      flow.expiresAt > expiry.now() &&
      flow.expiresAt <= expiry.now() + FLOW_MS,
    /** The identity after the callback. Throws FlowError. */
    finish: async (
      upstream: UpstreamRecord,
      { flow, parameters }: { flow: Flow; parameters: URLSearchParams },
    ): Promise<Identity> => {
      if (!(await spend(flow))) throw new FlowError("expired", "The provider's response was already used");
      const parts = await toParts(upstream);
      const { library } = parts;
      const kind = upstreamKinds[upstream.kind];
      try {
        const config = await configure(upstream, parts);
        const url = new URL(toRedirectUri(issuer, upstream.id));
        url.search = parameters.toString();
        const tokens = await library.authorizationCodeGrant(config, url, {
          expectedState: flow.state,
          pkceCodeVerifier: flow.verifier,
          ...(kind.hasIdTokens ? { expectedNonce: flow.nonce, idTokenExpected: true } : {}),
        });
        return await kind.identify({ ...parts, config }, tokens);
      } catch (error) {
        throw toFlowError(error, library);
      }
    },
    /** The provider's current metadata. Throws FlowError. */
    probe: async (upstream: UpstreamRecord): Promise<Readonly<Record<string, string>>> => {
      const parts = await toParts(upstream);
      try {
        return await upstreamKinds[upstream.kind].probe(parts);
      } catch (error) {
        throw toFlowError(error, parts.library);
      }
    },
  };
}
