import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { systemClock } from "../src/kit/time/clock.ts";
import { openPostgresRollups } from "../src/store/postgres/rollups.ts";
import { readOrigin } from "../src/store/series/samples/origin.ts";
import { assertHistorySurvives, tiers } from "./main-history-trial.ts";
import { type TestDatabase, createTestDatabase } from "./support/postgres.ts";
import { type Programs, createPrograms } from "./support/program.ts";

describe("the program's history in PostgreSQL", () => {
  let programs: Programs;
  let database: TestDatabase;

  beforeEach(async () => {
    programs = await createPrograms(["monitor"]);
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await programs.dispose();
    await database.drop();
  });

  it("has every stored report once in every tier, stopped and killed with -9 under load", () =>
    assertHistorySurvives(programs, { DATABASE_URL: database.url }, async () =>
      openPostgresRollups({
        url: database.url,
        prefix: "monitor_history",
        tiers,
        origin: await readOrigin(join(programs.folder, "data/monitor/samples")),
        clock: systemClock,
        applicationName: "trivet-test",
      }),
    ));
});
