/** The parts of places, made together. */
import type { CheckIntake } from "../checks/standings.ts";
import { PlaceFiles, type PlaceFilesDeps } from "./place-files.ts";
import { type PlaceIntakeDeps, createPlaceIntake } from "./place-intake.ts";

export interface PlacePartsDeps {
  readonly checkDirectory: PlaceIntakeDeps["directory"] & PlaceFilesDeps["checks"];
  readonly checkIntake: CheckIntake;
  readonly live: PlaceFilesDeps["live"];
  readonly publicSnapshot: PlaceFilesDeps["servers"];
}

export function createPlaceParts({ checkDirectory, checkIntake, live, publicSnapshot }: PlacePartsDeps) {
  return {
    /** Receives results of checks from machines. */
    places: createPlaceIntake({
      directory: checkDirectory,
      take: (serverId, tries) => checkIntake.takePlaceResult(serverId, tries),
    }),
    /** The files that machines should run. */
    placeFiles: new PlaceFiles({ checks: checkDirectory, live, servers: publicSnapshot }),
  };
}
