/** Where people reach each of several services: the host name and the path of its public address. */

export interface Place {
  /** The public address without a slash at its end; undefined when not told. */
  readonly url: string | undefined;
  /** In lower case and without a port; undefined: every host. */
  readonly hostname: string | undefined;
  /** The path without a slash at its end: "", or such as "/auth". */
  readonly basePath: string;
}

/** A host as it is written in a URL: IPv6 addresses in brackets. */
export function toUrlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** The host by which this machine reaches what listens on `host`. */
export function toLocalHost(host: string): string {
  return host === "0.0.0.0" || host === "::" ? "127.0.0.1" : toUrlHost(host);
}

/** Where the port that services share leads to one of them whatever its public address is: for the others on this machine. */
export const INTERNAL_PATH = "/.services/";

/** The path of a service on this machine itself, where host names do not tell services apart. */
export function toSharedPath<S extends string>(places: Readonly<Record<S, Place>>, service: S): string {
  const { basePath } = places[service];
  const same = Object.values<Place>(places).filter((place) => place.basePath === basePath);
  return same.length === 1 ? basePath : INTERNAL_PATH + service;
}

/** First parts of paths that services have themselves. */
const OWN_PATH = /^\/(?:api|assets|admin|swagger|\.well-known|\.trivet|\.services)(?:\/|$)/u;
const PLAIN_PATH = /^(?:\/[A-Za-z0-9._~-]+)*$/u;

/** The place at an address; without one, that path of every host. */
export function toPlace(url: string | undefined, path: string): Place {
  if (url === undefined) return { url, hostname: undefined, basePath: path };
  const { hostname, pathname } = new URL(url);
  return { url, hostname, basePath: pathname.replace(/(?<!\/)\/+$/u, "") };
}

/** Problems with places, by the variable of each URL; those of one listener must differ. */
export function findPlaceProblems(
  places: readonly (readonly [variable: string, place: Place])[],
  { isShared }: { readonly isShared: boolean },
): string[] {
  const problems: string[] = [];
  const seen = new Map<string, string>();
  for (const [variable, { hostname = "*", basePath }] of places) {
    if (!PLAIN_PATH.test(basePath) || OWN_PATH.test(basePath))
      problems.push(
        `${variable} takes a URL without a path, or with a path such as /auth: letters, digits, ".", "_", "~" and "-", and not under /api, /assets, /admin or /swagger, which the services use themselves`,
      );
    const other = seen.get(hostname + basePath);
    if (isShared && other !== undefined)
      problems.push(
        `${variable} is the same location as ${other}: behind GATEWAY_PORT each service needs its own host name or path, regardless of ports`,
      );
    seen.set(hostname + basePath, variable);
  }
  return problems;
}
