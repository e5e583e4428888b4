/** Unix sockets to listen on: what is in the way is removed if a process that is gone left it, or named. */
import { chmod, lstat, unlink } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, isAbsolute } from "node:path";
import process from "node:process";
import { MAX_SOCKET_PATH_BYTES, type SocketAddress, toSocketPath } from "../kit/text/socket-address.ts";
import { codeOf } from "../kit/thrown.ts";

/** macOS and the BSDs have four bytes less than Linux. */
const MAX_PATH_BYTES = process.platform === "linux" ? MAX_SOCKET_PATH_BYTES : 103;
/** What connects, listens and answers; a socket without a listener refuses at once. */
const CONNECT_MS = 2_000;

function fail(code: string, message: string): never {
  throw Object.assign(new Error(message), { code });
}

/** Why nothing can be connected to, as a code; undefined when something listens. */
function findConnectFault(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    const end = (fault: string | undefined): void => {
      socket.destroy();
      resolve(fault);
    };
    // A full queue of a busy listener makes a client wait.
    socket.setTimeout(CONNECT_MS, () => end(undefined));
    socket.once("connect", () => end(undefined));
    socket.once("error", (error) => end(codeOf(error) ?? "unknown"));
  });
}

async function checkFolder(address: SocketAddress, folder: string): Promise<void> {
  if ((await lstat(folder).catch(() => undefined)) === undefined)
    fail(
      "ENOENT",
      `${address}: the folder "${folder}" does not exist. Create it, or set RuntimeDirectory= in the systemd unit`,
    );
}

/**
 * Makes room for a listener on a socket.
 *
 * @throws an Error with a `code` whose message says what to do: the path is too long, its folder is missing, it is another kind of file, or a process listens on it (EADDRINUSE)
 */
export async function prepareSocket(address: SocketAddress): Promise<string> {
  const path = toSocketPath(address);
  if (!isAbsolute(path)) fail("EINVAL", `${address}: the path of a Unix socket must be absolute`);
  const bytes = new TextEncoder().encode(path).length;
  // Longer paths are cut by some systems, which then listen elsewhere.
  if (bytes > MAX_PATH_BYTES)
    fail(
      "ENAMETOOLONG",
      `${address}: the path of a Unix socket has up to ${MAX_PATH_BYTES} bytes, not ${bytes}. Choose a shorter folder`,
    );
  await checkFolder(address, dirname(path));
  const stat = await lstat(path).catch(() => undefined);
  if (stat === undefined) return path;
  if (!stat.isSocket())
    fail("EEXIST", `${address}: a file that is not a socket has this path. Move it, or set another path`);
  const fault = await findConnectFault(path);
  if (fault !== "ECONNREFUSED" && fault !== "ENOENT")
    fail(
      "EADDRINUSE",
      `${address}: another process listens on this socket. Stop the process (ss -xlp shows it), or set another path`,
    );
  await unlink(path).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
  return path;
}

/** A failed bind in words; for most reasons {@link prepareSocket} has thrown before. */
export function toSocketError(address: SocketAddress, error: Error): Error {
  const code = codeOf(error);
  if (code !== "EACCES" && code !== "EPERM") return error;
  const folder = dirname(toSocketPath(address));
  const message = `${address}: the folder "${folder}" is not writable. Give it to the user that runs the service`;
  return Object.assign(new Error(message, { cause: error }), { code });
}

/** Lets those connect whom `mode` says: the umask of the process decided so far. */
export async function openSocket(path: string, mode: number): Promise<void> {
  await chmod(path, mode);
}
