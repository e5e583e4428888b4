/** Texts that stand beside what they name, in each language of the dashboard. `{name}` in one stands for a value. */
export type Labels = Readonly<Record<"en" | "zh", string>>;
