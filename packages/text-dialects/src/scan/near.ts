import { starts } from '../read/grammar.ts';
import type { Form, Lexicon } from './lexicon.ts';
import type { NearThoughts } from './thoughts.ts';

/** The words of a lexicon that may begin at an index, by its first three characters. */
export type Near = Pick<Lexicon, 'forms' | 'hidden' | 'foreign' | 'ends' | 'closers' | 'results'> & NearThoughts;

const known = new WeakMap<Lexicon, Map<string, Near>>();

/** Three characters tell most words apart, and many begin with the same two: the others need not be compared where a sign is. */
export function nearby(lexicon: Lexicon, text: string): Near {
  const near = known.get(lexicon) ?? new Map<string, Near>();
  known.set(lexicon, near);
  const lead = text.slice(0, 3);
  const found = near.get(lead);
  if (found !== undefined) return found;
  const made = select(lexicon, lead);
  if (near.size >= mostKnown) near.clear(); // made-up text must not keep out the leads of any that follows
  near.set(lead, made);
  return made;
}

/** Words begin with some hundred leads; text that is made up has any. */
const mostKnown = 1_000;

function select({ forms, thoughts, ...words }: Lexicon, lead: string): Near {
  const fits = (word: string): boolean => word !== '' && (word.startsWith(lead) || lead.startsWith(word));
  const canOpen = ({ grammar }: Form): boolean => starts(grammar).some(fits);
  return {
    forms: forms.filter(canOpen),
    family: thoughts[0],
    opened: thoughts.filter(({ open }) => fits(open)),
    closed: thoughts.filter(({ close }) => fits(close)),
    hidden: words.hidden.filter(fits),
    foreign: words.foreign.filter(fits),
    ends: words.ends.filter(fits),
    closers: words.closers.filter(fits),
    results: words.results.filter(fits),
  };
}
