/** What pages expect of a browser when their modules are loaded; import it before them. */

Object.assign(globalThis, {
  location: { pathname: "/", search: "", origin: "https://shop.example.org" },
  addEventListener: () => undefined,
  document: { addEventListener: () => undefined, querySelector: () => null, visibilityState: "visible" },
});

const { setInterval: start } = globalThis;
/** Clocks of pages keep no test from its end. */
globalThis.setInterval = ((work: () => void, ms: number) => start(work, ms).unref()) as typeof setInterval;
