/** What a check or server depends on, and what depends on it. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { AppError } from "../../../kit/errors.ts";
import type { ServiceApp } from "../../../kit/http/app.ts";
import { jsonResponse } from "../../../kit/http/schemas.ts";
import type { GuardEnv } from "../../edge/admin-env.ts";
import { adminRoute, createRoute } from "../../edge/create-route.ts";
import type { Alerts } from "../alerts.ts";
import { dependencyStates } from "../dependencies.ts";
import { canBeMember, isGroupCheck } from "../group-check.ts";
import type { Watched } from "../kinds/watched.ts";
import { toCause } from "./alert-view.ts";

/** Children, and members of a group, that one answer lists. */
const MAX_LISTED = 200;

const oneSchema = z.object({
  type: z.enum(["check", "server"]),
  id: z.string(),
  name: z.string(),
  state: z.enum(dependencyStates).describe("`down` also for a server that is offline"),
});
const count = z.number().int().min(0);

export const dependencyViewSchema = z.object({
  parents: z.array(oneSchema).describe("What it depends on"),
  children: z.array(oneSchema).describe(`Up to ${MAX_LISTED} that depend on it directly`),
  behind: z
    .object({ checks: count, servers: count })
    .describe("How many depend on it, directly or through others"),
  causedBy: z
    .array(oneSchema)
    .describe("Parents that are down: while there are any, an outage of it opens no alert"),
  members: z
    .array(oneSchema)
    .describe(`Up to ${MAX_LISTED} members of the group that the check judges, those that are down first`),
});
export type DependencyView = z.infer<typeof dependencyViewSchema>;

const router = {
  type: "check",
  id: "chk_01jd5v6m0c8f3k2n7q4x9y1z5b",
  name: "router-1",
  state: "down",
} as const;
const example: DependencyView = {
  parents: [router],
  children: [],
  behind: { checks: 0, servers: 0 },
  causedBy: [router],
  members: [],
};

const params = z.object({
  id: z
    .string()
    .min(1)
    .max(64)
    .openapi({ param: { name: "id", in: "path" }, example: "chk_01jd5v6m0c8f3k2n7q4x9y1z5a" }),
});

/** Of the group that it judges; paused ones last. */
function listMembers({ dependencies, watched }: Alerts, { type, record }: Watched): readonly Watched[] {
  if (type !== "check" || !isGroupCheck(record)) return [];
  const { group } = record.target;
  const rank = (one: Watched): number =>
    ["down", "unknown", "up", "paused"].indexOf(dependencies.stateOf(one));
  return [...watched.all()]
    .filter((one) => one.record.group === group && canBeMember(one))
    .toSorted((a, b) => rank(a) - rank(b));
}

function toView(alerts: Alerts, watched: Watched): DependencyView {
  const { dependencies } = alerts;
  const show = (one: Watched) => ({ ...toCause(one), state: dependencies.stateOf(one) });
  return {
    parents: dependencies.parentsOf(watched).map(show),
    children: dependencies.childrenOf(watched).slice(0, MAX_LISTED).map(show),
    behind: dependencies.countBehind(watched),
    causedBy: dependencies.findCauses(watched).map(show),
    members: listMembers(alerts, watched).slice(0, MAX_LISTED).map(show),
  };
}

/** Adds the route. */
export function addDependencyRoute(
  app: ServiceApp,
  { alerts, guard }: { readonly alerts: Alerts; readonly guard: MiddlewareHandler<GuardEnv> },
): void {
  const route = createRoute({
    ...adminRoute("alerts", guard),
    method: "get",
    path: "/api/admin/dependencies/{id}",
    operationId: "adminGetDependencies",
    summary: "Get what a check or server depends on, and what depends on it",
    request: { params },
    responses: { 200: jsonResponse("The dependencies", dependencyViewSchema, example) },
    errors: ["not_found"],
  });
  app.openapi(route, (c) => {
    const { id } = c.req.valid("param");
    const watched = alerts.dependencies.find(id);
    if (watched === undefined) throw new AppError("not_found", `There is no check or server "${id}"`);
    return c.json(toView(alerts, watched), 200);
  });
}
