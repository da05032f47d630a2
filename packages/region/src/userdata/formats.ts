/**
 * The markers at the start of user data, with the types of cloud-init; if one marker is the prefix of another, the
 * longer one comes first.
 */
const markers = [
  ['## template: jinja', 'text/jinja2'],
  ['#cloud-config-archive', 'text/cloud-config-archive'],
  ['#cloud-config-jsonp', 'text/cloud-config-jsonp'],
  ['#cloud-config', 'text/cloud-config'],
  ['#cloud-boothook', 'text/cloud-boothook'],
  ['#include-once', 'text/x-include-once-url'],
  ['#include', 'text/x-include-url'],
  ['#part-handler', 'text/part-handler'],
  ['#!', 'text/x-shellscript'],
] as const;

export type ContentType = (typeof markers)[number][1];

export const knownMarkers: readonly string[] = markers.map(([marker]) => marker);

/** The type that the first line announces. */
export function announcedType(text: string): ContentType | undefined {
  const line = firstLine(text);
  return markers.find(([marker]) => line.startsWith(marker))?.[1];
}

export function firstLine(text: string): string {
  return text.split('\n', 1).join('').trim();
}
