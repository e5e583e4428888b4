import { describe } from "node:test";
import { listRoutes } from "./route-cases.ts";
import { testHostileRequests } from "./routes.ts";
import { createMonitorSubject } from "./subjects.ts";

const listed = await listRoutes(await createMonitorSubject());

describe("hostile requests to the monitor", () => {
  testHostileRequests(createMonitorSubject, { listed, floor: { routes: 45, bodies: 14 } });
});
