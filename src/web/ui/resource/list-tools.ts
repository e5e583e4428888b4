/** Functions that parts of a list call. */
import type { Task } from "../console/problem.tsx";
import { useQuery } from "../console/query.ts";
import { adminRequest } from "../console/session.ts";
import type { FieldSource } from "./form.ts";
import {
  type Listing,
  type ListTools,
  type Opened,
  type Resource,
  isResource,
  mayWrite,
  toItemPath,
} from "./resource.ts";

interface Parts<View> {
  readonly refresh: () => Promise<void>;
  readonly task: Task;
  readonly setOpened: (opened: Opened<View>) => void;
}

/** The tools; dialogs are those that `setOpened` shows. */
export function useListTools<View extends object, S extends FieldSource, C>(
  of: Listing<View> | Resource<View, S, C>,
  { refresh, task, setOpened }: Parts<View>,
): ListTools<View> {
  const { idOf, itemIn, table } = of;
  const query = useQuery();
  const mayAdd = isResource(of) && of.creation !== false && mayWrite(of);
  const run = (work: () => Promise<unknown>): void =>
    void task.run(async () => {
      await work();
      await refresh();
    });
  return {
    mayWrite: mayWrite(of),
    refresh,
    add: mayAdd ? () => setOpened({ adding: true }) : undefined,
    open: (item, what) => {
      if (itemIn === undefined) setOpened({ item, what });
      else query.set({ [itemIn]: idOf(item) }, { push: true });
    },
    edit: (edited) => setOpened({ edited }),
    remove: (removed) => setOpened({ removed }),
    showMade: (made) => {
      setOpened({ made });
      void refresh();
    },
    arrange: (views) => run(async () => table.arrange?.(views)),
    isBusy: task.busy,
    change: (view, body) => run(() => adminRequest(toItemPath(of, idOf(view)), { method: "PATCH", body })),
  };
}
