/** Operations that do not speak the dialect yet, by service and rule. Whoever mends one removes it here. */
export const rules = ["times", "lists", "names", "bodies", "versions", "secrets", "settings"] as const;
export type Rule = (typeof rules)[number];

export const strays: Readonly<Record<string, Partial<Record<Rule, readonly string[]>>>> = {
  monitor: {
    // The points of a series: a chart takes hundreds of numbers as they are.
    times: ["GET /api/servers/{id}/history"],
  },
  shop: {},
};
