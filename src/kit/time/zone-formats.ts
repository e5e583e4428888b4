/** Formats of Intl by time zone, kept: making one costs as much as a thousand uses of it. */

const MAX_FORMATS = 64;

/** Gives the format with these options in a zone, in plain Western digits of the Gregorian calendar. Throws RangeError for an unknown zone. */
export function createZoneFormats(
  options: Intl.DateTimeFormatOptions,
): (timeZone: string) => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone) => {
    const known = formats.get(timeZone);
    if (known !== undefined) return known;
    const made = new Intl.DateTimeFormat("en-US", {
      ...options,
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
    });
    if (formats.size >= MAX_FORMATS) formats.clear();
    formats.set(timeZone, made);
    return made;
  };
}
