/** The refusal of wrong client credentials as a problem document, at endpoints that answer in that form. */
import type { Context } from "hono";
import { AppError } from "../../../kit/errors.ts";
import type { AppEnv } from "../../../kit/http/app.ts";
import { toProblemResponse } from "../../../kit/http/problem.ts";
import { BASIC_CHALLENGE } from "./oauth-form.ts";

const MESSAGE =
  "Client credentials are required. Send the ID and secret of a confidential application as Basic credentials, or as client_id and client_secret";

/** 401 with the challenge of RFC 7617, and the error that RFC 6749 section 5.2 names. */
export function refuseClient(c: Context<AppEnv>, message: string = MESSAGE): Response {
  const details = { error: "invalid_client", error_description: message };
  const response = toProblemResponse(
    new AppError("unauthenticated", message, { details }),
    c.get("requestId"),
  );
  response.headers.set("www-authenticate", BASIC_CHALLENGE);
  return response;
}
