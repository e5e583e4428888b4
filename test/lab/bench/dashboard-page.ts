/** What is measured in a page. */
import type { Browser, CDPSession, Page } from "playwright-core";

export interface FirstView {
  /** From the beginning of the navigation until the first of the list was painted, in milliseconds. */
  readonly paintedMs: number;
  /** Scripts on the wire, headers included, in bytes. */
  readonly scriptBytes: number;
  /** Everything but the feed on the wire, headers included, in bytes. */
  readonly allBytes: number;
  /** The first frame of the feed as it came; undefined when the page has no feed. */
  readonly firstFrameBytes: number | undefined;
}

export interface LiveView {
  /** Between two frames of the screen, at worst, in milliseconds. */
  readonly longestFrameMs: number;
  /** Frames over 50 ms. */
  readonly longFrames: number;
  /** Share of the time in which the page's main thread worked, 0 to 1. */
  readonly busyShare: number;
  /** After garbage was collected, in bytes. */
  readonly heapBytes: number;
}

export interface OpenedPage {
  readonly first: FirstView;
  /** Looks at the page for so long. */
  watch(ms: number): Promise<LiveView>;
  close(): Promise<void>;
}

/** As text: it runs in the page. "Painted" is the task after the frame in which the first entry was there. */
const notePainted = `window.trivetPainted = new Promise((resolve) => {
  const note = () => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve(performance.now());
    channel.port2.postMessage(0);
  };
  const observer = new MutationObserver(() => {
    if (document.querySelector('main :is(article, li, [role=row]) a[href^="/servers/"]') === null) return;
    observer.disconnect();
    requestAnimationFrame(note);
  });
  observer.observe(document, { childList: true, subtree: true });
})`;

const noteFrames = `(() => {
  const frames = { longest: 0, over: 0, last: performance.now() };
  window.trivetFrames = frames;
  const step = (now) => {
    const ms = now - frames.last;
    frames.last = now;
    frames.longest = Math.max(frames.longest, ms);
    if (ms > 50) frames.over += 1;
    requestAnimationFrame(step);
  };
  requestAnimationFrame((now) => { frames.last = now; requestAnimationFrame(step); });
})()`;

function countBytes(session: CDPSession) {
  const types = new Map<string, string>();
  const sum = { script: 0, all: 0, firstFrame: undefined as number | undefined };
  session.on("Network.responseReceived", ({ requestId, type }) => void types.set(requestId, type));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    sum.all += encodedDataLength;
    if (types.get(requestId) === "Script") sum.script += encodedDataLength;
  });
  session.on("Network.webSocketFrameReceived", ({ response }) => {
    // Binary messages come as base64 (opcode 2), texts as they are.
    sum.firstFrame ??= Buffer.from(response.payloadData, response.opcode === 2 ? "base64" : "utf8").length;
  });
  return sum;
}

async function readTaskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
}

async function watchPage(page: Page, session: CDPSession, ms: number): Promise<LiveView> {
  await page.evaluate(noteFrames);
  const before = await readTaskSeconds(session);
  await page.waitForTimeout(ms);
  const busySeconds = (await readTaskSeconds(session)) - before;
  const frames = await page.evaluate<{ longest: number; over: number }>("window.trivetFrames");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return {
    longestFrameMs: frames.longest,
    longFrames: frames.over,
    busyShare: (busySeconds * 1_000) / ms,
    heapBytes: usedSize,
  };
}

/** Opens `url` in a fresh context, with nothing in the cache, and waits until the list was painted. */
export async function openMeasured(browser: Browser, url: string): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, locale: "en-GB" });
  await context.addInitScript({ content: notePainted });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Performance.enable");
  const bytes = countBytes(session);
  await page.goto(url);
  const paintedMs = await page.evaluate<number>("window.trivetPainted");
  await page.waitForLoadState("networkidle");
  return {
    first: {
      paintedMs,
      scriptBytes: bytes.script,
      allBytes: bytes.all,
      firstFrameBytes: bytes.firstFrame,
    },
    watch: (ms) => watchPage(page, session, ms),
    close: () => context.close(),
  };
}
