/** The lists with which the owner of a machine chooses its mounts, interfaces, sensors, containers and units. */
import type { NameFilter } from "../kit/text/name-filter.ts";

export const listNames = ["mounts", "interfaces", "sensors", "containers", "units"] as const;
export type ListName = (typeof listNames)[number];

/** Filters by list, beyond the defaults. */
export type NameFilters = Readonly<Record<ListName, NameFilter>>;
/** The same as the owner writes it; "" says nothing. */
export type NameLists = Readonly<Record<ListName, string>>;

export const chooseNothing: NameFilter = () => undefined;
export const noFilters: NameFilters = {
  mounts: chooseNothing,
  interfaces: chooseNothing,
  sensors: chooseNothing,
  containers: chooseNothing,
  units: chooseNothing,
};
export const noLists: NameLists = { mounts: "", interfaces: "", sensors: "", containers: "", units: "" };
