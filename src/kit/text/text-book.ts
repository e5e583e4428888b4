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
}

export interface TextBook<Key extends string> {
  /** The texts of a language: "de-AT" gets German, one without texts English. */
  (language: string): Texts<Key>;
  /** The text in every language of the room. */
  inAll(key: Key): { readonly en: string; readonly [language: string]: string };
}

function openLanguage<Key extends string>(
  language: string,
  { english, own }: Record<"english" | "own", ReadonlyMap<string, string>>,
): Texts<Key> {
  const find = (key: string, values?: TextValues): string | undefined => {
    const text = own.get(key);
    if (text !== undefined) return formatText(language, text, values);
    const fallback = english.get(key);
    return fallback === undefined ? undefined : formatText("en", fallback, values);
  };
  return Object.assign((key: Key, values?: TextValues) => find(key, values) ?? key, { find, language });
}

/** Makes what gives the texts of rooms in each language that one of them has. */
export function createTextBook<const Rooms extends readonly Room[]>(
  ...rooms: Rooms
): TextBook<KeysOf<Rooms[number]>> {
  const names = new Set(rooms.flatMap((room) => Object.keys(room)));
  const collect = (language: string): ReadonlyMap<string, string> =>
    new Map(rooms.flatMap((room) => Object.entries(room[language] ?? {})));
  const english = collect("en");
  const books = new Map<string, Texts<KeysOf<Rooms[number]>>>();
  for (const name of names)
    books.set(name, openLanguage(name, { english, own: name === "en" ? english : collect(name) }));
  const inEnglish = openLanguage<KeysOf<Rooms[number]>>("en", { english, own: english });
  const open = (language: string): Texts<KeysOf<Rooms[number]>> =>
    books.get(language) ?? books.get(language.split("-")[0]?.toLowerCase() ?? "") ?? inEnglish;
  return Object.assign(open, {
    inAll: (key: KeysOf<Rooms[number]>) => {
      const all: Record<string, string> = {};
      for (const [name, texts] of books) all[name] = texts(key);
      return { ...all, en: inEnglish(key) };
    },
  });
}
