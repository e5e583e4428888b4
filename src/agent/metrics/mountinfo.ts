/** Lines of /proc/self/mountinfo: proc_pid_mountinfo(5). */

/** One line of mountinfo, as far as it matters here. */
export interface Mount {
  readonly device: string;
  /** Which part of the file system is mounted; "/" is the whole. */
  readonly root: string;
  readonly path: string;
  readonly type: string;
  readonly source: string;
}

function unescapePath(text: string): string {
  // Space, tab, newline and backslash are written in octal: proc_pid_mountinfo(5).
  return text.replace(/\\([0-7]{3})/gu, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** Reads the text of /proc/self/mountinfo; lines that are not of its form are passed over. */
export function parseMountinfo(text: string): Mount[] {
  const mounts: Mount[] = [];
  for (const line of text.split("\n")) {
    const [left, right] = line.split(" - ");
    const [, , device, root, path] = (left ?? "").split(" ");
    const [type, source] = (right ?? "").split(" ");
    if (device === undefined || root === undefined || path === undefined || type === undefined) continue;
    mounts.push({ device, root, path: unescapePath(path), type, source: source ?? "" });
  }
  return mounts;
}
