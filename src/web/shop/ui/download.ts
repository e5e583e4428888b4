/** Files that a request with a body answers with, such as a table of what was chosen. */
import { ApiError } from "../../app/api.ts";
import { basePath } from "../../app/path.ts";

/** Posts `body` and gives the answer to the browser as a file. @throws ApiError */
export async function downloadPosted(path: string, body: object, name: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(basePath + path, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  }).catch(() => {
    throw new ApiError("The service cannot be reached", { status: 0, code: "offline" });
  });
  if (!response.ok) throw new ApiError(response.statusText, { status: response.status, code: "unknown" });
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by the next turn.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
