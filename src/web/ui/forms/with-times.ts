/** Records as answers have them. */

/** Members of a record whose times are ISO 8601 in answers. */
export type WithTimes<T, K extends keyof T> = {
  [P in keyof T]: P extends K ? string | Extract<T[P], undefined> : T[P];
};
