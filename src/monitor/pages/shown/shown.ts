/** Common data of a status page's parts. */
import type { Language } from "../../../kit/text/languages.ts";
import type { ShownPage } from "../../status/board.ts";
import type { Component } from "../../status/schema.ts";
import type { ComponentDays, SeriesPoint } from "../../status/uptime-days.ts";
import type { Formats } from "./formats.ts";
import type { Texts } from "./texts.ts";

/** A page as one visitor sees it. */
export interface Shown {
  readonly page: ShownPage;
  readonly language: Language;
  readonly t: Texts;
  readonly formats: Formats;
  readonly nowMs: number;
  /** Prefix of the paths of the page's links: "/status/main", or nothing on its own host. */
  readonly base: string;
  /** Suffix of the links: the language, if the URL sets it. */
  readonly query: string;
  readonly days: (component: Component) => ComponentDays;
  readonly latency: (component: Component) => readonly SeriesPoint[];
}

/** The address of another part of the page. */
export function toLink({ base, query }: Pick<Shown, "base" | "query">, path: string = ""): string {
  return (base + path || "/") + query;
}

/** The language of what the administrators wrote, where it is another one than the page's. */
export function toContentLanguage({
  page,
  language,
}: Pick<Shown, "page" | "language">): Language | undefined {
  return page.record.language === language ? undefined : page.record.language;
}
