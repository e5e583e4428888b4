/** The providers that buyers pay with, by the words that orders and notifications name them by. */
import { createContext } from "preact";
import type { AdminSite } from "../../../shop/settings/answer-schema.ts";
import { useSiteFacts } from "./site-facts.ts";

export type NamedProvider = Pick<AdminSite["paymentProviders"][number], "word" | "title">;

/** The providers as they were last seen; none until they are known. */
export function useProviders(): readonly NamedProvider[] {
  return useSiteFacts()?.paymentProviders ?? [];
}

/** The title of a provider; its word until the title is loaded. */
export function useProviderTitle(word: string): string {
  return useProviders().find((provider) => provider.word === word)?.title ?? word;
}

/** The titles of all providers by their words, for the parts of a page. */
export const ProviderTitles = createContext<ReadonlyMap<string, string>>(new Map());
