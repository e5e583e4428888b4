/**
 * The health of a disk out of what `smartctl --json --all` wrote to the folder of extra values: the agent runs no
 * program, and smartctl needs root.
 */
import type { DiskHealth } from "../payload.ts";
import { countAt, listAt, toLine, valueAt } from "./json.ts";

/** "Reallocated_Sector_Ct". */
const REALLOCATED = 5;

/** Whether a file is smartctl's own. */
export function isSmart(file: unknown): boolean {
  return Array.isArray(valueAt(file, "smartctl.version"));
}

/** Reads a file of smartctl. @throws Error that says what is missing */
export function toDiskHealth(file: unknown): DiskHealth {
  const name = toLine(valueAt(file, "device.name"), 100)?.replace(/^\/dev\//u, "");
  if (name === undefined || name === "") throw new Error("device.name must be a string");
  const passed = valueAt(file, "smart_status.passed");
  const reallocated = listAt(file, "ata_smart_attributes.table").find(
    (row) => countAt(row, "id") === REALLOCATED,
  );
  return {
    name,
    model: toLine(valueAt(file, "model_name"), 100),
    state: passed === true ? "ok" : passed === false ? "failing" : "unknown",
    celsius: countAt(file, "temperature.current"),
    wornPercent: countAt(file, "nvme_smart_health_information_log.percentage_used"),
    reallocatedSectors: countAt(reallocated, "raw.value"),
  };
}
