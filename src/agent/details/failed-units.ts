/** Units of systemd that failed, asked for over the system bus: no file says it, and no program is run. */
import { connect } from "node:net";
import type { FailedUnit } from "../payload.ts";
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
const list = encodeCall({
  serial: LIST_SERIAL,
  destination: "org.freedesktop.systemd1",
  path: "/org/freedesktop/systemd1",
  interface: "org.freedesktop.systemd1.Manager",
  member: "ListUnitsFiltered",
  strings: ["failed"],
});

/** Reads the answer, of type a(ssssssouso). */
function readUnits({ body }: Message): FailedUnit[] {
  const units: FailedUnit[] = [];
  const end = body.uint32();
  body.align(8);
  const from = body.at;
  while (body.at - from < end) {
    body.align(8);
    const [name, description] = [body.string(), body.string()];
    // Load, active and sub state, what it follows, its path; its job with kind and path.
    for (let skipped = 0; skipped < 5; skipped += 1) body.string();
    body.uint32();
    for (let skipped = 0; skipped < 2; skipped += 1) body.string();
    units.push({ name: toLine(name, 100) ?? "", description: toLine(description, 120) });
  }
  return units;
}

/** Takes what the bus says: one line of authentication, then messages. Gives the units once they are there. */
function createConversation(
  send: (bytes: Uint8Array) => void,
): (chunk: Uint8Array) => FailedUnit[] | undefined {
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
      send(Buffer.concat([Buffer.from("BEGIN\r\n"), hello, list]));
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
export function readFailedUnits(socketPath: string, uid: number): Promise<FailedUnit[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    const timer = setTimeout(() => socket.destroy(new Error("The system bus does not respond")), TIMEOUT_MS);
    const hear = createConversation((bytes) => socket.write(bytes));
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

export function createUnitsReader(socketPath: string, uid: number): () => Promise<DetailReading> {
  return async () => {
    const failed = await readFailedUnits(socketPath, uid);
    return {
      systemd: { failedUnits: failed.length },
      details: { failedUnits: failed.slice(0, MOST_UNITS) },
    };
  };
}
