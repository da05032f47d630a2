/** The languages of the pages, with the name that their speakers use, and the rules for numbers and times. */
export const languages = {
  en: { name: 'English', numbers: 'en', times: 'en-GB' },
} as const satisfies Readonly<Record<string, LanguageFacts>>;

interface LanguageFacts {
  readonly name: string;
  readonly numbers: string;
  readonly times: string;
}

export type Language = keyof typeof languages;

export const languageNames: readonly Language[] = ['en'];

/** The language of this name, or English. */
export function languageOf(name: string): Language {
  return languageNames.find((each) => each === name) ?? 'en';
}

/**
 * A catalogue in any language: the same texts at the same places, with the same arguments. The compiler names each text
 * that a translation lacks.
 */
export type Translated<Texts> = Texts extends string
  ? string
  : Texts extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Key in keyof Texts]: Translated<Texts[Key]> };
