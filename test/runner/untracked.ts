/**
 * Loaded before bundled test files on Node 20. Its node:test follows every promise and timer by hooks, only to tell which
 * test an uncaught error belongs to; that was a sixth of the processor time of the monitor's tests, less of others. Here it learns of tests and
 * suites alone. An uncaught error still fails the process, whose files then run again, each alone and followed.
 */
import hooks, { type HookCallbacks, AsyncResource, createHook } from "node:async_hooks";
import process from "node:process";

if (process.versions.node.startsWith("20.")) {
  let callbacks: HookCallbacks | undefined;
  const replaced = {
    createHook: (given: HookCallbacks) => {
      callbacks = given;
      return { enable: () => undefined, disable: () => undefined };
    },
    // Of this class are the tests and suites of node:test, and it tells of them as the hooks would.
    AsyncResource: class extends AsyncResource {
      constructor(...given: ConstructorParameters<typeof AsyncResource>) {
        super(...given);
        callbacks?.init?.(this.asyncId(), given[0], this.triggerAsyncId(), this);
      }
    },
  };
  Object.assign(hooks, replaced);
  await import("node:test");
  Object.assign(hooks, { createHook, AsyncResource });
}
