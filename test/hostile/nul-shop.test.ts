import { describe } from "node:test";
import { testNul } from "./nul.ts";
import { createShopSubject } from "./subjects.ts";

describe("U+0000 in a request", () => {
  testNul("shop", createShopSubject);
});
