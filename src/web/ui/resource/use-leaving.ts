/** Going on to the page of what was made, once the page knows that nothing in it is unsaved any more. */
import { useEffect, useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";

/** Whether the page is about to be left, and how to say so. */
export function useLeaving(): readonly [isLeaving: boolean, leaveFor: (path: string) => void] {
  const [path, setPath] = useState<string | undefined>();
  useEffect(() => {
    if (path === undefined) return undefined;
    navigate(path, { replace: true });
    return undefined;
  }, [path]);
  return [path !== undefined, setPath];
}
