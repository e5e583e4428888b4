/** The center's endpoints and names, for people who enter them elsewhere. */
import { type Polled, usePolled } from "../../ui/console/polled.ts";
import type { Center } from "./presets.ts";

/** The center's metadata, asked for once. */
export function useCenter(): Polled<Center> {
  return usePolled<Center>("/.well-known/openid-configuration", 0);
}
