import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { systemClock } from "../src/kit/time/clock.ts";
import { openFileRollups } from "../src/store/series/rollups/file-rollups.ts";
import { assertHistorySurvives, tiers } from "./main-history-trial.ts";
import { type Programs, createPrograms } from "./support/program.ts";

describe("the program's history", () => {
  let programs: Programs;

  beforeEach(async () => {
    programs = await createPrograms(["monitor"]);
  });
  afterEach(() => programs.dispose());

  it("has every stored report once in every tier, stopped and killed with -9 under load", () =>
    assertHistorySurvives(programs, {}, () =>
      openFileRollups({ folder: join(programs.folder, "data/monitor/history"), tiers, clock: systemClock }),
    ));
});
