/** A simple noun in one file: schema, collection, its special rules, and its routes in one call. */
import { z } from "@hono/zod-openapi";
import { AppError, commonErrors } from "../../../src/kit/errors.ts";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../../src/kit/http/app.ts";
import { pageQuerySchema } from "../../../src/kit/http/paging.ts";
import { createResourceRoutes } from "../../../src/kit/http/resource-routes.ts";
import { viewOf } from "../../../src/kit/http/view.ts";
import { describeName } from "../../../src/kit/text/changes.ts";
import { line, timeMs, trimmedLine } from "../../../src/kit/text/schemas.ts";
import type { Clock } from "../../../src/kit/time/clock.ts";
import type { AuditActor } from "../../../src/records/audit.ts";
import { createResource, hasText } from "../../../src/records/resource.ts";
import { type Store, defineCollection } from "../../../src/store/store.ts";

const fields = {
  name: trimmedLine(40),
  room: z.enum(["hall", "cellar"]),
  places: z.int().min(0).max(100),
  note: line(100).default(""),
};
const recordSchema = z.object({
  ...fields,
  id: z.string(),
  version: z.int(),
  nameKey: z.string(),
  used: z.int(),
  createdAt: timeMs,
  updatedAt: timeMs,
});

export const shelves = defineCollection({
  name: "shelves",
  revision: 1,
  schema: recordSchema,
  unique: { byName: ["nameKey"] },
  ordered: { byCreated: ["createdAt"], inOrder: ["nameKey"] },
});

const shelf = viewOf(
  recordSchema,
  ["id", "version", "name", "room", "places", "note"],
  ["createdAt", "updatedAt"],
);
const viewSchema = z.object(shelf.shape).openapi("Shelf");
const newSchema = z.strictObject(fields).openapi("NewShelf");
const changeSchema = z
  .strictObject({
    name: fields.name.optional(),
    room: fields.room.optional(),
    places: fields.places.optional(),
    note: fields.note.unwrap().optional(),
    version: z.int().min(1).optional(),
  })
  .openapi("ShelfChange");
const querySchema = pageQuerySchema.extend({
  sort: z.enum(["newest", "oldest", "name"]).optional(),
  room: fields.room.optional(),
  q: line(100).optional(),
});

const example = {
  id: "shf_01jd5v6m0c8f3k2n7q4x9y1z5a",
  version: 1,
  name: "Left",
  room: "hall",
  places: 10,
  note: "",
  createdAt: "2026-11-21T09:00:00.000+00:00",
  updatedAt: "2026-11-21T09:00:00.000+00:00",
} as const;

function createShelves(deps: { store: Store; clock: Clock }) {
  return createResource(deps, {
    collection: shelves,
    noun: "shelf",
    idPrefix: "shf",
    auditName: "shelf",
    atMost: 60,
    unique: { index: "byName", keyOf: ({ nameKey }) => [nameKey], field: "name" },
    orders: {
      newest: { index: "byCreated", reverse: true },
      oldest: { index: "byCreated" },
      name: { index: "inOrder" },
    },
    matches: ({ name, note, room }, query: z.output<typeof querySchema>) =>
      (query.room === undefined || query.room === room) && hasText([name, note], query.q ?? ""),
    create: ({ name, room, places, note }: z.output<typeof newSchema>, { id, nowMs }) => ({
      id,
      version: 0,
      name,
      nameKey: name.toLowerCase(),
      room,
      places,
      note,
      used: 0,
      createdAt: nowMs,
      updatedAt: nowMs,
    }),
    change: (before, change: Omit<z.output<typeof changeSchema>, "version">) => ({
      ...before,
      ...change,
      nameKey: (change.name ?? before.name).toLowerCase(),
    }),
    check: (_tx, { places, used }) => {
      if (places >= used) return Promise.resolve();
      throw new AppError("conflict", `${used} places are used`);
    },
    afterRemove: (_tx, { used }) => {
      if (used === 0) return Promise.resolve();
      throw new AppError("conflict", "Something stands on the shelf");
    },
    describe: ({ name }) => describeName(name),
    derived: ["nameKey"],
  });
}

export interface ShelfEnv {
  Variables: { actor: AuditActor };
}

const resourceRoutes = createResourceRoutes(commonErrors);

/** Adds the routes below /api/admin/shelves. */
export function addShelfRoutes(
  app: ServiceApp,
  { admin, ...deps }: { store: Store; clock: Clock; admin: MiddlewareHandler<ShelfEnv> },
): void {
  const resource = createShelves(deps);
  resourceRoutes(app, {
    route: {
      tags: ["shelves"],
      "x-access": "admin",
      security: [],
      guardErrors: [],
      middleware: admin,
    },
    path: "/api/admin/shelves",
    name: "Shelf",
    names: "Shelves",
    noun: "shelf",
    nouns: "shelves",
    params: z.object({ id: z.string().openapi({ param: { name: "id", in: "path" }, example: example.id }) }),
    view: viewSchema,
    example,
    show: shelf.show,
    list: { query: querySchema, run: resource.list },
    get: { run: resource.get },
    create: { body: newSchema, example, errors: ["already_exists", "conflict"], run: resource.create },
    change: {
      body: changeSchema,
      example: { places: 12 },
      errors: ["already_exists", "conflict"],
      run: resource.change,
    },
    remove: { ifMatch: true, errors: ["conflict"], run: resource.remove },
  });
}
