/** Believable reports of a simulated machine, made cheaply. */

export interface SimulatedMachine {
  /** payload_json of the next report, `elapsedMs` after the one before. */
  next(elapsedMs: number): string;
}

const GIB = 1024 ** 3;
const platforms = [
  ["debian", "12", "6.1.0-32-amd64"],
  ["ubuntu", "24.04", "6.8.0-60-generic"],
  ["alpine", "3.21.3", "6.12.20-0-lts"],
  ["rocky", "9.5", "5.14.0-503.el9"],
] as const;

/** A small fast generator (mulberry32), so that a fleet is the same at each run. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A machine of its own character for each `index`. */
export function createSimulatedMachine(
  index: number,
  options: { readonly intervalMs: number; readonly nowMs: number },
): SimulatedMachine {
  const random = createRandom(index + 1);
  const cores = 2 ** Math.floor(random() * 4) * 2;
  const memory = cores * 2 * GIB;
  const disk = (40 + Math.floor(random() * 400)) * GIB;
  const [platform, version, kernel] = platforms[index % platforms.length] ?? platforms[0];
  const usual = 3 + random() * 40;
  const bootMs = options.nowMs - Math.floor(random() * 90 * 86_400_000);
  let cpu = usual;
  let memoryShare = 0.2 + random() * 0.5;
  let diskUsed = disk * (0.1 + random() * 0.6);
  let rx = Math.floor(random() * 1e12);
  let tx = Math.floor(random() * 1e12);
  let uptimeMs = options.nowMs - bootMs;
  let first = true;
  const host =
    `"host":{"os":"linux","platform":"${platform}","platformVersion":"${version}","kernel":"${kernel}","arch":"x86_64",` +
    `"virtualization":"kvm","cpuModel":"AMD EPYC 7B13","cpuCores":${cores},"agentVersion":"0.1.0","bootTimeUnixMs":${bootMs}},`;

  return {
    next(elapsedMs) {
      // Drifts about its usual load, with a burst now and then.
      cpu += (usual - cpu) * 0.1 + (random() - 0.5) * 8 + (random() < 0.01 ? 40 : 0);
      cpu = Math.min(100, Math.max(0.2, cpu));
      memoryShare = Math.min(0.95, Math.max(0.05, memoryShare + (random() - 0.5) * 0.01));
      diskUsed = Math.min(disk, diskUsed + random() * 1e5);
      const rxRate = Math.floor(random() * cpu * 20_000);
      const txRate = Math.floor(random() * cpu * 8000);
      rx += Math.round((rxRate * elapsedMs) / 1000);
      tx += Math.round((txRate * elapsedMs) / 1000);
      uptimeMs += elapsedMs;
      const perCore = Array.from({ length: cores }, () =>
        toTenth(Math.min(100, cpu * (0.5 + random()))),
      ).join(",");
      const load = (cpu * cores) / 100;
      const used = Math.floor(memory * memoryShare);
      const withHost = first ? host : "";
      first = false;
      return (
        `{"v":1,"intervalMs":${options.intervalMs},"uptimeSeconds":${Math.floor(uptimeMs / 1000)},${withHost}` +
        `"cpu":{"usagePercent":${toTenth(cpu)},"perCorePercent":[${perCore}],"iowaitPercent":${toTenth(random())},"stealPercent":0},` +
        `"load":{"one":${toTenth(load)},"five":${toTenth(load * 0.9)},"fifteen":${toTenth(load * 0.8)}},` +
        `"memory":{"totalBytes":${memory},"usedBytes":${used},"cacheBytes":${Math.floor((memory - used) / 2)}},` +
        `"swap":{"totalBytes":${2 * GIB},"usedBytes":0},` +
        `"disk":{"totalBytes":${disk},"usedBytes":${Math.floor(diskUsed)},"readBytesPerSecond":${Math.floor(random() * 1e5)},` +
        `"writeBytesPerSecond":${Math.floor(random() * 1e6)},"mounts":[{"path":"/","totalBytes":${disk},"usedBytes":${Math.floor(diskUsed)}}]},` +
        `"network":{"rxBytesPerSecond":${rxRate},"txBytesPerSecond":${txRate},"rxTotalBytes":${rx},"txTotalBytes":${tx},` +
        `"interfaces":[{"name":"eth0","rxTotalBytes":${rx},"txTotalBytes":${tx}}]},` +
        `"connections":{"tcp":${20 + Math.floor(cpu * 3)},"udp":${Math.floor(random() * 12)}},"processes":${90 + Math.floor(cpu)},` +
        `"temperatures":[{"name":"cpu_thermal","celsius":${toTenth(35 + cpu / 3)}}]}`
      );
    },
  };
}
