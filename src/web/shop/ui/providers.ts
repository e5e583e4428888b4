/** The providers that buyers pay with, by the words that orders and notices name them by. */
import { usePolled } from "../../ui/console/polled.ts";

/** A provider, as far as lists name it. */
export interface ProviderView {
  readonly word: string;
  readonly title: string;
}

let last: readonly ProviderView[] = [];

/** The providers as they were last seen; none until they are known. */
export function useProviders(): readonly ProviderView[] {
  const { data } = usePolled<{ readonly paymentProviders: readonly ProviderView[] }>("/api/admin/site", 0);
  last = data?.paymentProviders ?? last;
  return last;
}

/** What people call a provider; the word while its title is not known. */
export function useProviderTitle(word: string): string {
  return useProviders().find((provider) => provider.word === word)?.title ?? word;
}
