/** A file of settings as systemd reads it (systemd.exec(5), EnvironmentFile): `NAME=value`, quotes, comments. */

const LINE = /^([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/u;

/** The variables of a file's text; the last of several lines with one name counts. */
export function parseEnvironmentFile(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const line of text.split(/\r?\n/u)) {
    const [, name, rest = ""] = LINE.exec(line.trim()) ?? [];
    if (name === undefined) continue;
    const value = rest.trim();
    variables[name] = /^(["']).*\1$/u.test(value) ? value.slice(1, -1) : value;
  }
  return variables;
}
