/** Secrets of the environment that files contain: Docker and Kubernetes secrets, and credentials of systemd. */
import { readFileSync } from "node:fs";
import { codeOf, textOf } from "../thrown.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** What may come from a file: a token, a sealing key, or a URL with a password in it. */
const secretVariables = [
  "ADMIN_TOKEN",
  "MONITOR_ADMIN_TOKEN",
  "SHOP_ADMIN_TOKEN",
  "AUTH_ADMIN_TOKEN",
  "MONITOR_SECRET",
  "SHOP_SECRET",
  "AUTH_SECRET",
  "DATABASE_URL",
  "NATS_URL",
  "SMTP_URL",
  "PING_KEY",
] as const;

/** https://systemd.io/CREDENTIALS: the folder with a file for each LoadCredential= of the unit. */
const CREDENTIALS = "CREDENTIALS_DIRECTORY";
const toFileVariable = (name: string): string => `${name}_FILE`;
const isSet = (value: string | undefined): value is string => value !== undefined && value.trim() !== "";

/** The variables that {@link readSecretFiles} looks at besides the secrets themselves. */
export const secretFileVariables: readonly string[] = [...secretVariables.map(toFileVariable), CREDENTIALS];

/**
 * Sets each secret that is in a file: the one that `NAME_FILE` names, else the credential NAME of systemd. Spaces and
 * line breaks around it are left out. Variables that were read from files are gone from the result, so that it can be
 * read again together with others.
 * @returns the variables, and a problem for each file that cannot be used
 */
export function readSecretFiles(variables: Variables): {
  readonly variables: Variables;
  readonly problems: readonly string[];
} {
  const all: Record<string, string | undefined> = { ...variables };
  const problems: string[] = [];

  function read(name: string, path: string): void {
    try {
      const text = readFileSync(path, "utf8").trim();
      if (text === "") throw new Error(`the file is empty: ${path}`);
      all[name] = text;
      delete all[toFileVariable(name)];
    } catch (error) {
      problems.push(`${toFileVariable(name)} names a file that cannot be used: ${textOf(error)}`);
    }
  }

  /** A credential that the unit does not load is no problem. */
  function readCredential(name: string, folder: string): void {
    try {
      all[name] = readFileSync(`${folder}/${name}`, "utf8").trim();
    } catch (error) {
      if (codeOf(error) === "ENOENT") return;
      problems.push(`${name} cannot be read from the credentials of systemd: ${textOf(error)}`);
    }
  }

  const folder = variables[CREDENTIALS];
  for (const name of secretVariables) {
    const file = variables[toFileVariable(name)];
    if (isSet(variables[name]) && isSet(file))
      problems.push(`${name} and ${toFileVariable(name)} are both set. Unset one of them`);
    else if (isSet(file)) read(name, file);
    else if (!isSet(variables[name]) && isSet(folder)) readCredential(name, folder);
  }
  return { variables: all, problems };
}
