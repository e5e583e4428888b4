/** What is said of an entry that became a check with something left out, or no check at all. */

/** English words of each; `{value}` is what it is about. */
const words = {
  // Why there is no check.
  no_such_kind: 'There is no check of the kind "{value}" here',
  does_not_fit: "It does not fit: {value}",
  same_name: "There is a check of this name in this group already",
  token_taken: "Another heartbeat has its token already",
  no_entry: "It is no entry that can be read",
  // What is other than it was.
  connection_only: "Only whether a connection is taken is looked at, not {value}",
  no_browser: "Asked without a browser: scripts of the page do not run",
  no_proxy: "Asked without its proxy",
  no_sign_in: "Asked without its sign-in ({value})",
  no_own_authority: "Its own certificate authority is left out",
  fewer_redirects: "5 redirects at most are followed, not {value}",
  no_path: 'The expression "{value}" is left out; paths such as data[0].state are taken',
  no_condition: "The condition {value} is left out",
  no_field: '"{value}" is left out',
  no_header: 'The header "{value}" is left out',
  other_interval: "Asked every {value} seconds, the nearest that can be",
  other_timeout: "{value} seconds is the time-out, the nearest that can be",
  other_failures: "Down after {value} failures in a row, the most that can be",
  other_name: "Its name was made shorter",
  fewer_tags: "The tag {value} is left out",
  other_resolver: "Asked at the resolver {value} alone",
  no_resolver: 'Asked at the resolver of this machine: "{value}" is no address',
  other_statuses: "Every status is taken: those that were set are no list of spans",
  text_anywhere: "The text may stand anywhere in the answer",
  token_unfit: "Its token cannot be kept: give its sender the new address",
  new_address: "Give its sender the new address",
  no_interval: "No interval was set: expected once a day",
  variable: "{value} is a variable of the environment: put in what it stands for",
  needs_ping: "Asked by the program ping, which has to be there",
} as const;

export type NoteCode = keyof typeof words;
export const noteCodes: readonly NoteCode[] = Object.keys(words) as NoteCode[]; // `as`: keys of the object above.

/** One thing that is said of an entry. */
export interface ImportNote {
  readonly code: NoteCode;
  /** What it is about; absent where nothing is. */
  readonly value?: string;
  /** Both in one English sentence. */
  readonly message: string;
}

const MAX_VALUE = 200;

/** Makes one. The value is cut to 200 characters of one line. */
export function toNote(code: NoteCode, given?: string): ImportNote {
  if (given === undefined) return { code, message: words[code] };
  const value = given.replace(/[\p{C}\s\u2028\u2029]+/gu, " ").slice(0, MAX_VALUE);
  return { code, value, message: words[code].replace("{value}", () => value) };
}
