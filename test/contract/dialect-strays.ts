/** Operations that do not speak the dialect yet, by service and rule. Whoever mends one removes it here. */
export const rules = ["times", "lists", "names", "bodies", "versions", "secrets", "settings"] as const;
export type Rule = (typeof rules)[number];

export const strays: Readonly<Record<string, Partial<Record<Rule, readonly string[]>>>> = {
  monitor: {
    times: [
      "GET /api/servers",
      "GET /api/servers/{id}",
      "GET /api/servers/{id}/history",
      "POST /api/admin/servers/{id}/traffic",
      "POST /api/admin/servers",
      "GET /api/admin/servers",
      "GET /api/admin/servers/{id}",
      "PUT /api/admin/servers/{id}",
      "POST /api/admin/servers/{id}/rotate-key",
    ],
    lists: ["GET /api/servers", "GET /api/servers/{id}/history", "GET /api/admin/servers"],
    versions: ["POST /api/admin/channels/test"],
  },
  shop: {},
};
