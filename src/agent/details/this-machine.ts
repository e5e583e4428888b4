/** The details of the machine at hand. */
import { existsSync } from "node:fs";
import { platform } from "node:os";
import process from "node:process";
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { Choices } from "../choices.ts";
import type { FactReader } from "../facts.ts";
import { createSystemFiles } from "../metrics/system-files.ts";
import type { Timers } from "../timers.ts";
import { readBatteries } from "./batteries.ts";
import { createContainersReader } from "./containers.ts";
import { type DetailReader, type DetailsSource, createDetails } from "./details.ts";
import { createExtraFiles } from "./extra-files.ts";
import { createUnitsReader } from "./failed-units.ts";
import { readRaid } from "./raid.ts";
import { createSocketHttp } from "./socket-http.ts";

export interface MachineDetailsOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly facts: FactReader;
  readonly log: Log;
  /** Where a container sees the machine's "/"; absent outside of one. */
  readonly root?: string | undefined;
  /** The socket of Docker or Podman; absent: containers are not looked at. */
  readonly containersSocket?: string | undefined;
  readonly extraFolder: string;
  readonly choices: Choices;
}

function createLinuxReaders(root: string, choices: Choices): DetailReader[] {
  const files = createSystemFiles(root);
  const readers: DetailReader[] = [
    { name: "RAID arrays", read: () => readRaid(files) },
    { name: "Batteries", read: () => readBatteries(files) },
  ];
  const bus = `${root}/run/dbus/system_bus_socket`;
  // sd_booted(3): whether systemd runs the machine.
  if (existsSync(`${root}/run/systemd/system`) && existsSync(bus))
    readers.push({
      name: "Failed units",
      read: createUnitsReader({ socketPath: bus, uid: process.getuid?.() ?? 0, choices }),
    });
  return readers;
}

export function createMachineDetails(options: MachineDetailsOptions): DetailsSource {
  const { clock, timers, facts, log, root = "", containersSocket, extraFolder, choices } = options;
  const onFault = (text: string): void => log.warn(text);
  const readers = platform() === "linux" ? createLinuxReaders(root, choices) : [];
  readers.push({
    name: "Extra files",
    read: createExtraFiles({ folder: extraFolder, now: clock.now, onFault }),
  });
  if (containersSocket !== undefined)
    readers.push({
      name: "Containers",
      read: createContainersReader({
        get: createSocketHttp(containersSocket),
        clock,
        choose: choices.filters.containers,
      }),
    });
  return createDetails({ readers, timers, facts });
}
