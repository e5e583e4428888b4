/** Texts of rooms in several languages, under keys that English has. */
import { type TextValues, formatText } from "./message.ts";

/** Texts of a room by language (a folder of src/texts), and of each language by key. Languages may lack some. */
export interface Room {
  readonly en: Readonly<Record<string, string>>;
  readonly [language: string]: Readonly<Record<string, string>>;
}

/** Keys of the texts of a room. */
export type KeysOf<R extends Room> = R extends { readonly en: infer English }
  ? keyof English & string
  : never;

/** The texts of a language. Values are put in as they are: what writes HTML escapes the whole. */
export interface Texts<Key extends string> {
  /** The text of that name; English where the language lacks it. */
  (key: Key, values?: TextValues): string;
  /** The same for a name that may have none. */
  find(key: string, values?: TextValues): string | undefined;
  /** The language that they are in. */
  readonly language: string;
  /** All texts unchanged, for callers that need no values or fill them in. */
  readonly words: Readonly<Record<Key, string>>;
}

export interface TextBook<Key extends string> {
  /** The texts of a language: "de-AT" gets German, one without texts English. */
  (language: string): Texts<Key>;
  /** The unfilled text in every language of the rooms. */
  inAll(key: Key): { readonly en: string; readonly [language: string]: string };
}

const CHOICE = /\{\w+, *(?:plural|select),/u;
const PLACE = /\{(\w+)\}/u;

/** Creates what fills a text. It is taken apart once: pages and mails are full of texts. */
function createFilling(language: string, text: string): (values?: TextValues) => string {
  if (CHOICE.test(text)) return (values) => formatText(language, text, values);
  // Words, and the name of every second piece's place.
  const pieces = text.split(PLACE);
  if (pieces.length === 1) return () => text;
  return (values = {}) => {
    let said = "";
    for (const [at, piece] of pieces.entries())
      said += at % 2 === 0 ? piece : (values[piece] ?? `{${piece}}`);
    return said;
  };
}

function openLanguage<Key extends string>(
  language: string,
  english: Readonly<Record<Key, string>>,
  own: Readonly<Record<string, string>>,
): Texts<Key> {
  const words = { ...english, ...own };
  const fillings = new Map<string, (values?: TextValues) => string>();
  const find = (key: string, values?: TextValues): string | undefined => {
    let fill = fillings.get(key);
    if (fill === undefined) {
      if (!Object.hasOwn(words, key)) return undefined;
      fill = createFilling(Object.hasOwn(own, key) ? language : "en", String(Reflect.get(words, key)));
      fillings.set(key, fill);
    }
    return fill(values);
  };
  return Object.assign((key: Key, values?: TextValues) => find(key, values) ?? key, {
    find,
    language,
    words,
  });
}

/** Creates the lookup of texts for each language. */
export function createTextBook<const Rooms extends readonly Room[]>(
  ...rooms: Rooms
): TextBook<KeysOf<Rooms[number]>> {
  type Key = KeysOf<Rooms[number]>;
  const collect = (language: string): Record<string, string> =>
    Object.fromEntries(rooms.flatMap((room) => Object.entries(room[language] ?? {})));
  const english = collect("en");
  const names = new Set(rooms.flatMap((room) => Object.keys(room)));
  const books = new Map<string, Texts<Key>>();
  for (const name of names) books.set(name, openLanguage<Key>(name, english, collect(name)));
  const inEnglish = books.get("en") ?? openLanguage<Key>("en", english, english);
  const open = (language: string): Texts<Key> =>
    books.get(language) ?? books.get(language.split("-")[0]?.toLowerCase() ?? "") ?? inEnglish;
  return Object.assign(open, {
    inAll: (key: Key) => {
      const all: Record<string, string> = {};
      for (const [name, { words }] of books) all[name] = words[key];
      return { ...all, en: inEnglish.words[key] };
    },
  });
}
