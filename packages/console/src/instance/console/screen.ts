import '@xterm/xterm/css/xterm.css';

import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Terminal, type ITheme } from '@xterm/xterm';

import { limits } from '../../limits.ts';
import { platform } from '../../platform.ts';
import { words } from '../../words/index.ts';

const texts = words.instance.terminal;

export interface Screen {
  readonly write: (text: string | Uint8Array) => void;
  readonly focus: () => void;
  /** Selects the next place with this text, or the one before. Returns whether there is one. */
  readonly find: (text: string, backwards: boolean) => boolean;
  /** The selected text; if nothing is selected, all of it. */
  readonly text: () => string;
  readonly announce: (screenReader: boolean) => void;
  readonly allowInput: (allowed: boolean) => void;
  readonly dispose: () => void;
}

export interface ScreenOptions {
  readonly screenReader: boolean;
  readonly onInput: (text: string) => void;
  /** The user leaves the terminal with the keyboard. */
  readonly onLeave: () => void;
}

/** A terminal in an element of the page. It fills the element, and has the colours of the theme. */
export function openScreen(element: HTMLElement, { screenReader, onInput, onLeave }: ScreenOptions): Screen {
  const terminal = new Terminal({
    screenReaderMode: screenReader,
    scrollback: limits.terminalLines,
    disableStdin: true,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-mono') || 'monospace',
    fontSize: 13,
    lineHeight: 1.2,
    // Programs choose colours for another background than ours.
    minimumContrastRatio: 4.5,
    theme: themeOf(),
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  const release = strictElements();
  terminal.open(element);
  terminal.textarea?.setAttribute('aria-label', texts.input);
  terminal.onData(onInput);
  terminal.attachCustomKeyEventHandler((event) => {
    if (isLeave(event)) {
      event.preventDefault();
      if (event.type === 'keydown') onLeave();
      return false;
    }
    // The usual key of terminals: Ctrl-C is for the machine.
    if (event.ctrlKey && event.shiftKey && event.key.toLowerCase() === 'c' && terminal.hasSelection()) {
      event.preventDefault();
      if (event.type === 'keydown') void navigator.clipboard.writeText(terminal.getSelection());
      return false;
    }
    // The palette opens from everywhere.
    return !((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k');
  });
  const resized = new ResizeObserver(() => {
    fit.fit();
  });
  resized.observe(element);
  const themed = new MutationObserver(() => {
    terminal.options.theme = themeOf();
  });
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return {
    write: (text) => {
      terminal.write(text);
    },
    focus: () => {
      terminal.focus();
    },
    find: (text, backwards) => {
      if (text !== '') return backwards ? search.findPrevious(text) : search.findNext(text);
      terminal.clearSelection();
      return true;
    },
    text: () => (terminal.hasSelection() ? terminal.getSelection() : allOf(terminal)),
    announce: (on) => {
      terminal.options.screenReaderMode = on;
    },
    allowInput: (allowed) => {
      terminal.options.disableStdin = !allowed;
      terminal.options.cursorBlink = allowed && !matchMedia('(prefers-reduced-motion: reduce)').matches;
    },
    dispose: () => {
      resized.disconnect();
      themed.disconnect();
      terminal.dispose();
      release();
    },
  };
}

/** The keys by which one leaves the terminal; all others belong to the machine. */
function isLeave({ ctrlKey, key }: KeyboardEvent): boolean {
  return ctrlKey && (key === ']' || key === 'F6');
}

function allOf(terminal: Terminal): string {
  const { active } = terminal.buffer;
  let text = '';
  for (let row = 0; row < active.length; row += 1) {
    const line = active.getLine(row);
    text += `${row > 0 && line?.isWrapped !== true ? '\n' : ''}${line?.translateToString(true) ?? ''}`;
  }
  return text.trimEnd();
}

function themeOf(): ITheme {
  const styles = getComputedStyle(document.documentElement);
  const token = (name: string) => styles.getPropertyValue(`--c-${name}`).trim();
  return {
    background: token('sunken'),
    foreground: token('text'),
    cursor: token('accent-text'),
    cursorAccent: token('sunken'),
    selectionBackground: token('line-strong'),
    red: token('bad'),
    green: token('good'),
    yellow: token('warn'),
    blue: token('busy'),
    magenta: token('accent-text'),
    cyan: token('busy-mark'),
    brightRed: token('bad-mark'),
    brightGreen: token('good-mark'),
    brightYellow: token('warn-mark'),
    brightBlue: token('busy-mark'),
  };
}

/** Screens that are open. */
let open = 0;

/**
 * The security policy allows style elements only with a nonce, and no style attribute. The library knows neither. So
 * while one of its terminals is open, new style elements get the nonce, and style attributes of new elements become
 * properties, which the policy allows.
 */
function strictElements(): () => void {
  open += 1;
  Object.defineProperty(document, 'createElement', { configurable: true, value: strictElement });
  return () => {
    open -= 1;
    if (open === 0) Reflect.deleteProperty(document, 'createElement');
  };
}

function strictElement(tag: string): HTMLElement {
  // As `createElement` does in a page: some callers write names in capital letters.
  const name = tag.toLowerCase();
  const element = document.createElementNS('http://www.w3.org/1999/xhtml', name);
  if (name === 'style') element.nonce = platform.nonce();
  if (name === 'span') element.setAttribute = setStrictAttribute;
  return element;
}

function setStrictAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}
