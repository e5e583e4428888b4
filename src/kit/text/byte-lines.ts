/** Texts of many lines as bytes: read line by line, so that each is decoded by itself, and streamed part by part. */

const LF = 0x0a;

/** The lines that have something in them, with their numbers from 1. */
export function* splitLines(bytes: Uint8Array): Generator<{ number: number; line: Uint8Array }> {
  let number = 0;
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(LF, start);
    const end = found === -1 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    number += 1;
    // Spaces and a carriage return alone are no line.
    if (line.some((byte) => byte > 0x20)) yield { number, line };
    start = end + 1;
  }
}

/** Parts of a text as a stream of bytes that reads on only as fast as it is taken. The first part is read at once: it may be refused. */
export async function toByteStream(
  parts: AsyncGenerator<string, void>,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const encoder = new TextEncoder();
  let first: IteratorResult<string, void> | undefined = await parts.next();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = first ?? (await parts.next());
        first = undefined;
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await parts.return();
      },
    },
    { highWaterMark: 0 },
  );
}
