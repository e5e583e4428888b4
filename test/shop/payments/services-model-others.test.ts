/** Histories of the second half of payment services. */
import { describeHistories, kinds } from "./voices/service-histories.ts";

for (const kind of kinds.slice(4)) describeHistories(kind);
