/** Shared by the routes of checks. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { acceptRenamed } from "../../kit/fields/renamed.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { GuardEnv } from "../edge/admin-env.ts";
import type { CheckHistory } from "./check-history.ts";
import type { Checks } from "./checks.ts";
import { locationsSchema, toPlaces } from "./location-schema.ts";
import { CENTER, type CheckRecord } from "./schema.ts";
import type { CheckDirectory, HeartbeatFacts } from "./standings.ts";
import type { Timeline } from "./timeline.ts";
import { type CheckView, checkInputSchema } from "./view-schema.ts";
import { toCheckView } from "./views.ts";

export const CHECKS_PATH = "/api/admin/checks";

export interface CheckRouteParts {
  readonly checks: Checks;
  readonly directory: CheckDirectory;
  /** Facts about a heartbeat; undefined before its first ping. */
  readonly findHeartbeat: (id: string) => HeartbeatFacts | undefined;
  readonly box: SecretBox;
  readonly history: CheckHistory;
  readonly timeline: Timeline;
  readonly guard: MiddlewareHandler<GuardEnv>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export const exampleCheck = {
  name: "Shop",
  group: "Public",
  tags: ["web"],
  target: {
    kind: "http" as const,
    url: "https://shop.example.org/health",
    contains: "ok",
    conditions: [{ subject: "json" as const, name: "$.state", operator: "=" as const, value: "up" }],
  },
  intervalSeconds: 60,
};

/** `locations` of checks, which was `places`. */
export const renamedLocations = { name: "locations", schema: locationsSchema, toOld: toPlaces } as const;
/** A whole check. */
export const checkBodySchema = acceptRenamed(checkInputSchema, "places", renamedLocations);

const exampleResult = {
  at: "2025-11-20T12:09:04+00:00",
  isDown: false,
  counts: true,
  failures: 0,
  detail: "200 OK",
  latencyMs: 84,
};

export const exampleCheckView: CheckView = {
  id: "chk_01jd5v6m0c8f3k2n7q4x9y1z5a",
  version: 1,
  revision: 1,
  ...exampleCheck,
  public: false,
  paused: false,
  timeoutSeconds: 10,
  failures: 2,
  retrySeconds: 20,
  dependsOn: ["web-1"],
  note: "",
  inverted: false,
  target: {
    ...exampleCheck.target,
    method: "GET",
    headers: [],
    body: "",
    maxRedirects: 5,
    statuses: "200-299",
    excludes: "",
    json: { path: "", operator: "=", value: "" },
    maxLatencyMs: 0,
    ignoresCertificate: false,
    certificateDays: 0,
    password: false,
    bearerToken: false,
    clientSecret: false,
    clientKey: false,
    proxyPassword: false,
  },
  address: exampleCheck.target.url,
  locations: { monitor: true, serverIds: [], quorum: "majority" },
  places: { center: true, serverIds: [], quorum: "majority" },
  standing: {
    state: "up",
    since: "2025-11-20T12:00:04+00:00",
    locations: [exampleResult],
    places: [{ place: CENTER, ...exampleResult }],
  },
  createdAt: "2025-11-20T12:00:00+00:00",
  updatedAt: "2025-11-20T12:00:00+00:00",
};

export const checkParams = z.object({
  id: z
    .string()
    .min(1)
    .max(64)
    .openapi({ param: { name: "id", in: "path" }, example: exampleCheckView.id }),
});

/** The current view of a record. */
export function toPresentView(
  { box, directory, findHeartbeat }: CheckRouteParts,
  record: CheckRecord,
): CheckView {
  const { id, version, revision, createdAt: since } = record;
  const unknown = { id, version, revision, state: "unknown" as const, since, places: [] };
  const standing = directory.findStanding(id) ?? unknown;
  return toCheckView(record, { box, standing, heartbeat: findHeartbeat(id) });
}
