/** Paid by the instructions alone, such as by bank transfer or in cash: an administrator records what came. */
import type { ProviderKind } from "./provider.ts";

export const manual: ProviderKind<Record<never, never>> = {
  title: "Manual: bank transfer, cash or similar, by instructions",
  documentation: "",
  options: {},
  credentials: {},
  fields: [],
  origins: () => [],
};
