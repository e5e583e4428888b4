/** Parts of a service's public URL. */

/** Whether an address is https and not of this machine: people from outside come there. */
export function isPublicHttps(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const isLocal = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/u.test(hostname);
  return protocol === "https:" && !isLocal;
}
