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
  if (!isOwn) throw new AppError("origin_refused", "This form was not sent by a page of this site");
}

/** Throws `origin_refused` unless a page of this site sent the request, which a cookie alone does not say. */
export function assertOwnPage(request: Request, publicUrl: string | undefined): void {
  if (!SAFE_METHODS.has(request.method)) {
    assertOwnForm(request, { publicUrl, hasToken: () => false });
    return;
  }
  const site = request.headers.get("sec-fetch-site");
  if (site === null || site === "same-origin" || site === "none") return;
  throw new AppError("origin_refused", "Only pages of this site may ask with its cookie");
}
