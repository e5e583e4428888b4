/** What administrators see of a check of the install. */
import { z } from "zod";

const findingSchema = z.strictObject({
  check: z.string().describe('What was checked, such as "public address"'),
  level: z.enum(["ok", "warning", "problem"]),
  message: z.string().describe("What was found"),
  advice: z.string().optional().describe("What to do about it"),
});

/** All findings, as `trivet doctor --json` prints them. */
export const doctorSchema = z.strictObject({
  verdict: z.enum(["ok", "warning", "problem"]).describe("The worst level among the findings"),
  findings: z.array(findingSchema),
});

export type DoctorView = z.infer<typeof doctorSchema>;
