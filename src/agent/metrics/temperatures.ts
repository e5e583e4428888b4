/** Temperatures from /sys/class/hwmon, else /sys/class/thermal. */
import type { Temperature } from "../payload.ts";
import type { NameFilter } from "../../kit/text/name-filter.ts";
import { chooseNothing } from "../name-filter.ts";
import type { SystemFiles } from "./system-files.ts";

const MOST_SENSORS = 32;
/** A driver may call a sensor what it likes; the service takes 256 characters. */
const LONGEST_NAME = 100;

/** Millidegrees to degrees with one decimal; undefined for what no sensor that works would say. */
export function parseMillidegrees(text: string | undefined): number | undefined {
  if (text === undefined || !/^-?\d+\s*$/u.test(text)) return undefined;
  const celsius = Math.round(Number(text) / 100) / 10;
  // An unconnected input reads as 0, −128 or 127.5 on the common chips.
  return celsius === 0 || celsius < -60 || celsius >= 127 ? undefined : celsius;
}

interface Chip {
  readonly folder: string;
  readonly name: string;
  readonly inputs: readonly string[];
}

/** Chips of the same name are told apart by the disk or the device that they belong to. */
function nameApart(files: SystemFiles, chips: readonly Chip[]): Chip[] {
  return chips.map((chip) => {
    if (chips.filter(({ name }) => name === chip.name).length === 1) return chip;
    const device = `${chip.folder}/device`;
    const apart = files.names(`${device}/block`)[0] ?? files.target(device);
    return apart === undefined ? chip : { ...chip, name: `${chip.name} ${apart}` };
  });
}

function findChips(files: SystemFiles): Chip[] {
  const chips = files.names("/sys/class/hwmon").map((chip) => {
    const folder = `/sys/class/hwmon/${chip}`;
    const inputs = files.names(folder).filter((name) => /^temp\d+_input$/u.test(name));
    return { folder, name: files.text(`${folder}/name`)?.trim() ?? chip, inputs };
  });
  return nameApart(
    files,
    chips.filter(({ inputs }) => inputs.length > 0),
  );
}

function readHwmon(files: SystemFiles): Temperature[] {
  const found: Temperature[] = [];
  for (const { folder, name: chipName, inputs } of findChips(files)) {
    for (const input of inputs) {
      const celsius = parseMillidegrees(files.text(`${folder}/${input}`));
      const label = files.text(`${folder}/${input.replace("_input", "_label")}`)?.trim();
      if (celsius !== undefined)
        found.push({ name: label === undefined ? chipName : `${chipName} ${label}`, celsius });
    }
  }
  return found;
}

function readThermalZones(files: SystemFiles): Temperature[] {
  const found: Temperature[] = [];
  for (const zone of files.names("/sys/class/thermal").filter((name) => name.startsWith("thermal_zone"))) {
    const celsius = parseMillidegrees(files.text(`/sys/class/thermal/${zone}/temp`));
    const name = files.text(`/sys/class/thermal/${zone}/type`)?.trim() ?? zone;
    if (celsius !== undefined) found.push({ name, celsius });
  }
  return found;
}

/** Numbers what still has the same name as one before it. */
function number(sensors: readonly Temperature[]): Temperature[] {
  const counts = new Map<string, number>();
  return sensors.map(({ name: given, celsius }) => {
    const name = given.slice(0, LONGEST_NAME);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return { name: count === 1 ? name : `${name} ${count}`, celsius };
  });
}

/**
 * All sensors with unique names; undefined if the machine has none, like virtual ones. Thermal zones replace missing
 * chips, or those that `choose` names.
 */
export function readTemperatures(
  files: SystemFiles,
  choose: NameFilter = chooseNothing,
): Temperature[] | undefined {
  const hwmon = readHwmon(files);
  const found = number([...hwmon, ...readThermalZones(files)]).filter(
    ({ name }, index) => choose(name) ?? (hwmon.length === 0 || index < hwmon.length),
  );
  return found.length === 0 ? undefined : found.slice(0, MOST_SENSORS);
}
