/** Programs that are known to be broken: the auth center. */
import type { Mutant } from "./mutant.ts";

const run = { people: 2, buyers: 1, hours: 0.3 };
const invites = "src/auth/registration/invites.ts";
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
];
