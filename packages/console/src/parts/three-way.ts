/** A field of a form: how it is called, where the service has it, and how two changes of it are put together. */
export interface FieldOf<Value> {
  readonly label: string;
  /** Its place in a request, by which the service names it in a refusal. */
  readonly path?: string;
  /** Its value in one line. Without it, texts, numbers and lists are shown as they are. */
  readonly text?: (value: Value) => string;
  /** Their value with my changes. Without it, my value replaces theirs if I changed it. */
  readonly merge?: (opened: Value, theirs: Value, mine: Value) => Value;
  /** Why the value cannot be sent. */
  readonly flaw?: (value: Value) => string | undefined;
}

export type FieldsOf<Draft> = { readonly [Key in keyof Draft]: FieldOf<Draft[Key]> };

/** A field that another user changed while it was in a form. */
export interface FieldChange {
  readonly label: string;
  readonly opened: string;
  readonly theirs: string;
  /** Undefined if it was not changed here. */
  readonly mine: string | undefined;
}

/** A draft as the form began with it, as another user left it, and as it is now. */
export interface Versions<Draft> {
  readonly opened: Draft;
  readonly theirs: Draft;
  readonly mine: Draft;
}

/** The fields that the other user changed. `nameOf` says what an id means. */
export function changesOf<Draft extends object>(
  fields: FieldsOf<Draft>,
  { opened, theirs, mine }: Versions<Draft>,
  nameOf: (id: string) => string,
): readonly FieldChange[] {
  const changeOf = (key: keyof Draft): readonly FieldChange[] => {
    const { label, text = (value) => plainText(value, nameOf) } = fields[key];
    if (isSame(opened[key], theirs[key])) return [];
    const isMine = !isSame(opened[key], mine[key]);
    return [
      {
        label,
        opened: text(opened[key]),
        theirs: text(theirs[key]),
        mine: isMine ? text(mine[key]) : undefined,
      },
    ];
  };
  return keysOf(mine).flatMap((key) => changeOf(key));
}

/** Their draft with my changes. */
export function merged<Draft extends object>(
  fields: FieldsOf<Draft>,
  { opened, theirs, mine }: Versions<Draft>,
): Draft {
  const both = { ...theirs };
  const put = (key: keyof Draft) => {
    if (isSame(opened[key], mine[key])) return;
    both[key] = fields[key].merge?.(opened[key], theirs[key], mine[key]) ?? mine[key];
  };
  for (const key of keysOf(mine)) put(key);
  return both;
}

/**
 * Puts two changes of a list together: their list, with what I added, and without what I removed. Elements are compared
 * by a text.
 *
 * @example mergedBy(ruleText)(opened, theirs, mine)
 */
export function mergedBy<Each>(textOf: (each: Each) => string) {
  return (opened: readonly Each[], theirs: readonly Each[], mine: readonly Each[]): readonly Each[] => {
    const [before, wanted] = [opened.map(textOf), mine.map(textOf)];
    const kept = theirs.filter((each) => wanted.includes(textOf(each)) || !before.includes(textOf(each)));
    const known = [...before, ...kept.map(textOf)];
    return [...kept, ...mine.filter((each) => !known.includes(textOf(each)))];
  };
}

export const mergedList = mergedBy((each: string) => each);

/** The first reason why a draft cannot be sent. */
export function flawOf<Draft extends object>(fields: FieldsOf<Draft>, draft: Draft): string | undefined {
  const flaws = keysOf(draft).map((key) => fields[key].flaw?.(draft[key]));
  return flaws.find((flaw) => flaw !== undefined);
}

export function keysOf<Draft extends object>(draft: Draft): readonly (keyof Draft)[] {
  return Object.keys(draft).filter((key): key is keyof Draft & string => key in draft);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function plainText(value: unknown, nameOf: (id: string) => string): string {
  if (Array.isArray(value)) return value.map((each) => plainText(each, nameOf)).join(', ');
  if (typeof value === 'string') return nameOf(value);
  return value === undefined ? '' : JSON.stringify(value);
}
