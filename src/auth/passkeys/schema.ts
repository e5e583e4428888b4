/** How passkeys look in the store, and what browsers send of them (Web Authentication Level 3 section 5.8). */
import { z } from "zod";
import { timeMs, trimmedLine } from "../../kit/text/schemas.ts";

/** Bytes in base64url without padding. */
function base64Url(maxLength: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[\w-]+$/u, "must be base64url");
}

/** Credential ids have 1,023 bytes at most. */
const credentialId = base64Url(1_364);

/** The owner's name for a passkey. */
export const passkeyLabelSchema = trimmedLine(60);

/** A challenge that was answered, kept so that it cannot be answered again; the ID is its SHA-256. */
export const answeredChallengeRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  expiresAt: timeMs,
});

/** Members that browsers add with the years are let pass. */
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  clientExtensionResults: z.looseObject({}).default({}),
};

/** The result of `navigator.credentials.create()`, as JSON. */
export const registrationResponseSchema = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: base64Url(4_096),
    attestationObject: base64Url(32_768),
    transports: z.array(z.string().max(32)).max(10).default([]),
  }),
});
export type RegistrationResponse = z.infer<typeof registrationResponseSchema>;

/** The result of `navigator.credentials.get()`, as JSON. */
export const assertionResponseSchema = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: base64Url(4_096),
    authenticatorData: base64Url(4_096),
    signature: base64Url(4_096),
    userHandle: base64Url(128).optional(),
  }),
});
export type AssertionResponse = z.infer<typeof assertionResponseSchema>;
