/** Markdown of the documentation as HTML: anchors as GitHub makes them, tables and code that scroll by keyboard. */
import MarkdownIt, { type Token } from "markdown-it";

/** Tags in the text are shown, not used. */
const markdown = new MarkdownIt({ html: false });

/** The text of tokens, without its marks. */
export function textOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content, children }) => {
      if (type === "softbreak" || type === "hardbreak") return " ";
      return children === null || type === "image" ? content : textOf(children);
    })
    .join("");
}

/** "" for one that is not there. */
export function readAttribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? "");
}

/** As GitHub makes them, so that the same links work there and here. */
function toSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

/** Headings get their anchor; what is wider than a phone gets a box in which it scrolls. */
export function parse(text: string): Token[] {
  const tokens = markdown.parse(text, {});
  const seen = new Map<string, number>();
  tokens.forEach((token, at) => {
    if (token.type !== "heading_open") return;
    const slug = toSlug(textOf(tokens[at + 1]?.children ?? []));
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    token.attrSet("id", count === 0 ? slug : `${slug}-${count}`);
  });
  return tokens;
}

markdown.renderer.rules["table_open"] = () => '<div class="wide" role="group" tabindex="0"><table>';
markdown.renderer.rules["table_close"] = () => "</table></div>";
markdown.renderer.rules["th_open"] = (tokens, at, options, _env, self) => {
  tokens[at]?.attrSet("scope", "col");
  return self.renderToken(tokens, at, options);
};
// Alignment is a class: the policy of the pages allows no style attributes.
for (const name of ["th_open", "td_open"] as const) {
  const before = markdown.renderer.rules[name];
  markdown.renderer.rules[name] = (tokens, at, options, env, self) => {
    const token = tokens[at];
    if (token !== undefined && token.attrGet("style") !== null) {
      const isNumber = readAttribute(token, "style").includes("right");
      token.attrs = [["class", isNumber ? "number" : "text"]];
    }
    return before?.(tokens, at, options, env, self) ?? self.renderToken(tokens, at, options);
  };
}
for (const name of ["fence", "code_block"] as const)
  markdown.renderer.rules[name] = (tokens, at) =>
    `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[at]?.content ?? "")}</code></pre>\n`;
export interface Picture {
  readonly width: number;
  readonly height: number;
}

/** HTML of tokens, with the addresses that `toHref` gives for links and pictures, and the sizes of these. */
export function render(
  tokens: Token[],
  site: { readonly toHref: (href: string) => string; readonly toSize: (href: string) => Picture | undefined },
): string {
  for (const { children } of tokens) {
    for (const token of children ?? []) {
      if (token.type === "link_open") token.attrSet("href", site.toHref(readAttribute(token, "href")));
      if (token.type !== "image") continue;
      const src = readAttribute(token, "src");
      const size = site.toSize(src);
      token.attrSet("src", site.toHref(src));
      token.attrSet("loading", "lazy");
      if (size !== undefined) {
        token.attrSet("width", String(size.width));
        token.attrSet("height", String(size.height));
      }
    }
  }
  return markdown.renderer.render(tokens, markdown.options, {});
}
