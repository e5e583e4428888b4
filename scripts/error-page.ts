/** The generated page of error codes, for scripts/reference.ts: tsc names a code that lacks its remedy. */
import { AuthError } from "../src/auth/base/errors.ts";
import { type CommonErrorCode, commonErrors, type ErrorKind, toShownCode } from "../src/kit/errors.ts";
import { ShopError } from "../src/shop/base/errors.ts";

const RELOAD = "Get the resource again, apply your change to it and repeat the request";
const WAIT = "Wait for the seconds in `Retry-After`, then repeat the request";

const common: Readonly<Record<CommonErrorCode, string>> = {
  bad_request: "Fix the request as `detail` says",
  unauthenticated: "Send valid credentials; `detail` names the accepted ones",
  forbidden: "Ask an administrator for the permission that `detail` names",
  insufficient_scope: "Use a credential with the `scope` in the response",
  reauth_required: "Reauthenticate, then repeat the request within 10 minutes",
  origin_refused: "Send the request from a page of the site, or add the origin to `ALLOWED_ORIGINS`",
  not_found: "Check the path and the ID",
  method_not_allowed: "Use a method from the `Allow` header",
  conflict: "Resolve the conflict that `detail` describes",
  already_exists: "Choose another value for the field in `errors`, or change the existing resource",
  version_conflict: RELOAD,
  too_large: "Send less data, within the limit that `detail` names",
  unsupported_media_type: "Send the `Content-Type` that `detail` names",
  misdirected: "Use the public URL of a service, and let the proxy forward the host name",
  invalid: "Fix the fields in `errors`",
  upgrade_required: "Connect with a WebSocket client",
  rate_limited: WAIT,
  token_invalid: "Get a new token: refresh it or sign in again",
  too_many_attempts: WAIT,
  stale_version: RELOAD,
  internal: "Search the log of the service for the `requestId`",
  store_unavailable:
    "Repeat the request after the seconds in `Retry-After`. Administrators: check the disk and the database",
  unavailable: "Repeat the request after the seconds in `Retry-After`",
};

type Own<Kinds> = Exclude<keyof Kinds & string, CommonErrorCode>;

const auth: Readonly<Record<Own<typeof AuthError.kinds>, string>> = {
  invalid_credentials: "Check the username and the password, or reset the password",
  passkey_invalid: "Request new options and try again",
  passkey_unknown: "Sign in another way, then add a new passkey",
  passkey_unverified: "Use a device with a PIN, fingerprint or face recognition",
  refresh_invalid: "Sign in again",
  refresh_reused: "Sign in again. Store every new refresh token, and use it only once",
  code_invalid: "Request a new code",
  registration_closed: "Ask the administrator for an account",
  invite_invalid: "Ask for a new invite code",
  email_unverified: "Verify the email address: request a code with `POST /api/auth/email/send-code`",
  account_pending: "Wait until an administrator approves the account",
  account_suspended: "Contact the administrator",
  account_too_new: "Try again when the account is old enough",
  checkin_disabled: "An administrator can enable check-in in the settings",
  insufficient_user_authentication: "Sign in again with the `acr_values` or `max_age` in the response",
  mfa_enrolment_required: "Set up two-factor authentication at `/account/two-factor`",
  audience_not_allowed: "Ask an administrator to add the audience to the application",
  username_taken: "Choose another username",
  email_taken: "Use another email address, or remove it from the other account first",
  email_limit: "Remove an email address first",
  passkey_known: "Sign in with the passkey, or add another one",
  passkey_limit: "Remove a passkey first",
  last_way_in: "Set a password or add another sign-in method first",
  last_login_email: "Enable another email address for sign-in first",
  identity_taken: "Unlink the identity from the other account first",
  self_like: "Do not offer likes on the user's own profile",
  last_admin: "Make another account an administrator first",
  password_blocked: "Choose a longer or less common password",
  terms_required: "Show the terms and send the current `termsVersion`",
};

const shop: Readonly<Record<Own<typeof ShopError.kinds>, string>> = {
  checkout_closed: "Try again later. Administrators: check the site settings and payment methods",
  order_refused: "Contact the shop",
  out_of_stock: "Reduce the quantity of the items in `errors`, or remove them",
  price_changed: "Get a new preview, show the new price and repeat the request",
  idempotency_in_progress: "Repeat the request with the same key in a moment",
  idempotency_key_reused: "Use a new `Idempotency-Key` for a new order",
  illegal_transition: "Get the order again; `detail` names the allowed changes",
  coupon_invalid: "Remove the coupon or use another one",
  gift_card_invalid: "Remove the gift card in `errors`, or ask for another code",
  quantity_limit: "Change the quantity of the items in `errors`",
  too_many_pending: "Pay or cancel an unpaid order, or wait until it expires",
  range_unsatisfiable: "Request a range within the size of the file",
  link_expired: "Get the order again for a new link",
  download_ended: "Contact the shop. Administrators can extend the download",
  smtp_failed: "Check the mail settings; `steps` has the responses of the mail server",
  payment_service_failed: "Check the settings of the payment provider; `detail` has its response",
  auth_unavailable: "Try again soon. Administrators: check that the auth center runs",
};

function toRows(
  kinds: Readonly<Record<string, ErrorKind>>,
  remedies: Readonly<Record<string, string>>,
): string {
  return Object.entries(remedies)
    .map(([code, remedy]) => ({ code, remedy, kind: kinds[code] ?? commonErrors.internal }))
    .toSorted((one, other) => one.kind.http - other.kind.http || (one.code < other.code ? -1 : 1))
    .map(
      ({ code, remedy, kind }) =>
        `| \`${toShownCode(code, kind)}\` | ${kind.http} | ${kind.title} | ${remedy} |`,
    )
    .join("\n");
}

const HEAD = "| Code | Status | Title | What to do |\n|---|---|---|---|";

/** The Markdown of docs/reference/errors.md. */
export function toErrorPage(): string {
  return `# Errors

For authors of clients: every \`code\` of a problem document ([conventions](../api.md)). Decide by \`code\`, not by \`title\` or \`detail\`, whose words can change. Field errors in \`errors\` have a JSON \`pointer\`, a \`code\` and a \`message\`. OAuth routes use the codes of their RFCs instead. Generated by \`npm run reference\`.

## All services
${HEAD}
${toRows(commonErrors, common)}

## Accounts
${HEAD}
${toRows(AuthError.kinds, auth)}

## Shop
${HEAD}
${toRows(ShopError.kinds, shop)}
`;
}
