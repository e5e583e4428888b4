/** Words of texts, for the index and for searches. */

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

/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const ASCII_WORD = /[a-z0-9]+/gu;

/** Longer words are cut: prefixes of this length distinguish enough. */
const MAX_WORD = 60;

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

function addWords(text: string, words: Set<string>, isQuery: boolean): void {
  const folded = fold(text);
  if (ASCII.test(folded)) {
    for (const word of folded.match(ASCII_WORD) ?? []) words.add(word.slice(0, MAX_WORD));
    return;
  }
  for (const run of folded.match(WORD) ?? []) {
    for (const part of toParts(run)) {
      if (!part.isUnspaced) {
        words.add(part.text.slice(0, MAX_WORD));
        continue;
      }
      const characters = Array.from(part.text);
      for (let i = 0; i + 1 < characters.length; i += 1)
        words.add(`${characters[i] ?? ""}${characters[i + 1] ?? ""}`);
      // The last one begins no pair; alone it is what a search of one character finds.
      if (!isQuery || characters.length === 1) words.add(characters.at(-1) ?? "");
    }
  }
}

/** The words by which texts are found; codes (such as an SKU "AB-12") also as one word ("ab12"). */
export function toIndexWords(texts: Iterable<string>, codes: Iterable<string>): Set<string> {
  const words = new Set<string>();
  for (const text of texts) addWords(text, words, false);
  for (const code of codes) {
    addWords(code, words, false);
    const joined = fold(code).replaceAll(/[^\p{L}\p{N}]/gu, "");
    if (joined !== "") words.add(joined.slice(0, MAX_WORD));
  }
  return words;
}

/** Words of one search at most; further ones do not count. */
const MAX_QUERY_WORDS = 12;

/** The words of a search: all must match, each as a prefix. None: the search has no words. */
export function toQueryWords(query: string): string[] {
  const words = new Set<string>();
  addWords(query, words, true);
  return [...words].slice(0, MAX_QUERY_WORDS);
}
