/** U+0000 in every place of every route, on each store: PostgreSQL keeps none, and no request may learn it from a 500. */
import { it } from "node:test";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { json } from "./attacks.ts";
import { Round } from "./round.ts";
import { type Subject, listRoutes, spoilTexts, takesJson, toPath } from "./route-cases.ts";

/** Sends it in the first place of the path, in each parameter of the query, and at the end of each text of the body. */
async function walk(subject: Subject): Promise<void> {
  const round = new Round(subject);
  const routes = await listRoutes(subject);
  for (const route of routes) {
    const example = takesJson(route) ? route.example : undefined;
    const send = async (path: string, body: unknown, what: string): Promise<void> => {
      const headers = { ...(await subject.credentials(route)), ...(body === undefined ? {} : json) };
      const attack = body === undefined ? {} : { body: JSON.stringify(body) };
      await round.send(route, { path, headers, ...attack }, { what });
    };
    const path = toPath(subject, route);
    if (route.places.length > 0) await send(toPath(subject, route, "x%00"), example, "NUL in the path");
    for (const name of route.query) await send(`${path}?${name}=x%00`, example, `NUL in the query`);
    for (const { where, body } of spoilTexts(example, "\0")) await send(path, body, `NUL in ${where}`);
  }
  round.finish(routes.length);
}

/** Declares the test of one service. */
export function testNul(name: string, create: (options?: { store?: Store }) => Promise<Subject>): void {
  it(`is no fault of the ${name}, in memory and on PostgreSQL`, async () => {
    const { collections } = await create();
    await walk(await create({ store: createMemoryStore({ collections }) }));
    const database = await createTestDatabase();
    let store: Store | undefined;
    try {
      store = await openPostgresStore({ url: database.url, name, collections });
      await walk(await create({ store }));
    } finally {
      await store?.close();
      await database.drop();
    }
  });
}
