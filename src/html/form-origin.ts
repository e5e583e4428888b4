/** Refuses forms and requests that another site sends (CSRF). */
import { isAllowedOrigin } from "../kit/outbound/origin.ts";
import { AppError } from "../kit/errors.ts";

const SAFE_METHODS = new Set(["GET", "HEAD"]);

/**
 * Throws `origin_refused` unless the browser says that a page of this site sent the form. Browsers without scripts,
 * such as w3m, say nothing: they have to send the form's own token.
 */
export function assertOwnForm(
  request: Request,
  options: { readonly publicUrl: string | undefined; readonly hasToken: () => boolean },
): void {
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const isOwn =
    site === null && origin === null
      ? options.hasToken()
      : site === "same-origin" ||
        (site === null &&
          origin !== null &&
          isAllowedOrigin(origin, request, { allowedOrigins: [], publicUrl: options.publicUrl }));
  if (!isOwn)
    throw new AppError(
      "origin_refused",
      "The form was not sent from a page of this site. Reload the page and try again",
    );
}

/** Throws `origin_refused` unless a page of this site sent the request, which a cookie alone does not say. */
export function assertOwnPage(request: Request, publicUrl: string | undefined): void {
  if (!SAFE_METHODS.has(request.method)) {
    assertOwnForm(request, { publicUrl, hasToken: () => false });
    return;
  }
  const site = request.headers.get("sec-fetch-site");
  if (site === null || site === "same-origin" || site === "none") return;
  throw new AppError("origin_refused", "The session cookie is accepted only from pages of this site");
}
