/** The error codes that only the auth center has. */
import { defineErrors } from "../../kit/errors.ts";
import { grpcStatus } from "../../runtime/runtime.ts";

/** An error of the auth center: a common code or one of these. */
export class AuthError extends defineErrors({
  invalid_credentials: { http: 401, grpc: grpcStatus.unauthenticated, title: "Wrong credentials" },
  passkey_invalid: { http: 401, grpc: grpcStatus.unauthenticated, title: "The passkey was rejected" },
  passkey_unknown: { http: 401, grpc: grpcStatus.unauthenticated, title: "Unknown passkey" },
  passkey_unverified: {
    http: 401,
    grpc: grpcStatus.unauthenticated,
    title: "The device did not verify the user",
  },
  refresh_invalid: { http: 401, grpc: grpcStatus.unauthenticated, title: "Invalid refresh token" },
  refresh_reused: {
    http: 401,
    grpc: grpcStatus.unauthenticated,
    title: "The refresh token was already used",
  },
  code_invalid: { http: 400, grpc: grpcStatus.invalidArgument, title: "Invalid code" },
  registration_closed: { http: 403, grpc: grpcStatus.permissionDenied, title: "Registration is closed" },
  invite_invalid: { http: 403, grpc: grpcStatus.permissionDenied, title: "Invalid invite code" },
  email_unverified: {
    http: 403,
    grpc: grpcStatus.permissionDenied,
    title: "The email address is not verified",
  },
  account_pending: {
    http: 403,
    grpc: grpcStatus.permissionDenied,
    title: "The account is waiting for approval",
  },
  account_suspended: { http: 403, grpc: grpcStatus.permissionDenied, title: "The account is suspended" },
  account_too_new: { http: 403, grpc: grpcStatus.permissionDenied, title: "The account is too new" },
  checkin_disabled: { http: 403, grpc: grpcStatus.permissionDenied, title: "Check-in is disabled" },
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
  email_taken: { http: 409, grpc: grpcStatus.alreadyExists, title: "The email address is taken" },
  email_limit: { http: 409, grpc: grpcStatus.failedPrecondition, title: "Too many email addresses" },
  passkey_known: { http: 409, grpc: grpcStatus.alreadyExists, title: "The passkey already exists" },
  passkey_limit: { http: 409, grpc: grpcStatus.failedPrecondition, title: "Too many passkeys" },
  last_way_in: {
    http: 409,
    grpc: grpcStatus.failedPrecondition,
    title: "The last sign-in method cannot be removed",
  },
  last_login_email: {
    http: 409,
    grpc: grpcStatus.failedPrecondition,
    title: "The last email address for sign-in cannot be removed",
  },
  identity_taken: {
    http: 409,
    grpc: grpcStatus.alreadyExists,
    title: "The identity is linked to another account",
  },
  self_like: { http: 409, grpc: grpcStatus.failedPrecondition, title: "Users cannot like their own profile" },
  last_admin: {
    http: 409,
    grpc: grpcStatus.failedPrecondition,
    title: "The last administrator cannot be removed",
  },
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
    'This account must set up two-factor authentication before it can sign in. Set it up at /account/two-factor of the auth center, or repeat the sign-in with "enrol": true to get tokens that can be used only for POST /api/auth/mfa/totp and /api/auth/me/passkeys',
    { details: { path: "/account/two-factor" } },
  );
}
