/** What a route documents when it does not list its errors. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "@hono/zod-openapi";
import { commonErrors } from "../../../src/kit/errors.ts";
import { createRoutes, ifMatchHeader, jsonBody } from "../../../src/kit/http/schemas.ts";

const createRoute = createRoutes(commonErrors);
const responses = { 204: { description: "Done" } };
const params = z.object({ id: z.string() });
const body = jsonBody(z.object({}), {});

function listStatuses(route: { responses: object }): number[] {
  return Object.keys(route.responses).map(Number);
}

describe("the usual errors of a route", () => {
  it("of one that takes nothing are those of the server alone", () => {
    assert.deepEqual(listStatuses(createRoute({ method: "get", path: "/", responses })), [204, 500]);
  });

  it("follow from its parameters, its body, If-Match and the write", () => {
    const query = z.object({ q: z.string() });
    const get = createRoute({ method: "get", path: "/{id}", request: { params, query }, responses });
    assert.deepEqual(listStatuses(get), [204, 400, 404, 422, 500]);
    const remove = createRoute({ method: "delete", path: "/{id}", request: { params }, responses });
    assert.deepEqual(listStatuses(remove), [204, 404, 422, 500, 503]);
    const request = { params, body, headers: ifMatchHeader };
    const change = createRoute({ method: "patch", path: "/{id}", request, responses });
    assert.deepEqual(listStatuses(change), [204, 400, 404, 409, 412, 413, 415, 422, 500, 503]);
  });

  it("give way to those that it lists", () => {
    const route = { method: "delete", path: "/{id}", request: { params }, responses } as const;
    assert.deepEqual(listStatuses(createRoute({ ...route, errors: ["conflict"] })), [204, 409, 500]);
    assert.deepEqual(listStatuses(createRoute({ ...route, errors: [] })), [204, 500]);
  });
});
