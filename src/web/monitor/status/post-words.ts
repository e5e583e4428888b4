/** Names that the pages about posts share. */
import type { Impact } from "../../../monitor/status/schema.ts";

export const impactNames = ["none", "minor", "major", "critical"] as const satisfies readonly Impact[];
