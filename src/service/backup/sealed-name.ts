/** What sealed backups are called after their name. */
export const SEALED = ".tar.age";
