/** In which units the reader wants to see things; kept in the browser. */
import { type Signal, effect, signal } from "@preact/signals";

function readChoice<T extends string>(key: string, choices: readonly [T, ...T[]]): T {
  try {
    const kept = localStorage.getItem(key);
    return choices.find((choice) => choice === kept) ?? choices[0];
  } catch {
    return choices[0]; // storage is switched off
  }
}

function createChoice<T extends string>(key: string, choices: readonly [T, ...T[]]): Signal<T> {
  const choice = signal(readChoice(key, choices));
  effect(() => {
    const { value } = choice;
    try {
      if (value !== choices[0] || localStorage.getItem(key) !== null) localStorage.setItem(key, value);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  });
  return choice;
}

export const rateUnits = ["bytes", "bits"] as const;
export const temperatureUnits = ["celsius", "fahrenheit"] as const;

/** How network and disk speeds are shown. */
export const rateUnit = createChoice("rate-unit", rateUnits);
/** How temperatures are shown. */
export const temperatureUnit = createChoice("temperature-unit", temperatureUnits);
