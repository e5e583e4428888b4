/** What a browser stores for an application: its tokens, and the state of a sign-in; all encrypted. */
import type { AuthClientClock } from "./client.ts";
import { readCookie } from "./replies.ts";
import { type Seal, newSecretText } from "./seal.ts";
import type { HeldTokens } from "./tokens.ts";

const BEGIN_SECONDS = 86_400;
const MAX_RETURN = 600;

/** A sign-in that a browser began. */
export interface Begun {
  readonly verifier: string;
  readonly returnTo: string;
}

export interface KeptOptions {
  readonly clientId: string;
  readonly isSecure: boolean;
  readonly seal: Seal;
  readonly clock: AuthClientClock;
}

/** The members of what was sealed here, by name; undefined unless each is of its type. */
function readMembers<N extends string, M extends string>(
  text: string | undefined,
  { texts, numbers }: { readonly texts: readonly N[]; readonly numbers: readonly M[] },
): (Record<N, string> & Record<M, number>) | undefined {
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  if (typeof value !== "object" || value === null) return undefined;
  const of = (name: string): unknown => Reflect.get(value, name);
  const isWhole =
    texts.every((name) => typeof of(name) === "string") &&
    numbers.every((name) => typeof of(name) === "number");
  // The members were looked at one by one.
  return isWhole ? (value as Record<N, string> & Record<M, number>) : undefined;
}

export function createKept({ clientId, isSecure, seal, clock }: KeptOptions) {
  const prefix = isSecure ? "__Host-" : "";
  // Cookies do not tell ports apart: the name tells applications of one host apart.
  const [heldName, markName] = [`${prefix}${clientId}_session`, `${prefix}${clientId}_begin`];

  function toCookie(name: string, value: string, maxAgeSeconds: number): string {
    const secure = isSecure ? "; Secure" : "";
    return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`;
  }

  async function readSealed(sealed: string | undefined, purpose: string): Promise<string | undefined> {
    return sealed === undefined ? undefined : seal.open(sealed, purpose);
  }

  return {
    /** The cookie that keeps tokens. */
    writeHeld: async (held: HeldTokens): Promise<string> => {
      const seconds = Math.max(0, Math.floor((held.refreshEndsAt - clock.now()) / 1_000));
      return toCookie(heldName, await seal.seal(JSON.stringify(held), "session"), seconds);
    },
    /** The tokens of a browser. */
    readHeld: async (request: Pick<Request, "headers">): Promise<HeldTokens | undefined> =>
      readMembers(await readSealed(readCookie(request, heldName), "session"), {
        texts: ["accessToken", "refreshToken"],
        numbers: ["accessEndsAt", "refreshEndsAt"],
      }),
    /** The cookie that takes the tokens away. */
    clearHeld: (): string => toCookie(heldName, "", 0),
    /** A state for the way to the center and back, and the cookie that ties it to this browser. */
    writeBegun: async (request: Request, begun: Begun): Promise<{ state: string; cookie: string }> => {
      const mark = readCookie(request, markName) ?? newSecretText();
      const returnTo = begun.returnTo.length > MAX_RETURN ? "/" : begun.returnTo;
      const text = JSON.stringify({ ...begun, returnTo, mark, at: clock.now() });
      const state = await seal.seal(text, "state");
      return { state, cookie: toCookie(markName, mark, BEGIN_SECONDS) };
    },
    /** The state, unless another browser began it, or a day ago. */
    readBegun: async (request: Request, state: string | null): Promise<Begun | undefined> => {
      const begun = readMembers(await readSealed(state ?? undefined, "state"), {
        texts: ["verifier", "returnTo", "mark"],
        numbers: ["at"],
      });
      const isOurs = begun !== undefined && begun.mark === readCookie(request, markName);
      return isOurs && begun.at + BEGIN_SECONDS * 1_000 > clock.now() ? begun : undefined;
    },
  };
}

export type Kept = ReturnType<typeof createKept>;
