/** Programs that are known to be broken: the auth center. */
import type { Mutant } from "./mutant.ts";

const run = { people: 2, buyers: 1, hours: 0.3 };
const invites = "src/auth/registration/invites.ts";
const sessions = "src/auth/sessions/sessions.ts";
const checkIn = "src/auth/check-in/check-in.ts";

export const accountMutants: readonly Mutant[] = [
  {
    run,
    name: "an invite is good for one more account",
    path: invites,
    from: "invite.usedCount >= invite.maxUses",
    to: "invite.usedCount > invite.maxUses",
    // Its record is checked, too.
    more: [
      ['atMost: { field: "maxUses" }', 'atMost: { field: "createdAt" }', "src/auth/registration/records.ts"],
    ],
  },
  {
    run,
    name: "a second check-in on a day is paid",
    path: checkIn,
    from: 'if (state.kind === "done" && last !== undefined)',
    to: 'if (state.kind === "done" && last !== undefined && nowMs % 2 === 0)',
    more: [["id: `${userId}:${today.today}`,", "id: `${userId}:${today.today}:${nowMs}`,"]],
  },
  {
    run,
    name: "a streak ends at midnight",
    path: "src/auth/check-in/calendar.ts",
    from: "return day >= yesterday\n",
    to: "return day > yesterday\n",
  },
  {
    run,
    name: "points are spent that an account does not have",
    path: "src/auth/admin/user-actions.ts",
    from: "if (points < 0)",
    to: "if (points < -15)",
  },
  {
    run,
    name: "the version in If-Match is not compared",
    path: "src/auth/settings/settings-admin.ts",
    from: "(ifMatch ?? present) === present",
    to: "(ifMatch ?? present) <= present",
  },
  {
    run,
    name: "a code of an application is good twice",
    path: "src/auth/oidc/application-codes.ts",
    from: "if (usedAt !== undefined) {",
    to: "if (usedAt !== undefined && usedAt > nowMs) {",
  },
  {
    run,
    name: "a code that comes again ends nothing",
    path: "src/auth/oidc/application-codes.ts",
    from: "if (openedId !== undefined && !isTwice) await",
    to: "if (openedId === nowMs.toString()) await",
  },
  {
    run,
    name: "a spent refresh token that comes again ends nothing",
    path: sessions,
    from: 'if (result.kind === "reused") await endFamily',
    to: 'if (result.kind === "reused" && nowMs < 0) await endFamily',
  },
  {
    run,
    name: "a refresh token has a new successor each time",
    path: sessions,
    from: 'const tokens = deriveSuccessor(refreshToken, rotationNonce);\n    return {\n      kind: "done",\n      tokens: toTokenSet(tokens, { user, session: withNarrowed(session, narrowed), nowMs }),',
    to: 'const tokens = deriveSuccessor(refreshToken, newRotationNonce());\n    return {\n      kind: "done",\n      tokens: toTokenSet(tokens, { user, session: withNarrowed(session, narrowed), nowMs }),',
  },
  {
    run,
    name: "a refresh token of one application is good at another",
    path: sessions,
    from: "asking === undefined : asking === clientId;",
    to: "asking === undefined : asking !== undefined && clientId !== undefined;",
  },
  {
    run,
    name: "a person who comes by a provider again is a newcomer",
    path: "src/auth/upstream/links.ts",
    from: 'return tx.by(upstreamLinks, "byIdentity", [issuer, subject]);',
    to: 'return tx.by(upstreamLinks, "byIdentity", [issuer, `${subject} `]);',
  },
];
