/** Which language the page is in: the reader's choice, kept in the browser, or the browser's own. */
import { toDirection } from "../../kit/text/direction.ts";
import { basePath } from "./path.ts";
import { type Texts, addEnglish, currentLanguage, englishTexts, setTexts } from "./texts.ts";

const KEY = "language";

/** The reader's earlier choice, in this browser. */
function readChoice(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined; // storage is switched off
  }
}

/** Prefix of a language's files; a console has more once its sections are opened. */
const parts = ["locale"];
/** Whether English came with the script: not in a console, whose texts all come from the service. */
const hasEnglish = Object.keys(englishTexts()).length > 0;

async function fetchFile(language: string, part = "locale"): Promise<Texts | undefined> {
  try {
    const response = await fetch(`${basePath}/assets/${part}-${language}.json`);
    return response.ok ? ((await response.json()) as Texts) : undefined;
  } catch {
    return undefined; // no answer, or one that broke off
  }
}

async function fetchTexts(language: string): Promise<Texts | undefined> {
  if (language === "en" && hasEnglish) return englishTexts();
  const files = await Promise.all(parts.map((part) => fetchFile(language, part)));
  let all: Texts | undefined = {};
  for (const file of files) all = all === undefined || file === undefined ? undefined : { ...all, ...file };
  return all;
}

let later: Promise<void> | undefined;

/** Resolves once the texts are there that the first view does without; a page with their names is better than none. */
export function loadLaterTexts(): Promise<void> {
  later ??= fetchFile("en").then((texts) => {
    if (texts === undefined) later = undefined;
    else addEnglish(texts);
  });
  return later;
}

let sections: Promise<void> | undefined;

async function addSectionTexts(): Promise<void> {
  const language = currentLanguage();
  parts.push("sections");
  const texts = await fetchTexts(language);
  if (texts !== undefined) setTexts(language, texts);
  else {
    parts.pop();
    sections = undefined;
  }
}

/** Resolves once the texts are there that sections of a console need; a page with their names is better than none. */
export function loadSectionTexts(): Promise<void> {
  sections ??= addSectionTexts();
  return sections;
}

/** Shows the page in `language`, and remembers that; an unknown language changes nothing. */
export async function chooseLanguage(language: string): Promise<void> {
  const texts = await fetchTexts(language);
  if (texts === undefined) return;
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  show(language, texts);
}

function show(language: string, texts: Texts): void {
  document.documentElement.lang = language;
  document.documentElement.dir = toDirection(language);
  setTexts(language, texts);
}

/** Finds the reader's language: chosen before, or the first of the browser's that there is a file for. */
export async function loadTexts(): Promise<void> {
  const wanted = [readChoice(), ...navigator.languages.map((tag) => tag.split("-")[0])];
  if (!hasEnglish) wanted.push("en");
  for (const language of new Set(wanted)) {
    if (language === undefined) continue;
    const texts = await fetchTexts(language);
    if (texts === undefined) continue;
    show(language, texts);
    return;
  }
}
