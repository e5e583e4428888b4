/** Views of passkeys for users and administrators, and the requests of programs. */
import { z } from "@hono/zod-openapi";
import { createView, isoTime } from "../../kit/http/view.ts";
import { passkeyRecordSchema } from "../accounts/passkey-schema.ts";

export const passkeySchema = passkeyRecordSchema
  .pick({
    id: true,
    label: true,
    aaguid: true,
    backupEligible: true,
    backedUp: true,
    rpId: true,
    transports: true,
  })
  .extend({ createdAt: isoTime, lastUsedAt: isoTime.optional() })
  .openapi("Passkey");

export const toPasskey = createView(passkeySchema);

export const examplePasskey = {
  id: "pky_01jd5v6m0c8f3k2n7q4x9y1z5a",
  label: "Phone",
  aaguid: "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4",
  backupEligible: true,
  backedUp: true,
  rpId: "accounts.example.org",
  transports: ["internal", "hybrid"],
  createdAt: "2025-11-20T12:10:00.000+00:00",
};

/** The sealed challenge of an answer. */
export const challengeIdSchema = z
  .string()
  .min(1)
  .max(2_000)
  .openapi({ description: "The challengeId from the options response. It works once, for five minutes" });

/** An assertion as the example of a body. */
export const exampleAssertion = {
  challengeId: "v1.…",
  response: {
    id: "dGVzdA",
    rawId: "dGVzdA",
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: "eyJ0",
      authenticatorData: "SZYN",
      signature: "MEUC",
      userHandle: "x3Qf",
    },
  },
};

export const exampleRegistration = {
  ...exampleAssertion,
  response: {
    ...exampleAssertion.response,
    response: { clientDataJSON: "eyJ0", attestationObject: "o2Nm", transports: ["internal"] },
  },
  label: "Phone",
};

/** Options as browsers take them, with the challenge that their answer is sent back with. */
export const begunSchema = z
  .object({ challengeId: z.string(), options: z.looseObject({ challenge: z.string() }) })
  .openapi("PasskeyOptions", {
    description:
      "`options` is the input of PublicKeyCredential.parseCreationOptionsFromJSON or parseRequestOptionsFromJSON (Web Authentication Level 3)",
  });

export const exampleBegun = {
  challengeId: "v1.…",
  options: { challenge: "x3Qf…", rpId: "accounts.example.org", userVerification: "required" },
};
