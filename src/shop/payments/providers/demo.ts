/** The demo payment: the shop's own page sends the notices, as a service would that signs the shop's own JSON. */
import { generic } from "./generic.ts";
import type { ProviderKind } from "./provider.ts";

export const demo: ProviderKind<typeof generic.options> = {
  ...generic,
  title: "Demo: orders are free",
  documentation: "",
  credentials: {},
  fields: [],
};
