/** The parts of checks, made together. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Store } from "../../store/store.ts";
import { type ChecksDeps, Checks, listChecks } from "./checks.ts";
import { Directory } from "./directory.ts";
import type { Prober } from "./prober.ts";
import type { CheckDirectory } from "./standings.ts";

export interface CheckPartsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly box: SecretBox;
  readonly probe?: Prober;
  /** Awaited after each change. */
  readonly changed: () => Promise<void>;
  /** What follows when a check is made and there was none, in the same transaction. */
  readonly onFirst?: ChecksDeps["onFirst"];
}

const asksNobody: Prober = async () => ({ fault: "unsupported", detail: "This process asks no targets" });

/** Makes them. */
export function createCheckParts({
  store,
  clock,
  box,
  probe = asksNobody,
  changed,
  onFirst,
}: CheckPartsDeps) {
  const directory = new Directory();
  const checkDirectory: CheckDirectory = directory;
  return {
    checks: new Checks({ store, clock, box, probe, changed, onFirst }),
    /** Every check with how it stands. */
    checkDirectory,
    /** Opens what checks keep sealed. */
    checkBox: box,
    /** Takes the checks as they are in the store. */
    reloadChecks: async (): Promise<void> => {
      directory.reload(await store.read(listChecks));
    },
  };
}
