/** GPUs by sysfs: AMD (amdgpu) with use, memory, temperature and power; Intel (i915, xe) by the time it is awake. */
import type { GpuUsage } from "../payload.ts";
import { createRateMeter } from "./rates.ts";
import type { SystemFiles } from "./system-files.ts";
import { parseMillidegrees } from "./temperatures.ts";

const MOST_GPUS = 16;
const DRM = "/sys/class/drm";
const MICROWATTS_PER_WATT = 1_000_000;
const vendors = new Map([
  ["0x1002", "AMD"],
  ["0x8086", "Intel"],
]);
/** Milliseconds in which an Intel GPU slept, by driver. */
const sleepFiles = [
  "gt/gt0/rc6_residency_ms",
  "power/rc6_residency_ms",
  "device/tile0/gt0/gtidle/idle_residency_ms",
];

/** One GPU as it was found. */
interface Gpu {
  readonly folder: string;
  readonly name: string;
  readonly slept: ReturnType<typeof createRateMeter>;
}

/** The name of a device in the list of PCI ids: vendors at the line's beginning, their devices after a tab. */
export function findPciName(list: string, vendor: string, device: string): string | undefined {
  const from = `\n${list}`.indexOf(`\n${vendor}  `);
  if (from === -1) return undefined;
  const rest = list.slice(from);
  const end = /\n[0-9a-f]/u.exec(rest)?.index;
  return new RegExp(`^\t${device}  (.+)$`, "mu").exec(rest.slice(0, end))?.[1];
}

function findName(files: SystemFiles, folder: string): string {
  const read = (name: string): string => files.text(`${folder}/device/${name}`)?.trim() ?? "";
  const vendor = vendors.get(read("vendor")) ?? "";
  const own = read("product_name");
  if (own !== "") return own.slice(0, 128);
  const [vendorId, deviceId] = [read("vendor"), read("device")].map((id) => id.replace(/^0x/u, ""));
  if (!/^[0-9a-f]{4}$/u.test(deviceId ?? "")) return `${vendor} GPU`;
  for (const path of ["/usr/share/hwdata/pci.ids", "/usr/share/misc/pci.ids"]) {
    const name = findPciName(files.text(path) ?? "", vendorId ?? "", deviceId ?? "");
    if (name !== undefined) return `${vendor} ${name}`.slice(0, 128);
  }
  return `${vendor} GPU ${deviceId}`;
}

function findGpus(files: SystemFiles): Gpu[] {
  return files
    .names(DRM)
    .filter((name) => /^card\d+$/u.test(name))
    .map((name) => `${DRM}/${name}`)
    .filter((folder) => vendors.has(files.text(`${folder}/device/vendor`)?.trim() ?? ""))
    .slice(0, MOST_GPUS)
    .map((folder) => ({ folder, name: findName(files, folder), slept: createRateMeter() }))
    .map((gpu, _at, all) => ({ ...gpu, name: toOwnName(files, gpu, all) }));
}

/** Several of one model are told apart by their slot. */
function toOwnName(files: SystemFiles, { folder, name }: Gpu, all: readonly Gpu[]): string {
  if (all.filter((other) => other.name === name).length === 1) return name;
  return `${name} (${files.target(`${folder}/device`) ?? folder.slice(DRM.length + 1)})`;
}

function readGpu(files: SystemFiles, { folder, name, slept }: Gpu, atMs: number): GpuUsage {
  const read = (path: string): number | undefined => {
    const text = files.text(`${folder}/${path}`)?.trim() ?? "";
    return /^\d{1,15}$/u.test(text) ? Number(text) : undefined;
  };
  // Reading the values of a sleeping device wakes it.
  if (files.text(`${folder}/device/power/runtime_status`)?.trim() === "suspended")
    return { name, usagePercent: 0 };
  const sensors = files.names(`${folder}/device/hwmon`).map((chip) => `device/hwmon/${chip}`)[0];
  const asleepMs = sleepFiles.map(read).find((value) => value !== undefined);
  const asleepPerSecond = asleepMs === undefined ? undefined : slept.perSecond(asleepMs, atMs);
  const awake =
    asleepPerSecond === undefined ? undefined : Math.max(0, Math.round(1_000 - asleepPerSecond) / 10);
  const power = read(`${sensors}/power1_average`) ?? read(`${sensors}/power1_input`);
  return {
    name,
    usagePercent: read("device/gpu_busy_percent") ?? awake,
    memoryTotalBytes: read("device/mem_info_vram_total"),
    memoryUsedBytes: read("device/mem_info_vram_used"),
    celsius: parseMillidegrees(files.text(`${folder}/${sensors}/temp1_input`)),
    powerWatts: power === undefined ? undefined : Math.round(power / (MICROWATTS_PER_WATT / 10)) / 10,
  };
}

/** Creates the reader of the machine's GPUs, which are looked for once; undefined when it has none that say anything. */
export function createGpuReader(files: SystemFiles): (atMs: number) => GpuUsage[] | undefined {
  let gpus: readonly Gpu[] | undefined;
  return (atMs) => {
    gpus ??= findGpus(files);
    const read = gpus
      .map((gpu) => readGpu(files, gpu, atMs))
      // A virtual machine's display says nothing but its name.
      .filter(({ name: _name, ...values }) => Object.values(values).some((value) => value !== undefined));
    return read.length === 0 ? undefined : read;
  };
}
