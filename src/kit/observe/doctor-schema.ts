/** The installation check, for administrators. */
import { z } from "zod";

const findingSchema = z.strictObject({
  check: z.string().describe('Name of the check, such as "public address"'),
  level: z.enum(["ok", "warning", "problem"]),
  message: z.string().describe("The findings"),
  advice: z.string().optional().describe("How to fix the finding"),
});

/** All findings, as `trivet doctor --json` prints them. */
export const doctorSchema = z.strictObject({
  verdict: z.enum(["ok", "warning", "problem"]).describe("The most severe level of all findings"),
  findings: z.array(findingSchema),
});

export type DoctorView = z.infer<typeof doctorSchema>;
