/** A component's element in the page: its width, and whether it is near the viewport. */
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** The width of an element, px; 0 before it was measured. */
export function useWidth(ref: RefObject<HTMLElement>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}

/** Notified when its element enters or leaves the viewport or its surroundings. */
export interface NearnessFollower {
  takeNearness(isNear: boolean): void;
}

const followers = new WeakMap<Element, NearnessFollower>();
let observer: IntersectionObserver | undefined;

/** Tells a follower of its element until {@link unfollowNearness}. A list has thousands: no function is made for each. */
export function followNearness(element: Element, follower: NearnessFollower): void {
  // One observer for all elements.
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) followers.get(target)?.takeNearness(isIntersecting);
    },
    // Beyond the edges, so that a quick scroll shows no holes.
    { rootMargin: "480px 0px" },
  );
  followers.set(element, follower);
  observer.observe(element);
}

/** The follower of an element. */
export function findFollower(element: Element): NearnessFollower | undefined {
  return followers.get(element);
}

/** Ends what {@link followNearness} began. */
export function unfollowNearness(element: Element): void {
  observer?.unobserve(element);
  followers.delete(element);
}

/** Whether an element is in the window or close to it; false until the browser has looked. */
export function useIsNear(ref: RefObject<HTMLElement>): boolean {
  const [isNear, setNear] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    followNearness(element, { takeNearness: setNear });
    return () => unfollowNearness(element);
  }, [ref]);
  return isNear;
}
