/** In place of the system's resolver: every name has an address. */
export async function lookUpAll(): Promise<readonly string[]> {
  return ["93.184.215.14"];
}
