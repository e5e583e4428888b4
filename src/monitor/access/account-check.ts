/** Checks a user's password with the auth center: it is sent there once and never stored. */
import { z } from "zod";
import { AppError } from "../../kit/errors.ts";
import { fetchLocal } from "../../kit/outbound/unix-socket.ts";
import type { Account } from "./schema.ts";

/** A first step, or the second one of an account with a second factor. */
export type AccountProof =
  | { readonly identifier: string; readonly password: string }
  | { readonly challengeId: string; readonly method: "totp" | "recovery"; readonly code: string };

/** The user, or what is required in addition to the password. */
export type AccountAnswer =
  | { readonly status: "known"; readonly account: Account }
  | { readonly status: "mfa_required"; readonly challengeId: string; readonly methods: readonly string[] };

/**
 * PORT: checks a proof. Throws `unauthenticated` for a wrong one, `forbidden` for an account that may not sign in,
 * `rate_limited`, and `unavailable` when the auth center does not answer.
 */
export type AccountCheck = (proof: AccountProof, clientAddress: string) => Promise<AccountAnswer>;

const tokensSchema = z.object({
  accessToken: z.string(),
  user: z.object({ id: z.string(), username: z.string() }),
});
const validationSchema = z.object({
  administers: z.boolean().optional(),
  adminScopes: z.array(z.string()).optional(),
});
const challengeSchema = z.object({
  status: z.literal("mfa_required"),
  challengeId: z.string(),
  methods: z.array(z.string()),
});
const problemSchema = z.object({ code: z.string() });

/** Why an account may not sign in, by the code of the auth center's problem. */
const refusals: Readonly<Record<string, string>> = {
  email_unverified: "The email address of the account is not verified. Verify it first",
  account_pending: "The account is waiting for approval by an administrator",
  account_suspended: "The account is suspended. Contact the administrator",
};

const NO_ANSWER = "The auth center is unavailable. Try again soon, or contact its administrator";

async function toRefusal(response: Response): Promise<AppError> {
  const problem = problemSchema.safeParse(await response.json().catch(() => undefined));
  const code = problem.data?.code ?? "";
  const known = refusals[code];
  if (known !== undefined) return new AppError("forbidden", known);
  if (code === "invalid_credentials")
    return new AppError("unauthenticated", "The username or password is wrong");
  if (code === "code_invalid" || code === "invalid")
    return new AppError("unauthenticated", "The verification code is wrong or has expired");
  if (response.status !== 429) return new AppError("unavailable", NO_ANSWER);
  const retryAfterSeconds = Math.min(3_600, Number(response.headers.get("retry-after")) || 60);
  return new AppError("rate_limited", "Too many attempts. Wait, then try again", { retryAfterSeconds });
}

/** Creates the check against the auth center at `authUrl`; each request ends after `timeoutMs`. */
export function createAccountCheck({
  authUrl,
  timeoutMs,
}: {
  readonly authUrl: string;
  readonly timeoutMs: number;
}): AccountCheck {
  const base = `${authUrl.replace(/(?<!\/)\/+$/u, "")}/api/auth`;
  async function post(
    path: string,
    { headers, body }: { headers: object; body?: object },
  ): Promise<Response> {
    try {
      return await fetchLocal(`${base}/${path}`, {
        method: "POST",
        headers: {
          "x-auth-client": "monitor",
          ...(body && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        // A redirect must not carry the password elsewhere.
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (cause) {
      throw new AppError("unavailable", NO_ANSWER, { cause });
    }
  }
  return async (proof, clientAddress) => {
    const path = "password" in proof ? "login" : "login/mfa";
    // Believed where the monitor is one of the auth center's proxies, so that its limits are by person.
    const response = await post(path, { headers: { "x-forwarded-for": clientAddress }, body: proof });
    if (response.status !== 200) throw await toRefusal(response);
    const answer: unknown = await response.json().catch(() => undefined);
    const challenge = challengeSchema.safeParse(answer);
    if (challenge.success) return challenge.data;
    const tokens = tokensSchema.safeParse(answer);
    if (!tokens.success) throw new AppError("unavailable", NO_ANSWER);
    const { accessToken, user } = tokens.data;
    const headers = { authorization: `Bearer ${accessToken}` };
    const validated = await post("validate", { headers });
    const validation = validationSchema.safeParse(await validated.json().catch(() => undefined));
    // The monitor keeps its own session, and none there; one that stays expires by itself.
    await post("logout", { headers }).then(
      (ended) => ended.body?.cancel(),
      () => undefined,
    );
    return {
      status: "known",
      account: {
        id: user.id,
        username: user.username,
        isAdmin: validation.data?.administers === true,
        adminScopes: validation.data?.adminScopes,
      },
    };
  };
}
