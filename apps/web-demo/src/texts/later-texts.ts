import { completeTexts } from '@utensil/elements/texts';
import type { PartialTexts, TextTable } from '@utensil/elements/texts';
import { currentTexts } from './texts.ts';
import type { Texts } from './texts.ts';

/** Tables of a part that is loaded later, in the language of the app: what `provideAppTexts` was given of them, over English. */
export function laterTexts<Tables extends Readonly<Record<string, object>>>(
  english: Tables,
): (texts?: Texts) => Tables {
  const completed = new WeakMap<Texts, Tables>();
  return (texts = currentTexts()) => {
    const known = completed.get(texts);
    if (known !== undefined) return known;
    const whole: TextTable = { locale: texts.locale, formats: texts.formats, ...english };
    const provided = Object.fromEntries(Object.keys(english).map((name) => [name, Reflect.get(texts, name) ?? {}]));
    const made = completeTexts(whole, provided as PartialTexts<TextTable>) as TextTable & Tables;
    completed.set(texts, made);
    return made;
  };
}
