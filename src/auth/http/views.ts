/** What people see of an account and of tokens, and the schemas of it. */
import { z } from "@hono/zod-openapi";
import { amrSchema } from "../sessions/schema.ts";
import type { TokenSet } from "../sessions/sessions.ts";
import { type SignedIn, hasSecondFactor } from "../second-factor/completion.ts";
import { type UserRecord, roleSchema, userStatusSchema } from "../accounts/schema.ts";

export const meSchema = z
  .object({
    id: z.string(),
    username: z.string(),
    displayName: z.string().optional(),
    email: z.string(),
    emailVerified: z.boolean(),
    status: userStatusSchema,
    role: roleSchema,
    hasPassword: z.boolean(),
    secondFactor: z.boolean(),
    points: z.int(),
    locale: z.string(),
    timeZone: z.string(),
    termsVersion: z.string().optional(),
    createdAt: z.int(),
    lastLoginAt: z.int().optional(),
    /** Who acts in this account when it is not its owner. */
    impersonatedBy: z.string().optional(),
    version: z.int(),
  })
  .openapi("Me");

export type MeView = z.infer<typeof meSchema>;

/** An account as its owner sees it. */
export function toMeView(
  user: UserRecord,
  more: { displayName?: string | undefined; impersonatedBy?: string | undefined } = {},
): MeView {
  const { id, username, email, status, role, points, locale, timeZone, createdAt } = user;
  const { displayName, impersonatedBy } = more;
  return {
    id,
    username,
    ...(displayName === undefined ? {} : { displayName }),
    email,
    emailVerified: user.emailVerifiedAt !== undefined,
    status,
    role,
    hasPassword: user.passwordHash !== undefined,
    secondFactor: hasSecondFactor(user),
    points,
    locale,
    timeZone,
    ...(user.termsVersion === undefined ? {} : { termsVersion: user.termsVersion }),
    createdAt,
    ...(user.lastLoginAt === undefined ? {} : { lastLoginAt: user.lastLoginAt }),
    ...(impersonatedBy === undefined ? {} : { impersonatedBy }),
    version: user.editVersion,
  };
}

export const tokensSchema = z
  .object({
    accessToken: z.string(),
    tokenType: z.literal("Bearer"),
    /** Seconds. */
    expiresIn: z.int(),
    refreshToken: z.string(),
    refreshExpiresIn: z.int(),
    user: meSchema,
  })
  .openapi("Tokens");

export const challengeSchema = z
  .object({
    status: z.literal("mfa_required"),
    challengeId: z.string(),
    methods: z.array(z.enum(["totp", "recovery"])),
  })
  .openapi("SecondFactorChallenge");

/** What the answer to a sent code gives and the code is sent back with. */
export const challengeIdSchema = z.string().max(100).openapi({
  description:
    "From the answer that sent the code: with it the tries are one's own, and nobody else's wrong guesses count",
});
export const exampleChallengeId = "chl_01jd5v6m0c8f3k2n_…";

/** What every sign-in answers with. */
export const signedInSchema = z.union([tokensSchema, challengeSchema]);

/** Tokens as an answer's body. */
export function toTokensView(tokens: TokenSet): z.infer<typeof tokensSchema> {
  const { accessToken, expiresIn, refreshToken, refreshExpiresIn, user } = tokens;
  return {
    accessToken,
    tokenType: "Bearer",
    expiresIn,
    refreshToken,
    refreshExpiresIn,
    user: toMeView(user),
  };
}

/** The outcome of a sign-in as an answer's body. */
export function toSignedInView(signedIn: SignedIn): z.infer<typeof signedInSchema> {
  if (signedIn.kind === "tokens") return toTokensView(signedIn.tokens);
  const { challengeId, methods } = signedIn;
  return { status: "mfa_required", challengeId, methods };
}

export const exampleMe = {
  id: "usr_01jd5v6m0c8f3k2n7q4x9y1z5a",
  username: "ann",
  email: "ann@example.org",
  emailVerified: true,
  status: "active",
  role: "user",
  hasPassword: true,
  secondFactor: false,
  points: 30,
  locale: "en",
  timeZone: "UTC",
  createdAt: 1_763_640_600_000,
  version: 1,
};

export const exampleTokens = {
  accessToken: "acc_…",
  tokenType: "Bearer",
  expiresIn: 900,
  refreshToken: "ref_…",
  refreshExpiresIn: 1_209_600,
  user: exampleMe,
};

export const sessionSchema = z
  .object({
    id: z.string(),
    label: z.string(),
    clientId: z.string(),
    current: z.boolean(),
    createdAt: z.int(),
    authenticatedAt: z.int(),
    lastSeenAt: z.int(),
    expiresAt: z.int(),
    absoluteExpiresAt: z.int(),
    amr: z.array(amrSchema),
    aal: z.int(),
    ipPrefix: z.string(),
    userAgent: z.string(),
    impersonatedBy: z.string().optional(),
  })
  .openapi("Session");
