/** The problem documents that routes of the shop declare. */
import { createProblemResponses } from "../../kit/http/schemas.ts";
import { ShopError } from "../errors.ts";

/** Responses of a route for the codes that it can answer with: common ones and those of the shop. */
export const problemResponses = createProblemResponses(ShopError.kinds);
