/** Passkeys of a center in a test: added and shown by the API, with an authenticator made of software. */
import {
  type AuthenticatorOptions,
  type CreationOptions,
  type Faults,
  type RequestOptions,
  createAuthenticator,
} from "../../support/authenticator.ts";
import type { SignedIn, TestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";

/** Where an account's own passkeys are. */
export const MINE = "/api/auth/me/passkeys";

export interface Begun<O> {
  readonly challengeId: string;
  readonly options: O;
}
interface Tokens {
  readonly accessToken: string;
}
export type Authenticator = ReturnType<typeof createAuthenticator>;
interface Adding extends AuthenticatorOptions {
  readonly faults?: Faults;
  readonly label?: string;
}

/** Creates the driver of it. */
export function createPasskeyRoom(app: TestApp) {
  const post = (path: string, body?: unknown, token?: string): Promise<Response> =>
    app.send("POST", path, { body, token });

  const begin = async <O>(path: string, token?: string, body?: unknown): Promise<Begun<O>> =>
    read<Begun<O>>(await post(path, body, token), 200);

  return {
    post,
    /** Asks for options. */
    begin,
    /** Adds a passkey to an account. */
    add: async (
      owner: SignedIn,
      adding: Adding = {},
    ): Promise<{ authenticator: Authenticator; id: string }> => {
      const { faults, label, ...made } = adding;
      const authenticator = createAuthenticator(made);
      const { challengeId, options } = await begin<CreationOptions>(`${MINE}/options`, owner.accessToken);
      const response = authenticator.create(options, faults);
      const answer = await post(MINE, { challengeId, response, label }, owner.accessToken);
      return { authenticator, id: (await read<{ id: string }>(answer, 201)).id };
    },
    signIn: async (authenticator: Authenticator, faults?: Faults): Promise<Response> => {
      const { challengeId, options } = await begin<RequestOptions>("/api/auth/passkeys/options");
      const response = authenticator.get(options, faults);
      return post("/api/auth/passkeys/sign-in", { challengeId, response });
    },
    /** How the session of an answer was opened. */
    amrOf: async (response: Response): Promise<[readonly string[], number]> => {
      const { accessToken } = await read<Tokens>(response, 200);
      const listed = await app.send("GET", "/api/auth/sessions", { token: accessToken });
      const { items } = await read<{ items: { amr: string[]; aal: number; current: boolean }[] }>(
        listed,
        200,
      );
      const { amr = [], aal = 0 } = items.find(({ current }) => current) ?? {};
      return [amr, aal];
    },
  };
}
