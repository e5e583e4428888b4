/** A server's folder and process that end with the process that started them, however that went. */
import { type ChildProcess, spawn } from "node:child_process";

/**
 * Ends the server whose process id is on the first line of `pidFile` (below `folder`) and removes the folder when
 * this process is gone: it waits for the end of a pipe that only this process holds. (Deno's test runner runs no
 * exit handlers.) Kill it when the server was stopped in good order.
 */
export function startGuard(folder: string, pidFile: string): ChildProcess {
  const script = 'cat >/dev/null; kill -9 $(head -n 1 "$1/$2") 2>/dev/null; sleep 0.2; rm -rf "$1"';
  const guard = spawn("/bin/sh", ["-c", script, "guard", folder, pidFile], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.unref();
  const { stdin } = guard;
  if (stdin !== null && "unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  return guard;
}
