/** The page's paths and what they show; the server answers the same ones (src/monitor/site/routes.ts). */
export type Route =
  | { readonly page: "fleet" }
  | { readonly page: "server"; readonly id: string }
  /** Without a section it is the first one. */
  | { readonly page: "admin"; readonly section?: string; readonly id?: string }
  | { readonly page: "unknown" };

function toBasePath({ protocol, pathname }: URL): string {
  return protocol.startsWith("http") ? pathname.slice(0, Math.max(0, pathname.lastIndexOf("/assets/"))) : "";
}

/**
 * The base path of the site: "" at the root of its host, otherwise such as "/monitor". Scripts are in its "/assets".
 */
export const basePath = toBasePath(new URL(import.meta.url));

/** A path of the address bar or of a link as the site's own: without the base. */
export function toOwnPath(pathname: string): string {
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname;
}

/** The route of a path. */
export function toRoute(path: string): Route {
  const [first, second, third, ...rest] = path.split("/").filter((part) => part !== "");
  if (rest.length > 0) return { page: "unknown" };
  if (first === undefined) return { page: "fleet" };
  if (first === "servers" && second !== undefined && third === undefined)
    return { page: "server", id: second };
  if (first === "admin")
    return {
      page: "admin",
      ...(second === undefined ? {} : { section: second }),
      ...(third === undefined ? {} : { id: third }),
    };
  return { page: "unknown" };
}
