/** Cookies of one try (RFC 6265): what a redirect sets comes back with the next request. */

const MAX_COOKIES = 50;
const MAX_BYTES = 4_096;

interface Cookie {
  readonly name: string;
  readonly value: string;
  /** To whom it goes: this host, and where the cookie names its domain, hosts below it. */
  readonly host: string;
  readonly takesSubdomains: boolean;
  readonly path: string;
  readonly isSecure: boolean;
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** The folder of the page that sets it (RFC 6265 section 5.1.4). */
function toDefaultPath({ pathname }: URL): string {
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf("/")));
}

function isOver(attributes: ReadonlyMap<string, string>, now: number): boolean {
  const age = attributes.get("max-age");
  if (age !== undefined && /^-?\d+$/u.test(age)) return Number(age) <= 0;
  return Date.parse(attributes.get("expires") ?? "") <= now;
}

function isMeantFor({ host, takesSubdomains, path, isSecure }: Cookie, url: URL): boolean {
  const isHost = takesSubdomains ? isWithin(url.hostname, host) : url.hostname === host;
  const folder = path.endsWith("/") ? path : `${path}/`;
  const isPath = url.pathname === path || url.pathname.startsWith(folder);
  return isHost && isPath && (!isSecure || url.protocol === "https:");
}

/** Starts empty. */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  /** Stores the `Set-Cookie` headers of a response from `url`; `now`: epoch milliseconds. */
  take(
    url: URL,
    { setCookies, now }: { readonly setCookies: readonly string[]; readonly now: number },
  ): void {
    for (const text of setCookies) if (text.length <= MAX_BYTES) this.#takeOne(url, text, now);
  }

  /** The `Cookie` header of a request; "" without cookies. */
  headerFor(url: URL): string {
    const meant = [...this.#cookies.values()].filter((cookie) => isMeantFor(cookie, url));
    return meant.map(({ name, value }) => `${name}=${value}`).join("; ");
  }

  #takeOne(url: URL, text: string, now: number): void {
    const [pair = "", ...rest] = text.split(";");
    const [, name = "", value = ""] = /^\s*([^=\s]+)\s*=(.*)$/u.exec(pair) ?? [];
    // What a header cannot hold, no cookie does.
    if (name === "" || !/^[\t -~\u0080-\u00ff]*$/u.test(name + value)) return;
    const attributes = new Map(
      rest.map((part) => {
        const [key = "", ...words] = part.split("=");
        return [key.trim().toLowerCase(), words.join("=").trim()] as const;
      }),
    );
    const domain = (attributes.get("domain") ?? "").toLowerCase().replace(/^\./u, "");
    if (domain !== "" && !isWithin(url.hostname, domain)) return;
    const given = attributes.get("path") ?? "";
    const cookie: Cookie = {
      name,
      value: value.trim(),
      host: domain === "" ? url.hostname : domain,
      takesSubdomains: domain !== "",
      path: given.startsWith("/") ? given : toDefaultPath(url),
      isSecure: attributes.has("secure"),
    };
    const key = `${cookie.name} ${cookie.host} ${cookie.path}`;
    if (isOver(attributes, now)) this.#cookies.delete(key);
    else if (this.#cookies.size < MAX_COOKIES || this.#cookies.has(key)) this.#cookies.set(key, cookie);
  }
}
