import { describe } from "node:test";
import { listRoutes } from "./route-cases.ts";
import { testHostileRequests } from "./routes.ts";
import { createShopSubject } from "./subjects.ts";

const listed = await listRoutes(await createShopSubject());

describe("hostile requests to the shop", () => {
  testHostileRequests(createShopSubject, { listed, floor: { routes: 95, bodies: 33 } });
});
