/**
 * The new part of a console output. Clouds keep only the end of the output, so the earlier part may no longer be in it.
 * If it is not, such as after a reboot, the whole output is new.
 */
export function newOutput(before: string, after: string): string {
  if (after.startsWith(before)) return after.slice(before.length);
  const [old, now] = [before.split('\n'), after.split('\n')];
  const longest = Math.min(old.length, now.length);
  for (let shared = longest; shared > 0; shared -= 1) {
    if (old.slice(-shared).every((line, index) => line === now[index])) return `\n${now.slice(shared).join('\n')}`;
  }
  return `\n${after}`;
}

export function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
