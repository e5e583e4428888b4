/** How routes of the auth center are declared. */
import { createResourceRoutes } from "../../kit/http/resource-routes.ts";
import { createProblemResponses, createRoutes } from "../../kit/http/schemas.ts";
import { AuthError } from "../base/errors.ts";

/** Responses for the codes that a route can answer with: common ones and those of the auth center. */
export const problemResponses = createProblemResponses(AuthError.kinds);

/** `createRoute` of zod-openapi, with the errors of a route by their codes. */
export const createRoute = createRoutes(AuthError.kinds);

/** Adds the routes of a noun where nothing special happens. */
export const resourceRoutes = createResourceRoutes(AuthError.kinds);
