/** Notes on an entry that became a check with omissions, or no check at all. */

/** English words of each; `{value}` is what it is about. */
const words = {
  // Why there is no check.
  no_such_kind: 'There is no check of the kind "{value}" here',
  does_not_fit: "Invalid value: {value}",
  same_name: "A check with this name already exists in this group",
  token_taken: "Another heartbeat already uses this token",
  no_entry: "The entry cannot be read",
  // Differences from the original.
  connection_only: "Only the TCP connection is checked, not {value}",
  no_browser: "Checked without a browser: scripts of the page do not run",
  no_proxy: "Checked without the configured proxy",
  no_sign_in: "Checked without authentication ({value})",
  no_own_authority: "The custom certificate authority is not imported",
  fewer_redirects: "Up to 5 redirects are followed, not {value}",
  no_path: 'The expression "{value}" is left out; paths such as data[0].state are taken',
  no_condition: "The condition {value} is not imported",
  no_field: '"{value}" is left out',
  no_header: 'The header "{value}" is left out',
  other_interval: "Checked every {value} seconds, the closest supported interval",
  other_timeout: "The timeout is {value} seconds, the closest supported value",
  other_failures: "Down after {value} consecutive failures, the maximum",
  other_name: "The name was shortened",
  fewer_tags: "The tag {value} is not imported",
  other_resolver: "Only the resolver {value} is queried",
  no_resolver: 'Asked at the resolver of this machine: "{value}" is no address',
  other_statuses: "Every status is accepted: the configured statuses are not a list of ranges",
  text_anywhere: "The text can be anywhere in the response",
  token_unfit: "The token cannot be kept: update the sender with the new URL",
  new_address: "Update the sender with the new URL",
  no_key: "The file has no ping URL: update the sender with the new URL, or export with a read-write API key",
  other_path: 'The URL of the job also needs "/ping" before the token',
  no_interval: "No interval is set: a ping is expected once a day",
  variable: "{value} is an environment variable: replace it with its value",
  choose_server: "Choose the server whose agent reports this container",
  group_members: "Down while any of its members is down (members: {value})",
  inner_groups: "Checks of the groups inside count in these groups only: {value}",
  no_members: "None of its monitors became a check: the group is a name only",
  no_retries: "Follows its members at once, without retries of its own",
  muted: "Muted: the group has no notifications in Uptime Kuma",
  needs_ping: "Uses the program ping, which must be installed",
} as const;

export type NoteCode = keyof typeof words;
export const noteCodes: readonly NoteCode[] = Object.keys(words) as NoteCode[]; // `as`: keys of the object above.

/** One thing that is said of an entry. */
export interface ImportNote {
  readonly code: NoteCode;
  /** Its subject; absent without one. */
  readonly value?: string;
  /** Both in one English sentence. */
  readonly message: string;
}

const MAX_VALUE = 200;

/** Creates a note. The value is cut to 200 characters of one line. */
export function toNote(code: NoteCode, given?: string): ImportNote {
  if (given === undefined) return { code, message: words[code] };
  const value = given.replace(/[\p{C}\s\u2028\u2029]+/gu, " ").slice(0, MAX_VALUE);
  return { code, value, message: words[code].replace("{value}", () => value) };
}
