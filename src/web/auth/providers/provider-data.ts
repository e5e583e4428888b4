/** Where providers that people sign in by are. */
export const PROVIDERS = "/api/admin/upstreams";
