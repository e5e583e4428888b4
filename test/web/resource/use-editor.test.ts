/** Typing while something else about the record arrives, such as the answer about a picture. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate } from "node:timers/promises";
import "./browser.ts";
import { type ContainerNode, h, render } from "preact";
import { useEffect } from "preact/hooks";
import { type Editor, useEditor } from "../../../src/web/ui/console/use-editor.ts";

interface Stored {
  readonly note: string;
  readonly pictures: number;
}
type Note = Pick<Stored, "note">;

const edited = {
  pick: ({ note }: Stored): Note => ({ note }),
  toForm: ({ note }: Note): Note => ({ note }),
  parse: (fields: Note) => ({ ok: true as const, fields }),
  send: (stored: Stored, fields: Note): Promise<Stored> => Promise.resolve({ ...stored, ...fields }),
  reload: (stored: Stored): Promise<Stored> => Promise.resolve(stored),
};

it("keeps what is typed between an answer and the effects of its render", async () => {
  const place: ContainerNode = {
    nodeType: 1,
    parentNode: null,
    firstChild: null,
    childNodes: [],
    contains: () => false,
    insertBefore: (node) => node,
    appendChild: (node) => node,
    removeChild: (node) => node,
  };
  let editor: Editor<Stored, Note, Note> | undefined;
  const Page = ({ stored }: { readonly stored: Stored }): null => {
    editor = useEditor(stored, edited);
    const { follow } = editor;
    useEffect(() => follow(stored), [stored]);
    return null;
  };
  render(h(Page, { stored: { note: "", pictures: 0 } }), place);
  render(h(Page, { stored: { note: "", pictures: 1 } }), place);
  editor?.change({ note: "typed" });
  await setImmediate();
  assert.deepEqual(editor?.form, { note: "typed" });
  assert.equal(editor?.dirty, true);
  assert.equal(editor?.base.pictures, 1);
});
