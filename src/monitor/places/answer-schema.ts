/** Responses about check files for machines. */
import { z } from "@hono/zod-openapi";
import { allowances } from "../../kit/check-files/check-file.ts";
import { pageSchema } from "../../kit/http/paging.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { placeStates } from "./place-files.ts";

const stateSchema = z
  .enum(placeStates)
  .describe(
    "`current`: the machine runs this file. `outdated`: it runs another version. `missing`: it reports no file or has not " +
      "reported yet. `unneeded`: it runs a file that no check uses",
  );

export const checkPlaceSchema = z
  .object({
    serverId: z.string(),
    serverName: z.string(),
    state: stateSchema,
    checks: z.number().int().describe("Number of checks in the prepared file"),
    leftOut: z
      .number()
      .int()
      .describe("Number of checks left out because the file is limited to 200 checks and 256 KiB"),
    tooNew: z.number().int().describe("Number of checks left out because the agent is too old for them"),
    hash: z.string().describe("Hash of the prepared file"),
    agentHash: z.string().optional().describe("Hash of the file that the agent runs"),
    problem: z.string().optional().describe("Problem with the file on the machine, in English"),
    reportedAt: isoTimeSchema.optional().describe("Time of the agent's report"),
  })
  .openapi("CheckPlace");
export type CheckPlaceView = z.infer<typeof checkPlaceSchema>;
export const checkPlacesSchema = pageSchema(checkPlaceSchema);
export type CheckPlaceList = z.infer<typeof checkPlacesSchema>;

export const checkFileSchema = checkPlaceSchema
  .extend({
    fileName: z.string(),
    text: z.string().describe("Content of the check file"),
    allow: z.array(z.enum(allowances)),
    variables: z
      .array(z.string())
      .describe(
        "Environment variables of the agent with header values, which are never included in the file",
      ),
  })
  .openapi("CheckFile");
export type CheckFileView = z.infer<typeof checkFileSchema>;
