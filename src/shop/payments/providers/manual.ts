/** Paid by the instructions alone, such as by bank transfer or in cash: an administrator records what came. */
import type { ProviderKind } from "./provider.ts";

export const manual: ProviderKind<Record<never, never>> = {
  title: "By instructions: bank transfer, cash and the like",
  documentation: "",
  options: {},
  credentials: {},
  fields: [],
  origins: () => [],
};
