/** The problem documents that routes of the auth center declare. */
import { createProblemResponses } from "../../kit/http/schemas.ts";
import { AuthError } from "../errors.ts";

/** Responses of a route for the codes that it can answer with: common ones and those of the auth center. */
export const problemResponses = createProblemResponses(AuthError.kinds);
