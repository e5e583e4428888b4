/** How routes of the shop are declared. */
import { createResourceRoutes } from "../../kit/http/resource-routes.ts";
import { createProblemResponses, createRoutes } from "../../kit/http/schemas.ts";
import { ShopError } from "../base/errors.ts";

/** Responses for the codes that a route can answer with: common ones and those of the shop. */
export const problemResponses = createProblemResponses(ShopError.kinds);

/** `createRoute` of zod-openapi, with the errors of a route by their codes. */
export const createRoute = createRoutes(ShopError.kinds);

/** Adds the routes of a noun where nothing special happens. */
export const resourceRoutes = createResourceRoutes(ShopError.kinds);
