/** Drawings of 24 by 24 in lines of the text's colour. They say nothing to a screen reader. */
import type { JSX } from "preact";

const paths = {
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16.2 16.2 21 21",
  grid: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  list: "M4 6h16M4 12h16M4 18h16",
  bars: "M4 19V7M8 19V5M12 19v-8M16 19V5M20 19V8",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  contrast: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 3v18M12 7.5h7M12 12h9M12 16.5h7",
  globe:
    "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 2.6 4 5.7 4 9s-1 6.4-4 9c-3-2.6-4-5.7-4-9s1-6.4 4-9z",
  gear: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  close: "M6 6l12 12M18 6 6 18",
  down: "M6 9.5l6 6 6-6",
  up: "M6 14.5l6-6 6 6",
  back: "M14.5 6l-6 6 6 6",
  next: "M9.5 6l6 6-6 6",
  minus: "M5 12h14",
  more: "M12 5.5v.01M12 12v.01M12 18.5v.01",
  plus: "M12 5v14M5 12h14",
  check: "M5 12.5l4.5 4.5L19 7.5",
  alert: "M12 3.5 22 20.5H2zM12 10v4.5M12 17.5v.01",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5.5M12 7.8v.01",
  hidden:
    "M3 3l18 18M10.5 5.6A9 9 0 0 1 12 5.5c5 0 8.5 4.5 9.5 6.5a15 15 0 0 1-3 3.8M6.5 7.2A15 15 0 0 0 2.5 12c1 2 4.5 6.5 9.5 6.5a9 9 0 0 0 4-1M9.9 9.9a3 3 0 0 0 4.2 4.2",
  edit: "M4 20l1-4.5L16.5 4 20 7.5 8.5 19z",
  trash: "M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13M10 11v5M14 11v5",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  key: "M8 12a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 13l9-9M16 8l3 3",
  link: "M10 14l9-9M13 4h7v7M18 14v6H4V6h6",
  server: "M4 4h16v7H4zM4 13h16v7H4zM8 7.5v.01M8 16.5v.01M12 7.5h4M12 16.5h4",
  download: "M12 4v12M6.5 11l5.5 5.5L17.5 11",
  upload: "M12 20V8M6.5 13 12 7.5l5.5 5.5",
  card: "M3 5.5h18v13H3zM3 10h18M6.5 15h4",
  parcel: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  receipt: "M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9.5 8.5h5M9.5 12.5h5",
  coins: "M9 4a5.5 5.5 0 1 0 0 11A5.5 5.5 0 0 0 9 4zM17 9.2A5.5 5.5 0 1 1 9.2 17",
  ticket: "M3.5 6.5h17V10a2 2 0 0 0 0 4v3.5h-17V14a2 2 0 0 0 0-4zM14 7v2M14 11v2M14 15v2",
  chat: "M4 5h16v11H10l-4.5 4v-4H4z",
  document: "M6 4h7l5 5v11H6zM13 4v5h5M9 13h6M9 16h6",
  calendar: "M4 6h16v14H4zM4 10.5h16M8 3.5v4M16 3.5v4",
  refresh: "M20 5v5h-5M4 19v-5h5M5.5 9A7.5 7.5 0 0 1 19 8l1 2M18.5 15A7.5 7.5 0 0 1 5 16l-1-2",
  table: "M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 21h4",
  send: "M21 3 10 14M21 3l-7 18-4-7-7-4z",
  channel: "M4 10v4h3l8 4V6l-8 4zM18.5 9.5a4 4 0 0 1 0 5",
  mail: "M3 5.5h18v13H3zM3.5 6.5 12 13l8.5-6.5",
  rules: "M4 6h16M4 12h7M4 18h7M14.5 16l2.5 2.5 4.5-5",
  history: "M3.5 12a8.5 8.5 0 1 0 2.6-6.1L3.5 8.5M3.5 4v4.5H8M12 7.5V12l3 2",
  move: "M8 20V4M5 7l3-3 3 3M16 4v16M13 17l3 3 3-3",
  arrowUp: "M12 20V4M6 10l6-6 6 6",
  arrowDown: "M12 4v16M6 14l6 6 6-6",
  wrench:
    "M20.3 7.6a5 5 0 0 1-6.4 5.6L7.3 19.8a2.2 2.2 0 0 1-3.1-3.1l6.6-6.6a5 5 0 0 1 5.6-6.4l-2.9 2.9v3.9h3.9z",
  people:
    "M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM2.5 19.5c.5-3.4 3-5 6.5-5s6 1.6 6.5 5M16 5.3a3.5 3.5 0 0 1 0 6.4M18 14.9c2 .7 3.2 2.2 3.5 4.6",
  approve:
    "M10 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM2.5 20.5c.6-4 3.6-6 7.5-6 1.5 0 2.9.3 4 .9M15.5 18.5l2.2 2.2 4-4.7",
  out: "M10 4H4v16h6M9 12h12M16.5 7.5 21 12l-4.5 4.5",
  pulse: "M3 12h4l2.5-6.5 4.5 13 2.5-6.5H21",
  plug: "M9 3v5M15 3v5M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0zM12 17v4",
  lock: "M5.5 11h13v9.5h-13zM8 11V7.5a4 4 0 0 1 8 0V11M12 14.5v2.5",
  signpost: "M12 3v18M12 5h6l2.5 2.5L18 10h-6M12 11.5H6L3.5 14 6 16.5h6",
  target:
    "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 2v4M12 18v4M2 12h4M18 12h4",
  pause: "M8.5 5v14M15.5 5v14",
  play: "M7.5 4.5v15l12-7.5z",
  /** States differ in shape too, for those who do not see their colours. */
  online: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12.3l2.8 2.8L16 9.5",
  offline: "M8 3h8l5 5v8l-5 5H8l-5-5V8zM9 9l6 6M15 9l-6 6",
  never:
    "M12 3v.01M16.5 4.2v.01M19.8 7.5v.01M21 12v.01M19.8 16.5v.01M16.5 19.8v.01M12 21v.01M7.5 19.8v.01M4.2 16.5v.01M3 12v.01M4.2 7.5v.01M7.5 4.2v.01",
  disabled: "M4 4h16v16H4zM10 9v6M14 9v6",
} as const;

export type IconName = keyof typeof paths;

/** The icon that a service names. `as`: it is one of them. */
export function toIcon(name: string): IconName {
  return Object.hasOwn(paths, name) ? (name as IconName) : "target";
}

/** A decorative drawing; give the control that holds it a name. */
export function Icon({ name, class: extra }: { name: IconName; class?: string | undefined }): JSX.Element {
  return (
    <svg
      class={extra === undefined ? "icon" : `icon ${extra}`}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
