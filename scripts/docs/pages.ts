/** The pages of the documentation: which Markdown files become pages, where each goes, and the order of the navigation. */
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import type { Token } from "markdown-it";
import { projectFolder } from "../process.ts";
import { parse, readAttribute, textOf } from "./markdown.ts";

/** A Markdown file of the repository and its page. */
export interface Page {
  /** In the repository: "docs/install.md". */
  readonly source: string;
  /** In the site: "install.html". */
  readonly path: string;
  readonly title: string;
  readonly tokens: Token[];
}

export interface Entry {
  readonly label: string;
  readonly source: string;
}

/** A group of the navigation, from a heading of docs/README.md. */
export interface Group {
  readonly title: string;
  readonly level: 2 | 3;
  readonly entries: readonly Entry[];
}

export const HOME = "docs/README.md";

/** In one folder at most, which is as deep as the routes of the monitor go. */
export function toFlatPath(path: string): string {
  const [folder = "", ...rest] = path.split("/");
  return rest.length === 0 ? folder : `${folder}/${rest.join("-")}`;
}

/** Where the page of a Markdown file goes. */
export function toPagePath(source: string): string {
  const inDocs = source.startsWith("docs/") ? source.slice(5) : `project/${source.toLowerCase()}`;
  return toFlatPath(inDocs.replace(/\bREADME\.md$/iu, "index.html").replace(/\.md$/u, ".html"));
}

/** The path in the repository that a link of `source` leads to, without its anchor. */
export function toTarget(source: string, href: string): string {
  const path = decodeURI(href.split("#", 1)[0] ?? "");
  return path === "" ? source : posix.normalize(posix.join(posix.dirname(source), path)).replace(/\/$/u, "");
}

export function isExternal(href: string): boolean {
  return /^[a-z][a-z\d+.-]*:/iu.test(href);
}

/** The links of a page that stay in the repository. */
export function listLinks(tokens: readonly Token[]): { readonly href: string; readonly label: string }[] {
  return tokens.flatMap(({ children }) =>
    (children ?? []).flatMap((token, at, all) => {
      const href = token.type === "link_open" ? readAttribute(token, "href") : "";
      if (href === "" || isExternal(href)) return [];
      const end = all.findIndex(({ type }, index) => index > at && type === "link_close");
      return [{ href, label: textOf(all.slice(at + 1, end)) }];
    }),
  );
}

/** A folder that is linked to has its README, else a list of what is in it. */
export async function listFolder(path: string): Promise<string> {
  const names = (await readdir(join(projectFolder, path))).filter((name) => name.endsWith(".md")).sort();
  const titles = await Promise.all(
    names.map(
      async (name) => /^# (.+)$/mu.exec(await readFile(join(projectFolder, path, name), "utf8"))?.[1],
    ),
  );
  const title = posix.basename(path).replace(/^\w/u, (letter) => letter.toUpperCase());
  return `# ${title}\n\n${names.map((name, at) => `- [${titles[at] ?? name}](${name})`).join("\n")}\n`;
}

async function readPage(source: string): Promise<Page> {
  const isList = source.endsWith("/README.md") && !existsSync(join(projectFolder, source));
  const text = isList
    ? await listFolder(dirname(source))
    : await readFile(join(projectFolder, source), "utf8");
  const tokens = parse(text);
  const heading = tokens.findIndex(({ type, tag }) => type === "heading_open" && tag === "h1");
  const title = heading === -1 ? source : textOf(tokens[heading + 1]?.children ?? []);
  return { source, path: toPagePath(source), title, tokens };
}

/** The Markdown file behind a path of a link, or undefined for any other file. */
export function findSource(target: string): string | undefined {
  if (target.endsWith(".md")) return target;
  return posix.extname(target) === "" && !/(?:^|\/)[A-Z]+$/u.test(target) ? `${target}/README.md` : undefined;
}

/** Every page that can be reached by links from docs/README.md, in the order in which they are found. */
export async function readPages(): Promise<ReadonlyMap<string, Page>> {
  const pages = new Map<string, Page>();
  const queue = [HOME];
  for (let source = queue.shift(); source !== undefined; source = queue.shift()) {
    if (pages.has(source)) continue;
    const page = await readPage(source);
    pages.set(source, page);
    for (const { href } of listLinks(page.tokens)) {
      const found = findSource(toTarget(source, href));
      if (found !== undefined) queue.push(found);
    }
  }
  return pages;
}

/** The navigation: headings and links of docs/README.md. */
export function readGroups(home: Page): Group[] {
  const groups: { title: string; level: 2 | 3; entries: Entry[] }[] = [];
  home.tokens.forEach((token, at) => {
    if (token.type === "heading_open" && (token.tag === "h2" || token.tag === "h3"))
      groups.push({
        title: textOf(home.tokens[at + 1]?.children ?? []),
        level: token.tag === "h2" ? 2 : 3,
        entries: [],
      });
    for (const { href, label } of listLinks([token])) {
      const source = findSource(toTarget(home.source, href));
      // Labels in the middle of a row are written in lower case.
      const name = label.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
      if (source !== undefined) groups.at(-1)?.entries.push({ label: name, source });
    }
  });
  return groups.filter(({ entries, level }) => entries.length > 0 || level === 2);
}
