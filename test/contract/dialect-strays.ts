/** Operations that do not speak the dialect yet, by service and rule. Whoever mends one removes it here. */
export const rules = ["times", "lists", "names", "bodies", "versions", "secrets", "settings"] as const;
export type Rule = (typeof rules)[number];

export const strays: Readonly<Record<string, Partial<Record<Rule, readonly string[]>>>> = {
  monitor: {
    // The points of a series: a chart takes hundreds of numbers as they are.
    times: ["GET /api/servers/{id}/history", "GET /api/admin/checks/{id}/history"],
  },
  auth: {
    // Web Authentication names the member (Level 3 section 5.11).
    lists: ["GET /.well-known/webauthn"],
    // What browsers give for a passkey grows with the standard; nobody shall be refused for a newer browser.
    bodies: [
      "POST /api/auth/passkeys/sign-in",
      "POST /api/auth/passkeys/second-factor",
      "POST /api/auth/me/passkeys",
      "POST /api/auth/me/passkeys/proof",
    ],
  },
  shop: {},
};
