/** Whether keys that are pressed in the element write text, so that they are no shortcuts. */
export function isTyping(element: Element): boolean {
  return element.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null;
}
