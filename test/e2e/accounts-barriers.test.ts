import { describeBarriers } from "./accounts-barriers.ts";

describeBarriers([{ language: "en", first: "light", second: "dark" }]);
