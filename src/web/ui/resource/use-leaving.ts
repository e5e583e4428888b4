/** Opens the page of a new item once the form knows that nothing is unsaved. */
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
