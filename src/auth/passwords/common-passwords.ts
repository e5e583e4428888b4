/** The 49,000 most common passwords (NIST SP 800-63B-4 section 3.1.1.2 requires such a list). */

/** Upper and lower case, and the compatibility forms of a character (full-width, ligatures), are the same. */
function fold(password: string): string {
  return password.normalize("NFKC").toLowerCase();
}

async function load(): Promise<(password: string) => boolean> {
  const { default: words } = await import("@zxcvbn-ts/language-common");
  const common = new Set(words.dictionary["passwords-common"].map(fold));
  return (password) => common.has(fold(password));
}

let loading: Promise<(password: string) => boolean> | undefined;

/** Loads the list, once for all callers, and returns the check of whether it contains a password. */
export function loadCommonPasswords(): Promise<(password: string) => boolean> {
  loading ??= load();
  return loading;
}
