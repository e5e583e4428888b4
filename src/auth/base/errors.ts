/** The error codes that only the auth center has. */
import { defineErrors } from "../../kit/errors.ts";
import { grpcStatus } from "../../runtime/runtime.ts";

/** An error of the auth center: a common code or one of these. */
export class AuthError extends defineErrors({
  invalid_credentials: { http: 401, grpc: grpcStatus.unauthenticated, title: "The credentials are wrong" },
  passkey_invalid: { http: 401, grpc: grpcStatus.unauthenticated, title: "The passkey was not accepted" },
  passkey_unknown: { http: 401, grpc: grpcStatus.unauthenticated, title: "The passkey is not known" },
  passkey_unverified: {
    http: 401,
    grpc: grpcStatus.unauthenticated,
    title: "The device did not check who uses the passkey",
  },
  refresh_invalid: { http: 401, grpc: grpcStatus.unauthenticated, title: "The refresh token is not valid" },
  refresh_reused: { http: 401, grpc: grpcStatus.unauthenticated, title: "The refresh token was used before" },
  code_invalid: { http: 400, grpc: grpcStatus.invalidArgument, title: "The code is not valid" },
  registration_closed: { http: 403, grpc: grpcStatus.permissionDenied, title: "Registration is closed" },
  invite_invalid: { http: 403, grpc: grpcStatus.permissionDenied, title: "The invite code is not valid" },
  email_unverified: {
    http: 403,
    grpc: grpcStatus.permissionDenied,
    title: "The e-mail address is not verified",
  },
  account_pending: { http: 403, grpc: grpcStatus.permissionDenied, title: "The account waits for approval" },
  account_suspended: { http: 403, grpc: grpcStatus.permissionDenied, title: "The account is suspended" },
  account_too_new: { http: 403, grpc: grpcStatus.permissionDenied, title: "The account is too new" },
  checkin_disabled: { http: 403, grpc: grpcStatus.permissionDenied, title: "Check-in is switched off" },
  // RFC 9470 section 3.
  insufficient_user_authentication: {
    http: 401,
    grpc: grpcStatus.unauthenticated,
    title: "The sign-in is too weak or too old",
  },
  mfa_enrolment_required: {
    http: 403,
    grpc: grpcStatus.permissionDenied,
    title: "Two-factor authentication must be set up first",
  },
  audience_not_allowed: {
    http: 403,
    grpc: grpcStatus.permissionDenied,
    title: "The audience is not allowed",
  },
  username_taken: { http: 409, grpc: grpcStatus.alreadyExists, title: "The username is taken" },
  email_taken: { http: 409, grpc: grpcStatus.alreadyExists, title: "The e-mail address is taken" },
  email_limit: { http: 409, grpc: grpcStatus.failedPrecondition, title: "There are enough e-mail addresses" },
  passkey_known: { http: 409, grpc: grpcStatus.alreadyExists, title: "The passkey is known already" },
  passkey_limit: { http: 409, grpc: grpcStatus.failedPrecondition, title: "There are enough passkeys" },
  last_way_in: {
    http: 409,
    grpc: grpcStatus.failedPrecondition,
    title: "It is the last way into the account",
  },
  last_login_email: {
    http: 409,
    grpc: grpcStatus.failedPrecondition,
    title: "It is the last address for signing in",
  },
  identity_taken: { http: 409, grpc: grpcStatus.alreadyExists, title: "It opens another account already" },
  self_like: { http: 409, grpc: grpcStatus.failedPrecondition, title: "Nobody likes their own profile" },
  last_admin: { http: 409, grpc: grpcStatus.failedPrecondition, title: "It is the last administrator" },
  password_blocked: {
    http: 422,
    grpc: grpcStatus.invalidArgument,
    title: "The password is too easy to guess",
  },
  terms_required: { http: 422, grpc: grpcStatus.invalidArgument, title: "The terms must be accepted" },
}) {}

/** The refusal of who has to set up a second factor, with what to do. */
export function enrolmentRequired(): AuthError {
  return new AuthError(
    "mfa_enrolment_required",
    'This account needs two-factor authentication before it can sign in. Set it up at /account/two-factor of the auth center, or repeat the sign-in with "enrol": true for tokens that open nothing but POST /api/auth/mfa/totp and /api/auth/me/passkeys',
    { details: { path: "/account/two-factor" } },
  );
}
