/** Files of checks for machines, ready to paste, and how far each machine is with its own. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { allowances } from "../../kit/check-files/check-file.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageSchema } from "../../kit/http/paging.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import type { GuardEnv } from "../edge/admin-env.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";
import { type PlaceFiles, placeStates } from "./place-files.ts";

const stateSchema = z
  .enum(placeStates)
  .describe(
    "`current`: it runs what is shown here. `outdated`: it runs another file. `missing`: it reports none, or has not " +
      "reported yet. `unneeded`: it runs a file, and no check names it",
  );

const placeSchema = z
  .object({
    serverId: z.string(),
    serverName: z.string(),
    state: stateSchema,
    checks: z.number().int().describe("In the file that is ready for it"),
    leftOut: z.number().int().describe("Checks that name it and found no room: 200, or 256 KiB of them"),
    hash: z.string().describe("Of the file that is ready for it"),
    agentHash: z.string().optional().describe("Of the file that its agent runs"),
    problem: z.string().optional().describe("What is wrong with the file on the machine, in English"),
    reportedAt: isoTimeSchema.optional().describe("When its agent said so"),
  })
  .openapi("CheckPlace");

const fileSchema = placeSchema
  .extend({
    fileName: z.string(),
    text: z.string().describe("What the file must hold"),
    allow: z.array(z.enum(allowances)),
    variables: z
      .array(z.string())
      .describe(
        "Environment variables of the agent that hold the values of headers: they are never shown here",
      ),
  })
  .openapi("CheckFile");

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
        "What the owner of the machine lets checks do: ask private addresses, start `ping`. Default: what the file on the machine allows now",
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
  const adminListCheckPlaces = createRoute({
    ...adminRoute("checks", guard),
    method: "get",
    path: "/api/admin/check-places",
    operationId: "adminListCheckPlaces",
    summary: "Machines that checks name or that run checks, and whether their files are up to date",
    responses: {
      200: jsonResponse("All of them, by name", pageSchema(placeSchema), { items: [exampleState] }),
    },
  });
  app.openapi(adminListCheckPlaces, (c) => c.json({ items: [...placeFiles.list()] }, 200));

  const adminGetCheckFile = createRoute({
    ...adminRoute("checks", guard),
    method: "get",
    path: "/api/admin/servers/{id}/check-file",
    operationId: "adminGetCheckFile",
    summary: "The file of checks for one machine, ready to paste; nothing is ever sent to the machine",
    request: { params, query },
    responses: { 200: jsonResponse("The file, and how far the machine is", fileSchema, exampleFile) },
    errors: ["invalid", "not_found"],
  });
  app.openapi(adminGetCheckFile, (c) => {
    const { text, ...rest } = placeFiles.get(c.req.valid("param").id, toAllow(c.req.valid("query").allow));
    return c.json({ ...rest, text, fileName: "checks.json" }, 200);
  });
}
