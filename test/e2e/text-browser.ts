/** Text browsers, by their keys: lynx and w3m as a person sits before them. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram, tellSkipped } from "../support/missing.ts";
import { runProcess } from "../support/process.ts";

const LIMIT_MS = 60_000;

/** Why a test with these programs is skipped, if it is. */
export function without(...names: string[]): string | false {
  const missing = names.filter((name) => findProgram(name) === undefined);
  return (
    missing.length > 0 && tellSkipped(`${missing.join(" and ")} not in PATH (on Debian: apt-get install)`)
  );
}

/** What is typed into fields, by their name; "name=value" is one of several, and true ticks or chooses it. */
export type Typed = Readonly<Record<string, string | true>>;

/**
 * A button of a page that was not loaded yet: found by its text, or at the position of a tab stop on the page before.
 */
export type NextButton = { readonly words: string } | { readonly at: string };

/** One person's text browser: each visit is a run of its own, and the cookies stay. */
export interface TextBrowser {
  /** The page as a person reads it. */
  read(path: string): Promise<string>;
  source(path: string, posted?: string): Promise<string>;
  /**
   * Goes to the page's fields with the keyboard, types, and presses the button; with `next` the button of the page that
   * comes, too.
   */
  send(path: string, fields: Typed, button: string, next?: NextButton): Promise<void>;
}

/** Opens one that keeps its files in `folder`. */
export type OpenBrowser = (folder: string, url: string) => Promise<TextBrowser>;

/** The name of a field, with its value where it is one of several. */
function findField(attributes: string): string | undefined {
  const name = / name="([\w.]+)"/u.exec(attributes)?.[1];
  if (name === undefined || !attributes.includes('type="radio"')) return name;
  return `${name}=${/ value="([^"]*)"/u.exec(attributes)?.[1] ?? ""}`;
}

/** Where the keyboard stops: at every link and button, by its text, and every field, by its name. */
function listStops(html: string, { isByLine = false }: { isByLine?: boolean } = {}): string[] {
  const tags = html.matchAll(/<(?:a|button|select|textarea|input)\b([^>]*)>([^<]*)/gu);
  return [...tags]
    .filter(([, attributes = ""]) => !attributes.includes('type="hidden"'))
    .flatMap(([tag, attributes = "", text = ""]) => {
      const name = (tag.startsWith("<button") ? undefined : findField(attributes)) ?? text.trim();
      const lines = isByLine ? Number(/^<textarea.* rows="(\d+)"/u.exec(tag)?.[1] ?? 1) : 1;
      return [name, ...Array.from({ length: lines - 1 }, () => "")];
    });
}

/** The keys that fill in a page's form: `next` goes to the next stop, `type` fills in the field of one. */
function findKeys<K>(
  html: string,
  {
    fields,
    button,
    next,
    firstStops = [],
    isByLine = false,
  }: {
    fields: Typed;
    button: string;
    next?: NextButton | undefined;
    firstStops?: readonly string[];
    isByLine?: boolean;
  },
  keys: {
    next: K;
    type: (text: string) => readonly K[];
    search: (text: string) => readonly K[];
    press: K;
  },
): K[] {
  const stops = [...firstStops, ...listStops(html, { isByLine })];
  const pressed: K[] = [];
  let at = 0;
  const goTo = (stop: string): void => {
    const found = stops.indexOf(stop, at);
    assert.ok(found >= at, `There is no "${stop}": ${stops.join(", ")}`);
    pressed.push(...Array.from({ length: found - at }, () => keys.next));
    at = found;
  };
  for (const [field, text] of Object.entries(fields)) {
    goTo(field);
    pressed.push(...(text === true ? [keys.press] : keys.type(text)));
  }
  goTo(button);
  pressed.push(keys.press);
  if (next === undefined) return pressed;
  if ("words" in next) return [...pressed, ...keys.search(next.words), keys.press];
  at = 0;
  goTo(next.at);
  return [...pressed, keys.press];
}

/** Runs shell commands as a user whose home is `folder`. */
function createShell(folder: string): (command: string) => Promise<string> {
  return async (command) => {
    const { code, output } = await runProcess({
      command: "sh",
      args: ["-c", command],
      cwd: folder,
      env: { HOME: folder, TERM: "xterm", LANG: "C.UTF-8" },
      timeoutMs: LIMIT_MS,
    });
    assert.equal(code, 0, `${command}: ${output}`);
    return output;
  };
}

function toLynxKeys(text: string): string[] {
  return Array.from(text, (key) => (key === " " ? "<space>" : key));
}

/** lynx, which takes every cookie. */
export const openLynx: OpenBrowser = async (folder, url) => {
  const run = createShell(folder);
  const settings =
    "ACCEPT_ALL_COOKIES:TRUE\nPERSISTENT_COOKIES:TRUE\nALERTSECS:0\nINFOSECS:0\nMESSAGESECS:0\n";
  await writeFile(join(folder, "cfg"), settings);
  await writeFile(join(folder, "cookies"), "");
  const lynx = "lynx -cfg=cfg -cookie_file=cookies -cookie_save_file=cookies";
  const source: TextBrowser["source"] = async (path, posted) => {
    await writeFile(join(folder, "body"), `${posted ?? ""}\n---\n`);
    return run(`${lynx} -source ${posted === undefined ? "" : "-post_data"} '${url}${path}' <body`);
  };
  return {
    source,
    read: (path) => run(`${lynx} -dump -nolist -width=200 '${url}${path}' </dev/null`),
    send: async (path, fields, button, next) => {
      const page = await source(path);
      // lynx shows other languages and feeds, which a page names in its head, as its first links.
      const firstStops = [...page.matchAll(/<link rel="alternate"/gu)].map(() => "alternate");
      const keys = findKeys(
        page,
        { fields, button, next, firstStops, isByLine: true },
        {
          next: "Down Arrow",
          type: toLynxKeys,
          search: (text) => ["/", ...toLynxKeys(text), "^J"],
          press: "^J",
        },
      );
      await writeFile(join(folder, "keys"), [...keys, "Q", "y"].map((key) => `key ${key}\n`).join(""));
      const command = `stty rows 200 cols 200; ${lynx} -cmd_script=keys "${url}${path}"`;
      await run(`script -qec '${command}' /dev/null </dev/null`);
    },
  };
};

/** w3m as it comes: nothing is set but the size of the terminal. */
export const openW3m: OpenBrowser = async (folder, url) => {
  const run = createShell(folder);
  const source: TextBrowser["source"] = async (path, posted) => {
    await writeFile(join(folder, "body"), posted ?? "");
    return run(`w3m -dump_source ${posted === undefined ? "" : "-post body"} '${url}${path}'`);
  };
  return {
    source,
    read: (path) => run(`w3m -dump -cols 200 '${url}${path}'`),
    send: async (path, fields, button, next) => {
      // Enter opens the line of a field, and closes it.
      const keys = findKeys(
        await source(path),
        { fields, button, next },
        {
          next: "\t",
          type: (text) => [`\r${text}\r`],
          search: (text) => [`/${text}\r`],
          press: "\r",
        },
      );
      await writeFile(join(folder, "keys"), `${keys.join("")}Q`);
      const command = `stty raw rows 200 cols 200; w3m "${url}${path}"`;
      await run(`script -qec '${command}' /dev/null <keys`);
    },
  };
};
