/** The kinds of providers, by name. */
import type { UpstreamKind as KindName } from "./schema.ts";
import { github } from "./github.ts";
import type { UpstreamKind } from "./kind.ts";
import { openid } from "./openid.ts";

export const upstreamKinds: Readonly<Record<KindName, UpstreamKind>> = { openid, github };
