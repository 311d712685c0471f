// What options of the command line take. Each throws where a value is none of that.

/** A whole number that is not too small. */
export function wholeNumber(option: string, text: string, least: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least) return number;
  throw new Error(`--${option} takes whole numbers from ${least}; got "${text}".`);
}

/** One of some words. */
export function oneOf<Choice extends string>(option: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw new Error(`--${option} takes ${choices.join(', ')}; got "${text}".`);
}
