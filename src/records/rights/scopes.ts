/** Administrative scopes: what roles, API keys and machines may be allowed to do, by service. */

export const scopeNouns = {
  shop: ["orders", "products", "invoices", "customers", "chat", "shop-settings"],
  monitor: ["servers", "checks", "alerts", "status-pages", "monitor-settings"],
  auth: ["users", "applications", "audit", "auth-settings"],
} as const;

export type ScopedService = keyof typeof scopeNouns;
export type AdminNoun<S extends ScopedService = ScopedService> = (typeof scopeNouns)[S][number];
/** Write includes read. */
export type AdminScope<S extends ScopedService = ScopedService> = `${AdminNoun<S>}:${"read" | "write"}`;

/** The rights of a principal: all, or its scopes. */
export type HeldScopes = "all" | ReadonlySet<AdminScope>;

/** Every scope of a service, in the order in which people see them. */
export function listScopes<S extends ScopedService>(service: S): AdminScope<S>[] {
  const nouns: readonly AdminNoun<S>[] = scopeNouns[service];
  return nouns.flatMap((noun) => [`${noun}:read` as const, `${noun}:write` as const]);
}

/** Every scope of all services. */
export const adminScopes: readonly AdminScope[] = [
  ...listScopes("shop"),
  ...listScopes("monitor"),
  ...listScopes("auth"),
];

const known: ReadonlySet<string> = new Set(adminScopes);

export function isAdminScope(text: string): text is AdminScope {
  return known.has(text);
}

/** Whether `held` opens what `needed` names. */
export function opensAdminScope(held: HeldScopes, needed: AdminScope): boolean {
  if (held === "all" || held.has(needed)) return true;
  const write = needed.replace(/:read$/u, ":write");
  return isAdminScope(write) && held.has(write);
}

/** The scopes of a service among those that the auth center names; those that this version does not know open nothing. */
export function pickScopes(service: ScopedService, names: readonly string[]): ReadonlySet<AdminScope> {
  return new Set(listScopes(service).filter((scope) => names.includes(scope)));
}

/** Whether these scopes open anything of a service. */
export function opensService(service: ScopedService, names: readonly string[]): boolean {
  return pickScopes(service, names).size > 0;
}
