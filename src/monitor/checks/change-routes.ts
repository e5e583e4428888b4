/** Routes that make, change and delete one check. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { acceptRenamed } from "../../kit/fields/renamed.ts";
import { toPatchSchema } from "../../records/settings-patch.ts";
import { adminRoute, resourceRoutes } from "../edge/create-route.ts";
import { muteSchema } from "../base/schema.ts";
import {
  CHECKS_PATH,
  type CheckRouteParts,
  checkParams,
  exampleCheck,
  exampleCheckView,
  renamedLocations,
  toPresentView,
} from "./parts-routes.ts";
import { locationsSchema } from "./location-schema.ts";
import type { CheckRecord } from "./schema.ts";
import { checkInputSchema, checkViewSchema } from "./view-schema.ts";

const version = z.number().int().min(1).optional();
const replaceSchema = acceptRenamed(checkInputSchema.extend({ version }), "places", renamedLocations);
/** Any of the fields; a target comes as a whole, and null takes `mute` away. */
const changeSchema = acceptRenamed(
  toPatchSchema(checkInputSchema.omit({ mute: true })).extend({
    mute: muteSchema.nullable().optional(),
    version,
  }),
  "places",
  { ...renamedLocations, schema: toPatchSchema(locationsSchema) },
);
const pingKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{16,64}$/u, "must be 16 to 64 letters, digits, - or _")
  .optional()
  .describe("Ping key of a heartbeat, to keep URLs that are already in use; otherwise a key is created");
const createSchema = acceptRenamed(checkInputSchema.extend({ pingKey }), "places", renamedLocations);

/** Adds the routes of one check. */
export function addCheckChangeRoutes(app: ServiceApp, parts: CheckRouteParts): void {
  const { checks, guard } = parts;
  resourceRoutes(app, {
    route: adminRoute("checks", guard),
    path: CHECKS_PATH,
    name: "Check",
    noun: "check",
    params: checkParams,
    view: checkViewSchema,
    example: exampleCheckView,
    show: (record: CheckRecord) => toPresentView(parts, record),
    get: {
      summary: "Get a check with its state",
      run: (id) => checks.get(id),
    },
    create: {
      summary: "Create a check",
      body: createSchema,
      example: exampleCheck,
      errors: ["conflict"],
      run: ({ pingKey, ...input }, { actor }) => checks.create(input, { actor, pingKey }),
    },
    replace: {
      summary:
        "Replace the configuration of a check. Omitted fields are reset to their defaults, except stored header values",
      body: replaceSchema,
      example: { ...exampleCheck, version: 1 },
      run: (id, input, by) => checks.replace(id, { input, ...by }),
    },
    change: {
      summary: "Change some fields of a check. A target is replaced as a whole",
      body: changeSchema,
      example: { paused: true },
      run: (id, patch, by) => checks.change(id, { patch, ...by }),
    },
    remove: {
      summary: "Delete a check and its history",
      run: (id, { actor }) => checks.remove(id, actor),
    },
  });
}
