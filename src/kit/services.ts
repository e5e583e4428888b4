/** The services of an install: names that folders, tables, variables, scopes and logs share. */

/** In the order in which they are shown. */
export const serviceNames = ["monitor", "auth", "shop"] as const;
export type ServiceName = (typeof serviceNames)[number];

export const isService = (word: string): word is ServiceName => serviceNames.some((name) => name === word);

interface ServiceTraits {
  /** Where its own listener is unless told. */
  readonly port: number;
  /** Its base path when all services share one port. */
  readonly path: string;
  /** The variable with its public URL. */
  readonly publicUrl: "PUBLIC_URL" | "AUTH_PUBLIC_URL" | "SHOP_PUBLIC_URL";
}

export const serviceTraits: Readonly<Record<ServiceName, ServiceTraits>> = {
  monitor: { port: 8080, path: "", publicUrl: "PUBLIC_URL" },
  auth: { port: 8082, path: "/auth", publicUrl: "AUTH_PUBLIC_URL" },
  shop: { port: 8081, path: "/shop", publicUrl: "SHOP_PUBLIC_URL" },
};

/** One value for each service. */
export function forEachService<T>(make: (service: ServiceName) => T): Record<ServiceName, T> {
  return { monitor: make("monitor"), auth: make("auth"), shop: make("shop") };
}

/** The variable of a service, such as `SHOP_SECRET`. */
export function toOwnVariable<S extends string>(
  service: ServiceName,
  suffix: S,
): `${Uppercase<ServiceName>}_${S}` {
  return `${service.toUpperCase() as Uppercase<ServiceName>}_${suffix}`;
}

/** The sealing secrets that the environment gives; an empty variable gives none. */
export function readGivenSecrets(
  env: Readonly<Record<string, string | undefined>>,
): Record<ServiceName, string | undefined> {
  return forEachService((service) => env[toOwnVariable(service, "SECRET")] || undefined);
}
