/** Files of checks for machines, ready to paste, and how far each machine is with its own. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { allowances } from "../../kit/check-files/check-file.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import type { GuardEnv } from "../edge/admin-env.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";
import { checkFileSchema, checkPlacesSchema } from "./answer-schema.ts";
import type { PlaceFiles } from "./place-files.ts";

const exampleText = `{
  "v": 1,
  "checks": [
    {
      "id": "chk_01jd5v6m0c8f3k2n7q4x9y1z5a",
      "name": "Website",
      "intervalSeconds": 60,
      "target": { "kind": "http", "url": "https://www.example.org/" }
    }
  ]
}
`;
const exampleState = {
  serverId: "web-1",
  serverName: "Web 1",
  state: "outdated" as const,
  checks: 1,
  leftOut: 0,
  tooNew: 0,
  hash: "3f8a61c2d94e07b5",
  agentHash: "91c0d2e7f4a85b36",
  reportedAt: "2025-11-20T12:00:00+00:00",
};
const exampleFile = {
  ...exampleState,
  fileName: "checks.json",
  text: exampleText,
  allow: [],
  variables: [],
};

const params = z.object({
  id: z
    .string()
    .min(1)
    .max(64)
    .openapi({ param: { name: "id", in: "path" }, example: "web-1" }),
});

const listPattern = /^(?:(?:private|ping)(?:,(?!$)|$)){0,2}$/u;
const query = z.object({
  allow: z
    .string()
    .max(20)
    .regex(listPattern, 'must be "private", "ping", both with a comma, or nothing')
    .optional()
    .openapi({
      param: { name: "allow", in: "query" },
      description:
        "What checks are permitted to do on the machine: access private addresses, run `ping`. Default: the permissions of the current file",
      example: "private",
    }),
});

function toAllow(text: string | undefined): (typeof allowances)[number][] | undefined {
  return text === undefined ? undefined : allowances.filter((each) => text.split(",").includes(each));
}

export function addPlaceRoutes(
  app: ServiceApp,
  { placeFiles, guard }: { readonly placeFiles: PlaceFiles; readonly guard: MiddlewareHandler<GuardEnv> },
): void {
  for (const [name, path, isOld] of [
    ["Locations", "/api/admin/check-locations", false],
    ["Places", "/api/admin/check-places", true],
  ] as const) {
    const adminListCheckLocations = createRoute({
      ...adminRoute("checks", guard),
      method: "get",
      path,
      operationId: `adminListCheck${name}`,
      deprecated: isOld,
      summary: "List the machines that are check locations, with the state of their check files",
      responses: {
        200: jsonResponse("All machines, sorted by name", checkPlacesSchema, { items: [exampleState] }),
      },
    });
    app.openapi(adminListCheckLocations, (c) => c.json({ items: [...placeFiles.list()] }, 200));
  }

  const adminGetCheckFile = createRoute({
    ...adminRoute("checks", guard),
    method: "get",
    path: "/api/admin/servers/{id}/check-file",
    operationId: "adminGetCheckFile",
    summary: "Get the check file for a machine. Copy it to the machine: the monitor never sends it",
    request: { params, query },
    responses: {
      200: jsonResponse("The check file and its state on the machine", checkFileSchema, exampleFile),
    },
    errors: ["invalid", "not_found"],
  });
  app.openapi(adminGetCheckFile, (c) => {
    const { text, ...rest } = placeFiles.get(c.req.valid("param").id, toAllow(c.req.valid("query").allow));
    return c.json({ ...rest, text, fileName: "checks.json" }, 200);
  });
}
