/** Units of systemd that failed or are watched, asked for over the system bus: no file says it, and no program is run. */
import { connect } from "node:net";
import type { Choices } from "../choices.ts";
import type { FailedUnit, WatchedUnit } from "../payload.ts";
import { type Message, decodeMessage, encodeCall, messageTypes } from "./dbus-message.ts";
import type { DetailReading } from "./details.ts";
import { toLine } from "./json.ts";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;
const MOST_UNITS = 32;
const HELLO_SERIAL = 1;
const LIST_SERIAL = 2;

const hello = encodeCall({
  serial: HELLO_SERIAL,
  destination: "org.freedesktop.DBus",
  path: "/org/freedesktop/DBus",
  interface: "org.freedesktop.DBus",
  member: "Hello",
});
/** Lists the units in one of these states; in any when there is none. */
function encodeList(states: readonly string[]): Uint8Array {
  return encodeCall({
    serial: LIST_SERIAL,
    destination: "org.freedesktop.systemd1",
    path: "/org/freedesktop/systemd1",
    interface: "org.freedesktop.systemd1.Manager",
    member: "ListUnitsFiltered",
    strings: states,
  });
}

interface Unit {
  readonly name: string;
  readonly description: string | undefined;
  /** "active", "failed" … */
  readonly state: string;
}

/** Reads the answer, of type a(ssssssouso). */
function readUnits({ body }: Message): Unit[] {
  const units: Unit[] = [];
  const end = body.uint32();
  body.align(8);
  const from = body.at;
  while (body.at - from < end) {
    body.align(8);
    const [name, description] = [body.string(), body.string()];
    // Load state; then its sub state, what it follows, its path; its job with kind and path.
    body.string();
    const state = body.string();
    for (let skipped = 0; skipped < 3; skipped += 1) body.string();
    body.uint32();
    for (let skipped = 0; skipped < 2; skipped += 1) body.string();
    units.push({
      name: toLine(name, 100) ?? "",
      description: toLine(description, 120),
      state: toLine(state, 32) ?? "",
    });
  }
  return units;
}

/** Parses data from the bus: one authentication line, then messages. Returns the units once they are complete. */
function createConversation(
  send: (bytes: Uint8Array) => void,
  states: readonly string[],
): (chunk: Uint8Array) => Unit[] | undefined {
  let bytes: Uint8Array = new Uint8Array();
  let isOpen = false;
  return (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length > MAX_BYTES) throw new Error("The response of the system bus is too large");
    if (!isOpen) {
      const line = new TextDecoder().decode(bytes);
      if (!line.includes("\r\n")) return undefined;
      if (!line.startsWith("OK ")) throw new Error("The system bus denies access to this user");
      isOpen = true;
      bytes = new Uint8Array();
      send(Buffer.concat([Buffer.from("BEGIN\r\n"), hello, encodeList(states)]));
      return undefined;
    }
    for (let message = decodeMessage(bytes); message !== undefined; message = decodeMessage(bytes)) {
      bytes = bytes.slice(message.size);
      if (message.replySerial !== LIST_SERIAL) continue;
      if (message.type !== messageTypes.answer) throw new Error("systemd denied listing its units");
      return readUnits(message);
    }
    return undefined;
  };
}

/** Asks systemd behind the bus at `socketPath`. @throws Error when it does not answer */
function listUnits(socketPath: string, uid: number, states: readonly string[]): Promise<Unit[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    const timer = setTimeout(() => socket.destroy(new Error("The system bus does not respond")), TIMEOUT_MS);
    const hear = createConversation((bytes) => socket.write(bytes), states);
    socket.on("connect", () => {
      socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(uid)).toString("hex")}\r\n`);
    });
    socket.on("data", (chunk: Uint8Array) => {
      try {
        const units = hear(chunk);
        if (units === undefined) return;
        resolve(units);
        socket.destroy();
      } catch (error) {
        socket.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.on("error", reject);
    socket.on("close", () => {
      clearTimeout(timer);
      reject(new Error("The system bus closed the connection"));
    });
  });
}

/** The units that failed. @throws Error when systemd does not answer */
export async function readFailedUnits(socketPath: string, uid: number): Promise<FailedUnit[]> {
  const units = await listUnits(socketPath, uid, ["failed"]);
  return units.map(({ name, description }) => ({ name, description }));
}

/** People leave out ".service". */
function toUnitName(name: string): string {
  return /\.[a-z]+$/u.test(name) ? name : `${name}.service`;
}

/** The units that the lists name; one that systemd does not know is inactive. */
export function pickWatched(units: readonly Unit[], { filters, names }: Choices): WatchedUnit[] {
  const choose = (name: string) => filters.units(name) ?? filters.units(name.replace(/\.service$/u, ""));
  const watched = units.filter(({ name }) => choose(name) === true);
  const known = new Set(watched.map(({ name }) => name));
  const missing = names("units")
    .map(toUnitName)
    .filter((name) => !known.has(name) && choose(name) === true);
  return [
    ...watched.map(({ name, state, description }) => ({ name, state, description })),
    ...[...new Set(missing)].map((name) => ({ name, state: "inactive" })),
  ].slice(0, MOST_UNITS);
}

export interface UnitsReaderOptions {
  readonly socketPath: string;
  readonly uid: number;
  readonly choices: Choices;
}

export function createUnitsReader(options: UnitsReaderOptions): () => Promise<DetailReading> {
  const { socketPath, uid, choices } = options;
  return async () => {
    // All of them only where some are watched: there are hundreds.
    const isWatching = choices.isSet("units");
    const units = await listUnits(socketPath, uid, isWatching ? [] : ["failed"]);
    const failed = units.filter(({ state }) => state === "failed");
    const failedUnits = failed.map(({ name, description }) => ({ name, description })).slice(0, MOST_UNITS);
    return {
      systemd: { failedUnits: failed.length },
      details: isWatching ? { failedUnits, units: pickWatched(units, choices) } : { failedUnits },
    };
  };
}
