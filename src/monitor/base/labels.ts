/** Texts that stand beside what they name, in each language of the dashboard. `{name}` in one stands for a value. */
export const languages = ["en", "zh", "de"] as const;
export type Language = (typeof languages)[number];
export type Labels = Readonly<Record<Language, string>>;
