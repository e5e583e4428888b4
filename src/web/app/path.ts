/** The page's paths and what they show; the server answers the same ones (src/monitor/site/routes.ts). */
export type Route =
  | { readonly page: "fleet" }
  | { readonly page: "server"; readonly id: string }
  | { readonly page: "admin"; readonly section: string; readonly id?: string }
  | { readonly page: "unknown" };

/** What is shown at a path. */
export function toRoute(path: string): Route {
  const [first, second, third, ...rest] = path.split("/").filter((part) => part !== "");
  if (rest.length > 0) return { page: "unknown" };
  if (first === undefined) return { page: "fleet" };
  if (first === "servers" && second !== undefined && third === undefined)
    return { page: "server", id: second };
  if (first === "admin")
    return { page: "admin", section: second ?? "servers", ...(third === undefined ? {} : { id: third }) };
  return { page: "unknown" };
}
