/** Temperatures from /sys/class/hwmon, else /sys/class/thermal. */
import type { Temperature } from "../payload.ts";
import type { SystemFiles } from "./system-files.ts";

const MOST_SENSORS = 32;

/** Millidegrees to degrees with one decimal; undefined for what no sensor that works would say. */
export function parseMillidegrees(text: string | undefined): number | undefined {
  if (text === undefined || !/^-?\d+\s*$/u.test(text)) return undefined;
  const celsius = Math.round(Number(text) / 100) / 10;
  // An unconnected input reads as 0, −128 or 127.5 on the common chips.
  return celsius === 0 || celsius < -60 || celsius >= 127 ? undefined : celsius;
}

function readHwmon(files: SystemFiles): Temperature[] {
  const found: Temperature[] = [];
  for (const chip of files.names("/sys/class/hwmon")) {
    const folder = `/sys/class/hwmon/${chip}`;
    const inputs = files.names(folder).filter((name) => /^temp\d+_input$/u.test(name));
    if (inputs.length === 0) continue;
    const chipName = files.text(`${folder}/name`)?.trim() ?? chip;
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

/** All sensors; undefined when the machine shows none, as virtual ones do. */
export function readTemperatures(files: SystemFiles): Temperature[] | undefined {
  const hwmon = readHwmon(files);
  const found = hwmon.length > 0 ? hwmon : readThermalZones(files);
  return found.length === 0 ? undefined : found.slice(0, MOST_SENSORS);
}
