/**
 * Services below a path, such as "/auth" of an address that they share. Routes, redirects and pages are written as if
 * they stood at "/": the base is taken off what comes in, and put before what goes out.
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

/** Attributes of HTML that hold a path of this site; in texts and values of others quotes are escaped. */
const PATH_ATTRIBUTE = /( (?:href|src|action|formaction)=")\/(?!\/)/gu;

/** A page with the base before each path of this site. */
export function addBaseToPage(page: string, base: string): string {
  return page.replaceAll(PATH_ATTRIBUTE, (_, attribute: string) => `${attribute}${base}/`);
}
