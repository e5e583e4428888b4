/** How a refused sign-in or token request of an application is stored for troubleshooting. */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";

/** The reason; `sent` contains what is named here. */
export const refusalReasonSchema = z.enum([
  /** The client_id. */
  "unknown_client",
  "switched_off",
  /** The address; so for logout_uri. */
  "redirect_uri",
  "logout_uri",
  /** The origin that a proxy asked about; so for unnamed_route, where the proxy did not name the application. */
  "protected_origin",
  "unnamed_route",
  /** How it came: client_secret_basic or client_secret_post. */
  "wrong_secret",
  "no_secret",
  "needless_secret",
  "pkce_missing",
  "verifier_missing",
  "verifier_wrong",
  "verifier_needless",
  /** The scopes that the center does not know: they were left out, and the sign-in went on. */
  "scope_unknown",
  /** The requested scopes of the refresh. */
  "scope_exceeded",
  "group",
  /** The requirement of the application's access policy that was not met. */
  "policy",
  "code_unknown",
  "code_expired",
  "code_used",
  "code_other_client",
  /** The address that came with the code. */
  "code_other_address",
  "session_over",
  "refresh_unknown",
  /** The grant type. */
  "grant_type",
  /** The error in the request, as reported to the application. */
  "request",
]);
export type RefusalReason = z.infer<typeof refusalReasonSchema>;

/** Longer ones are cut: they are shown to people, and anyone may send them. */
export const MAX_SENT = 300;

export const refusalFieldsSchema = z.object({
  at: timeMs.describe("Time of the last occurrence"),
  reason: refusalReasonSchema.describe("Reason of the failure"),
  sent: z.string().describe("The invalid value that the application sent; never a secret"),
  ipPrefix: z.string().describe("Network of the client's IP address"),
  userAgent: z.string(),
  times: z.int().describe("Number of occurrences from this network since the first one"),
  reference: z
    .string()
    .optional()
    .describe("Error ID shown to the user at the last occurrence, to give to the administrator"),
});

/** The id is "<clientId>:<hash of what is the same>". */
export const refusalRecordSchema = z.object({
  ...refusalFieldsSchema.shape,
  id: z.string(),
  version: z.number().int(),
  /** "unknown" when no application is registered under the name that was sent. */
  clientId: z.string(),
  /** The user, if known. */
  userId: z.string().optional(),
  expiresAt: timeMs,
});
export type RefusalRecord = z.infer<typeof refusalRecordSchema>;

/** A refusal as answers have it. */
export type RefusalView = Omit<z.infer<typeof refusalFieldsSchema>, "at"> & {
  readonly id: string;
  readonly at: string;
  /** Browser and system, or what a program says of itself. */
  readonly device: string;
  readonly username?: string | undefined;
};
