import { describe } from "node:test";
import { listRoutes } from "./route-cases.ts";
import { testHostileRequests } from "./routes.ts";
import { createAuthSubject } from "./subjects.ts";

const listed = await listRoutes(await createAuthSubject());

describe("hostile requests to the auth center", () => {
  testHostileRequests(createAuthSubject, { listed, floor: { routes: 100, bodies: 35 } });
});
