/** Locations of checks in the API. Records call them places, and the monitor itself {@link CENTER}. */
import { z } from "zod";
import { CENTER, type Places, placesSchema } from "./schema.ts";

const { center, serverIds, quorum } = placesSchema.shape;

export const locationsSchema = z.strictObject({
  monitor: center.describe("Whether the monitor itself runs the check"),
  serverIds: serverIds.describe("Servers whose agents run the check"),
  quorum: quorum.describe("How many locations must report it as down before it counts as down"),
});
export type Locations = z.infer<typeof locationsSchema>;

/** Some of a check's locations, such as those that reported it as down. */
export const locationSetSchema = z.object({ monitor: z.boolean(), serverIds: z.array(z.string()) });

export function toLocations(places: Places): Locations {
  return { monitor: places.center, serverIds: [...places.serverIds], quorum: places.quorum };
}

/** @param locations all members, or some of them in a change */
export function toPlaces({ monitor, ...others }: Readonly<Record<string, unknown>>): Partial<Places> {
  return monitor === undefined ? others : { center: monitor === true, ...others };
}

export function toLocationSet(places: readonly string[]): z.infer<typeof locationSetSchema> {
  return { monitor: places.includes(CENTER), serverIds: places.filter((place) => place !== CENTER) };
}
