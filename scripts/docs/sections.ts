/** The sections of a page, as the search finds them. */
import type { Section } from "../../src/web/documentation/search-options.ts";
import { readAttribute, textOf } from "./markdown.ts";
import type { Page } from "./pages.ts";

/** One for the beginning of the page and one for each heading below it. */
export function listSections({ path, title, tokens }: Page): Section[] {
  const sections: { id: string; page: string; heading: string; text: string }[] = [
    { id: path, page: title, heading: "", text: "" },
  ];
  tokens.forEach((token, at) => {
    const last = sections.at(-1);
    if (token.type === "heading_open" && token.tag !== "h1") {
      const heading = textOf(tokens[at + 1]?.children ?? []);
      sections.push({ id: `${path}#${readAttribute(token, "id")}`, page: title, heading, text: "" });
    } else if (last !== undefined && tokens[at - 1]?.type !== "heading_open") {
      const text = token.type === "inline" ? textOf(token.children ?? []) : token.content;
      if (text !== "") last.text += `${text}\n`;
    }
  });
  return sections;
}
