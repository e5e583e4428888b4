/** Which language the page is in: the reader's choice, kept in the browser, or the browser's own. */
import english from "../locales/en.json" with { type: "json" };
import { type Texts, setTexts } from "./texts.ts";

const KEY = "language";
const rightToLeft = new Set(["ar", "fa", "he", "ur"]);

/** What the reader chose before, in this browser. */
function readChoice(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined; // storage is switched off
  }
}

async function fetchTexts(language: string): Promise<Texts | undefined> {
  if (language === "en") return english;
  const response = await fetch(`/assets/locale-${language}.json`).catch(() => undefined);
  return response?.ok === true ? ((await response.json()) as Texts) : undefined;
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
  document.documentElement.dir = rightToLeft.has(language.split("-")[0] ?? "") ? "rtl" : "ltr";
  setTexts(language, texts);
}

/** Finds the reader's language: chosen before, or the first of the browser's that there is a file for. */
export async function loadTexts(): Promise<void> {
  const wanted = [readChoice(), ...navigator.languages.map((tag) => tag.split("-")[0])];
  for (const language of new Set(wanted)) {
    if (language === undefined) continue;
    const texts = await fetchTexts(language);
    if (texts === undefined) continue;
    show(language, texts);
    return;
  }
}
