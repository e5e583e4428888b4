/**
 * Layout of an email, as text and as HTML from the same parts. Mail programs support few styles and load no
 * files: styles are inline, and a sheet in the head only adds dark colors.
 */
import { toDirection } from "../text/direction.ts";
import { escapeHtml } from "../text/html.ts";
import type { Language } from "../text/languages.ts";

/** The content of an email. All texts are plain; the layout escapes them. */
export interface MailContent {
  readonly language: Language;
  readonly siteName: string;
  readonly accent: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** A code or token to type or copy. */
  readonly code?: string | undefined;
  /** Leads to the page that does the rest; an http or https address. */
  readonly button?: { readonly label: string; readonly address: string } | undefined;
  /** Names with what is said of each, one below the other, before the button. */
  readonly rows?: readonly (readonly [name: string, value: string])[];
  /** In small letters after all else. */
  readonly notes: readonly string[];
  /** In small letters at the very end; http or https addresses. */
  readonly links?: readonly { readonly label: string; readonly address: string }[];
}

const DARK = `@media (prefers-color-scheme:dark){.ground{background:#0f1412!important}.card{background:#161d1a!important;border-color:#26302b!important}.ink{color:#e8eeea!important}.soft{color:#b3beb8!important}.code{background:#1d2521!important;color:#e8eeea!important}.line{border-color:#26302b!important}.link{color:#45c0a8!important}}`;
const FONT = `font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif`;
const MONO = "ui-monospace,Menlo,Consolas,'Noto Sans Mono',monospace";
const TABLE = `role="presentation" cellpadding="0" cellspacing="0" border="0"`;
/** A longer one is a token that is copied, not read. */
const READ_LENGTH = 12;

function toCode(code: string): string {
  const look =
    code.length <= READ_LENGTH
      ? `font:600 30px/40px ${MONO};letter-spacing:2px;text-align:center`
      : `font:14px/22px ${MONO};word-break:break-all`;
  return `<p class="code" style="margin:20px 0;padding:12px 16px;border-radius:10px;background:#f3f4f2;color:#16201c;${look}">${escapeHtml(code)}</p>`;
}

/** A link that looks like a button; white on the accent. */
export function toMailButton({ label, address }: { label: string; address: string }, accent: string): string {
  return [
    `<table ${TABLE} style="margin:20px 0 8px"><tr><td bgcolor="${accent}" style="border-radius:10px;background:${accent}">`,
    `<a href="${escapeHtml(address)}" style="display:inline-block;padding:12px 24px;border-radius:10px;color:#ffffff;font-size:16px;line-height:24px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a>`,
    `</td></tr></table>`,
  ].join("");
}

function toRows(rows: NonNullable<MailContent["rows"]>, language: string): string {
  // Outlook knows the attribute alone.
  const end = toDirection(language) === "rtl" ? "left" : "right";
  const cell = `class="ink" style="padding:8px 0;border-top:1px solid #e4e6e2;color:#16201c;font-size:15px;line-height:22px`;
  const lines = rows.map(
    ([name, value]) =>
      `<tr><td ${cell};padding-inline-end:16px">${escapeHtml(name)}</td><td ${cell};font-weight:600" align="${end}">${escapeHtml(value)}</td></tr>`,
  );
  return `<table ${TABLE} width="100%" style="margin:8px 0 12px">${lines.join("")}</table>`;
}

function toLinks(links: NonNullable<MailContent["links"]>): string {
  const anchors = links.map(
    ({ label, address }) =>
      `<a class="soft" href="${escapeHtml(address)}" style="color:#4a5750;text-decoration:underline">${escapeHtml(label)}</a>`,
  );
  return `<p class="soft" style="margin:14px 0 0;color:#4a5750;font-size:14px;line-height:21px">${anchors.join(" · ")}</p>`;
}

/** The page of an email: the site's name, and a card with the title and the body, which is HTML already. */
export function toMailPage({
  language,
  siteName,
  title,
  body,
}: {
  readonly language: string;
  readonly siteName: string;
  readonly title: string;
  readonly body: readonly string[];
}): string {
  return [
    `<!doctype html><html lang="${escapeHtml(language)}" dir="${toDirection(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(title)}</title><style>:root{color-scheme:light dark}${DARK}</style></head>`,
    `<body class="ground" style="margin:0;padding:0;background:#fbfbfa;${FONT}"><table ${TABLE} width="100%"><tr><td align="center" style="padding:28px 16px 40px">`,
    `<table ${TABLE} width="100%" style="max-width:520px"><tr><td class="ink" style="padding:0 0 14px;color:#16201c;font-size:16px;line-height:24px;font-weight:600">${escapeHtml(siteName)}</td></tr>`,
    `<tr><td class="card ink" style="padding:28px 24px;border:1px solid #e4e6e2;border-radius:14px;background:#ffffff;color:#16201c;font-size:16px;line-height:24px">`,
    `<h1 class="ink" style="margin:0 0 12px;color:#16201c;font-size:22px;line-height:29px;font-weight:650">${escapeHtml(title)}</h1>`,
    ...body,
    `</td></tr></table></td></tr></table></body></html>\n`,
  ].join("\n");
}

function toHtml(content: MailContent): string {
  const { language, siteName, accent, title, paragraphs, code, button, rows, notes, links } = content;
  const paragraph = (text: string): string =>
    `<p class="ink" style="margin:0 0 12px;color:#16201c;font-size:16px;line-height:24px">${escapeHtml(text).replaceAll("\n", "<br>")}</p>`;
  const note = (text: string): string =>
    `<p class="soft" style="margin:14px 0 0;color:#4a5750;font-size:14px;line-height:21px">${escapeHtml(text)}</p>`;
  const body = [
    ...paragraphs.map(paragraph),
    code === undefined ? "" : toCode(code),
    rows === undefined || rows.length === 0 ? "" : toRows(rows, language),
    button === undefined ? "" : toMailButton(button, accent),
    ...notes.map(note),
    links === undefined || links.length === 0 ? "" : toLinks(links),
  ];
  return toMailPage({ language, siteName, title, body });
}

/** Codes and addresses are on separate lines, indented by four spaces. */
function toText(content: MailContent): string {
  const { siteName, title, paragraphs, code, button, rows = [], notes, links = [] } = content;
  const parts = [
    title,
    ...paragraphs,
    ...(code === undefined ? [] : [`    ${code}`]),
    ...(rows.length === 0 ? [] : [rows.map(([name, value]) => `${name}: ${value}`).join("\n")]),
    ...(button === undefined ? [] : [`${button.label}:\n\n    ${button.address}`]),
    ...notes,
    ...links.map(({ label, address }) => `${label}:\n${address}`),
    `-- \n${siteName}`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Both forms of a mail. */
export function layOutMail(content: MailContent): { text: string; html: string } {
  return { text: toText(content), html: toHtml(content) };
}
