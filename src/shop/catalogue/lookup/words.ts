/** Words of texts, for the index and for searches. */
import anyAscii from "any-ascii";

/** Letters that Unicode does not take apart. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

const ASCII = /^[\u0000-\u007f]*$/u;

/**
 * A text without case, accents and forms of width: "Crème ＡＢ" → "creme ab". Marks of Japanese and Hangul stay,
 * since they distinguish words.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/gu, "")
    .normalize("NFC")
    .replaceAll(/[ßæœøłđðþı]/gu, (letter) => plainLetters[letter] ?? letter);
}

/** How people write these letters on a keyboard that lacks them; {@link fold} only drops the marks. */
const twoLetters: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe" };

/** "Tür" → "Tuer"; undefined without such a letter. */
function spellOut(text: string): string | undefined {
  const lower = text.normalize("NFC").toLowerCase();
  const spelled = lower.replaceAll(/[äöüåø]/gu, (letter) => twoLetters[letter] ?? letter);
  return spelled === lower ? undefined : spelled;
}

/** Katakana as hiragana: both are typed for the same word. */
function toHiragana(text: string): string {
  return text.replaceAll(/[\u30a1-\u30f6]/gu, (kana) =>
    String.fromCodePoint((kana.codePointAt(0) ?? 0) - 0x60),
  );
}

/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const ASCII_WORD = /[a-z0-9]+/gu;
/** With words that a hyphen or an apostrophe joins: "T-shirt", "men's". */
const JOINED = /[\p{L}\p{N}\p{M}'’-]+/gu;
const JOINER = /['’-]/gu;
const HAN = /\p{sc=Han}/u;

/** Longer words are cut: prefixes of this length distinguish enough. */
const MAX_WORD = 60;
/** Precedes the reading of Chinese characters; no word contains it. */
export const READING = "~";
/** Characters whose reading is one entry of the index. */
const READ_TOGETHER = 4;

/** How Chinese characters sound (pinyin), the same for traditional and simplified ones. */
export function toReading(characters: string): string {
  return (
    READING +
    anyAscii(characters)
      .toLowerCase()
      .replaceAll(/[^a-z]/gu, "")
  );
}

/** A part of a word that is all of one kind of script. */
interface Part {
  readonly text: string;
  readonly isUnspaced: boolean;
}

function toParts(word: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of word.matchAll(UNSPACED)) {
    if (match.index > end) parts.push({ text: word.slice(end, match.index), isUnspaced: false });
    parts.push({ text: match[0], isUnspaced: true });
    end = match.index + match[0].length;
  }
  if (end < word.length) parts.push({ text: word.slice(end), isUnspaced: false });
  return parts;
}

function toPairs(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, before) => (characters[before] ?? "") + character);
}

function addReadings(characters: readonly string[], words: Set<string>): void {
  for (let i = 0; i < characters.length; i += 1) {
    let end = i;
    while (end < i + READ_TOGETHER && HAN.test(characters[end] ?? "")) end += 1;
    if (end > i + 1) words.add(toReading(characters.slice(i, end).join("")));
  }
}

function addWords(text: string, words: Set<string>): void {
  const folded = fold(text);
  if (/['’-]/u.test(folded))
    for (const joined of folded.match(JOINED) ?? []) {
      const parts = joined.split(JOINER).filter((part) => part !== "");
      if (parts.length > 1) words.add(parts.join("").slice(0, MAX_WORD));
    }
  if (ASCII.test(folded)) {
    for (const word of folded.match(ASCII_WORD) ?? []) words.add(word.slice(0, MAX_WORD));
    return;
  }
  for (const run of toHiragana(folded).match(WORD) ?? []) {
    for (const part of toParts(run)) {
      if (!part.isUnspaced) {
        words.add(part.text.slice(0, MAX_WORD));
        continue;
      }
      const characters = Array.from(part.text);
      for (const pair of toPairs(characters)) words.add(pair);
      // The last one begins no pair; alone it is what a search of one character finds.
      words.add(characters.at(-1) ?? "");
      addReadings(characters, words);
    }
  }
}

function addSpellings(text: string, words: Set<string>): void {
  addWords(text, words);
  const spelled = ASCII.test(text) ? undefined : spellOut(text);
  if (spelled !== undefined) addWords(spelled, words);
}

/** The words of an item; no word is in both. */
export interface IndexWords {
  /** Of its title and its codes. */
  readonly title: ReadonlySet<string>;
  readonly rest: ReadonlySet<string>;
}

/** The words by which an item is found; codes (such as an SKU "AB-12") also as one word ("ab12"). */
export function toIndexWords({
  titles,
  codes,
  texts,
}: {
  readonly titles: readonly string[];
  readonly codes: readonly string[];
  readonly texts: readonly string[];
}): IndexWords {
  const title = new Set<string>();
  for (const each of titles) addSpellings(each, title);
  for (const code of codes) {
    addWords(code, title);
    const joined = toOneWord(code);
    if (joined !== "") title.add(joined);
  }
  const all = new Set<string>();
  for (const text of texts) addSpellings(text, all);
  const rest = new Set<string>();
  for (const word of all) if (!title.has(word)) rest.add(word);
  return { title, rest };
}

/** A text as one word without spaces and signs. */
export function toOneWord(text: string): string {
  return fold(text)
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .slice(0, MAX_WORD);
}

/** Words of one search at most; further ones do not count. */
const MAX_QUERY_WORDS = 12;

/** A word of a search, which matches as a prefix. */
export interface QueryWord {
  readonly text: string;
  /** "Tür" is also "tuer". */
  readonly spelledOut?: string | undefined;
  /** For pairs of characters of one run in a script without spaces: the number of the run. */
  readonly run?: number | undefined;
}

function toSpelledWords(typed: string): QueryWord[] {
  const spelled = spellOut(typed);
  const words = fold(typed).match(WORD) ?? [];
  const others = spelled === undefined ? [] : (fold(spelled).match(WORD) ?? []);
  return words.map((word, at) => {
    const other = others.length === words.length ? others[at] : undefined;
    return {
      text: word.slice(0, MAX_WORD),
      spelledOut: other === word ? undefined : other?.slice(0, MAX_WORD),
    };
  });
}

/** The words of a search: all must match, each as a prefix. None: the search has no words. */
export function toQueryWords(query: string): QueryWord[] {
  const words = new Map<string, QueryWord>();
  const add = (word: QueryWord): void => {
    if (words.size < MAX_QUERY_WORDS && !words.has(word.text)) words.set(word.text, word);
  };
  if (ASCII.test(query)) {
    for (const text of query.toLowerCase().match(ASCII_WORD) ?? []) add({ text: text.slice(0, MAX_WORD) });
    return [...words.values()];
  }
  let run = 0;
  for (const typed of query.normalize("NFKC").match(WORD) ?? [])
    for (const part of toParts(toHiragana(typed))) {
      if (!part.isUnspaced) {
        for (const word of toSpelledWords(part.text)) add(word);
        continue;
      }
      const characters = Array.from(fold(part.text));
      run += 1;
      const pairs = characters.length === 1 ? characters : toPairs(characters);
      for (const text of pairs) add({ text, run });
    }
  return [...words.values()];
}
