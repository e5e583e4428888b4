/** Batteries that power the machine, from /sys/class/power_supply (sysfs-class-power). */
import type { Battery } from "../payload.ts";
import type { SystemFiles } from "../metrics/system-files.ts";
import type { DetailReading } from "./details.ts";
import { toLine } from "./json.ts";

const MOST_BATTERIES = 8;
const CLASS = "/sys/class/power_supply";

/** The batteries; nothing on a machine without one. */
export function readBatteries(files: SystemFiles): DetailReading {
  const batteries: Battery[] = [];
  for (const folder of files.names(CLASS).toSorted()) {
    const read = (name: string): string | undefined => files.text(`${CLASS}/${folder}/${name}`)?.trim();
    // A mouse has one too: its scope is "Device".
    if (!/^(?:Battery|UPS)$/u.test(read("type") ?? "") || read("scope") === "Device") continue;
    const capacity = read("capacity") ?? "";
    if (!/^\d{1,3}$/u.test(capacity)) continue;
    batteries.push({
      name: toLine(read("model_name"), 64) ?? folder.slice(0, 64),
      percent: Math.min(100, Number(capacity)),
      state: toLine(read("status"), 32)?.toLowerCase(),
    });
  }
  if (batteries.length === 0) return {};
  return {
    battery: { percent: Math.min(...batteries.map(({ percent }) => percent)) },
    details: { batteries: batteries.slice(0, MOST_BATTERIES) },
  };
}
