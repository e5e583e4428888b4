/** What a component knows of its element in the page: how wide it is, and whether it is near the window. */
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

const listeners = new WeakMap<Element, (isNear: boolean) => void>();
let observer: IntersectionObserver | undefined;

/** Tells whenever an element comes into the window or close to it, or leaves; returns how to end that. */
export function followNearness(element: Element, onChange: (isNear: boolean) => void): () => void {
  // One observer for all elements: a list has thousands.
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
    },
    // Beyond the edges, so that a quick scroll shows no holes.
    { rootMargin: "480px 0px" },
  );
  listeners.set(element, onChange);
  observer.observe(element);
  return () => observer?.unobserve(element);
}

/** Whether an element is in the window or close to it; false until the browser has looked. */
export function useIsNear(ref: RefObject<HTMLElement>): boolean {
  const [isNear, setNear] = useState(false);
  useLayoutEffect(() => (ref.current === null ? undefined : followNearness(ref.current, setNear)), [ref]);
  return isNear;
}
