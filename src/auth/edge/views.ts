/** Views of an account and of tokens for users, and their schemas. */
import { z } from "@hono/zod-openapi";
import { createView, isoTime } from "../../kit/http/view.ts";
import { type UserRecord, userRecordSchema } from "../accounts/schema.ts";
import { type SignedIn } from "../sessions/signed-in.ts";
import { hasSecondFactor } from "../accounts/status.ts";
import { sessionRecordSchema } from "../sessions/schema.ts";
import type { TokenSet } from "../sessions/sessions.ts";

/** An account as its owner and administrators see it. */
export const accountSchema = userRecordSchema
  .pick({ id: true, username: true, email: true, status: true, role: true, points: true })
  .extend({
    ...userRecordSchema.pick({ locale: true, timeZone: true, termsVersion: true }).shape,
    emailVerified: z.boolean(),
    passwordSet: z.boolean(),
    secondFactor: z.boolean(),
    groups: z.array(z.string()),
    createdAt: isoTime,
    lastLoginAt: isoTime.optional(),
    version: z
      .int()
      .openapi({ description: "Increases with every change by a user or administrator; also the ETag" }),
  });

export const meSchema = accountSchema
  .extend({
    displayName: z.string().optional(),
    /** The administrator who impersonates the account. */
    impersonatedBy: sessionRecordSchema.shape.impersonatedBy,
  })
  .openapi("Me");

export type MeView = z.infer<typeof meSchema>;

/** Fields of an account in another form than in its record. */
export function describeAccount(
  user: UserRecord,
): Pick<
  z.input<typeof accountSchema>,
  "emailVerified" | "passwordSet" | "secondFactor" | "groups" | "version"
> {
  return {
    emailVerified: user.emailVerifiedAt !== undefined,
    passwordSet: user.passwordHash !== undefined,
    secondFactor: hasSecondFactor(user),
    groups: user.groups ?? [],
    version: user.editVersion,
  };
}

const toMe = createView(meSchema);

/** An account as its owner sees it. */
export function toMeView(
  user: UserRecord,
  more: { displayName?: string; impersonatedBy?: string } = {},
): MeView {
  return toMe(user, { ...describeAccount(user), ...more });
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

const challengeSchema = z
  .object({
    status: z.literal("mfa_required"),
    challengeId: z.string(),
    methods: z.array(z.enum(["totp", "recovery", "passkey"])),
  })
  .openapi("SecondFactorChallenge");

/** The challenge in the response to a sent code, to return with the code. */
export const challengeIdSchema = z.string().max(100).openapi({
  description:
    "The challengeId from the response that sent the code. With it, only your own failed attempts count towards the limit",
});
/** A code of a mailbox as people type it. */
export const codeSchema = z
  .string()
  .min(1)
  .max(20)
  .overwrite((code) => code.replaceAll(/\s/gu, ""))
  .openapi({ description: "Digits of the code; spaces are ignored" });
export const exampleChallengeId = "chl_01jd5v6m0c8f3k2n_…";

/** The response to every sign-in. */
export const signedInSchema = z.union([tokensSchema, challengeSchema]);

/** Tokens as an answer's body. */
export function toTokensView({ user, session: _session, ...tokens }: TokenSet): z.infer<typeof tokensSchema> {
  return Object.assign(tokens, { tokenType: "Bearer", user: toMeView(user) } as const);
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
  passwordSet: true,
  secondFactor: false,
  points: 30,
  groups: ["family"],
  locale: "en",
  timeZone: "UTC",
  createdAt: "2025-11-20T12:10:00.000+00:00",
  version: 1,
} as const;

export const exampleTokens = {
  accessToken: "acc_…",
  tokenType: "Bearer",
  expiresIn: 900,
  refreshToken: "ref_…",
  refreshExpiresIn: 1_209_600,
  user: exampleMe,
};
