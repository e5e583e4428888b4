/**
 * Services below a path, such as "/auth" of a shared host. Routes, redirects and pages are written as if they
 * were at "/": the base is removed from incoming paths and added to outgoing ones.
 */

/** A path without the base that it may begin with. */
export function stripBase(path: string, base: string): string {
  if (base === "" || !path.startsWith(base)) return path;
  if (path.length === base.length) return "/";
  return path[base.length] === "/" ? path.slice(base.length) : path;
}

/** A place to go on to with the base before it, when it is a path of this site. */
export function addBaseToPath(location: string, base: string): string {
  return location.startsWith("/") && !location.startsWith("//") ? base + location : location;
}

/**
 * Attributes of HTML that hold a path of this site, for browsers or for the pages' own scripts. Quotes in texts and in
 * other values are escaped. What a form sends back ("value", "data-next") stays the service's own path.
 */
const PATH_ATTRIBUTE = /( (?:href|src|action|formaction|data-action|data-wait)=")\/(?!\/)/gu;

/** The same for a page that leads on by itself: in a header, and in a page's head. */
const REFRESH = /^(\d{1,5}; url=)\/(?!\/)/u;
const REFRESH_TAG = /(<meta http-equiv="refresh" content="\d{1,5}; url=)\/(?!\/)/gu;

/** A page with the base before each path of this site. */
export function addBaseToPage(page: string, base: string): string {
  return page
    .replaceAll(PATH_ATTRIBUTE, (_, attribute: string) => `${attribute}${base}/`)
    .replaceAll(REFRESH_TAG, (_, start: string) => `${start}${base}/`);
}

/** The value of a Refresh header with the base before a path of this site. */
export function addBaseToRefresh(refresh: string, base: string): string {
  return refresh.replace(REFRESH, (_, start: string) => `${start}${base}/`);
}
