/** Operations that do not follow the dialect yet, by service and rule. Remove one once it is fixed. */
export const rules = ["times", "lists", "names", "bodies", "versions", "secrets", "settings"] as const;
export type Rule = (typeof rules)[number];

export const strays: Readonly<Record<string, Partial<Record<Rule, readonly string[]>>>> = {
  monitor: {
    // The points of a series: a chart takes hundreds of numbers as they are.
    times: [
      "GET /api/servers/{id}/history",
      "GET /api/servers/{id}/parts/history",
      "GET /api/admin/checks/{id}/history",
    ],
  },
  auth: {
    // Web Authentication names the member (Level 3 section 5.11).
    lists: ["GET /.well-known/webauthn"],
    // Browsers' passkey responses grow with the standard; a newer browser must not be rejected.
    bodies: [
      "POST /api/auth/passkeys/sign-in",
      "POST /api/auth/passkeys/second-factor",
      "POST /api/auth/me/passkeys",
      "POST /api/auth/me/passkeys/proof",
    ],
  },
  shop: {
    // RFC 7517 section 5 names the member.
    lists: ["GET /v1/licenses/keys"],
    // Programs of other shops' license API send members that this one does not need.
    bodies: [
      "POST /v1/licenses/activate",
      "POST /v1/licenses/validate",
      "POST /v1/licenses/deactivate",
      "POST /v1/licenses/file",
      // Sections of the home page that a newer version knows are kept, with all that is in them.
      "POST /api/admin/site/preview",
      "PATCH /api/admin/site",
      "PUT /api/admin/site",
    ],
  },
};
