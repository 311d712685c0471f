// Turns of phrase that make English read as translated, as data. Add one with a `planted` text that has it, and a `clean`
// text that says the same without it: the test requires both.

/** Comments of sources, prose of Markdown, and texts in code that people or models read. */
export type Kind = 'comments' | 'documents' | 'texts';

export interface Tic {
  readonly name: string;
  /** Global. Inline code is `§` in the texts that it meets. */
  readonly pattern: RegExp;
  /** Default: all. */
  readonly kinds?: readonly Kind[];
  readonly advice: string;
  readonly planted: string;
  readonly clean: string;
}

const comments: readonly Kind[] = ['comments'];

export const tics: readonly Tic[] = [
  {
    name: 'opens with a question word',
    pattern: /^(?:What|How|Whether|Where|Who|Whom|Whose|Why|Which|Whatever|Whoever)\b/g,
    kinds: comments,
    advice: 'start with the noun: "Result of …", "Number of …", "True if …"',
    planted: 'What came from a call.',
    clean: 'Result of a call.',
  },
  {
    name: 'opens with "When" and has no main clause',
    pattern: /^When [^,.:;]*\./g,
    kinds: comments,
    advice: 'name the time: "Time of …"',
    planted: 'When a file was written.',
    clean: 'Time of the last write.',
  },
  {
    name: 'opens with "So many"',
    pattern: /^So (?:many|much|long|far|often)\b/g,
    kinds: comments,
    advice: '"Maximum number of …"',
    planted: 'So many directories are remembered.',
    clean: 'Maximum number of directories to remember.',
  },
  {
    name: 'opens with a preposition in place of a noun',
    pattern:
      /^(?:Of (?!course)|With (?:what|which|its|whose)\b|(?:By|From|In|To|At|On|For|After|Before|Behind) (?:what|which|whom|whose)\b)/g,
    kinds: comments,
    advice: 'start with the noun that it belongs to',
    planted: 'Of one schema.',
    clean: 'Size of one schema.',
  },
  {
    name: 'opens with a pronoun in place of a noun',
    pattern: /^(?:Those|That of|That which|One that|Ones that|Some that|All that|Everything that|Such)\b/g,
    kinds: comments,
    advice: 'name the thing',
    planted: 'Those that take minutes.',
    clean: 'Measurements that take minutes.',
  },
  {
    name: 'opens with a passive fragment',
    pattern: /^(?:Told\b|Is (?:in|of|no|not|the|a|an|to)\b|To be \w+)/g,
    kinds: comments,
    advice: '"Called when …", "Redacted from …": an active verb',
    planted: 'Told of a tool whose prompt failed.',
    clean: 'Called when the prompt of a tool fails.',
  },
  {
    name: '"such as is"',
    pattern: /\bsuch as (?:is|are|was|were|it|they)\b|\bsuch (?:is|are|was|were)\b|\b(?:as|and|for|of|with) such\b/gi,
    advice: 'name the thing',
    planted: 'It takes such as are there.',
    clean: 'It takes the files in the folder.',
  },
  {
    name: '"be had"',
    pattern: /\b(?:be|is|are|was|been|being) had\b|\bha(?:s|ve|d) back\b|\bhad back\b/gi,
    advice: '"available", "restored", "undone"',
    planted: 'Files that can be had back.',
    clean: 'Files that can be restored.',
  },
  {
    name: '"of yours"',
    pattern: /\b(?:of|than|to|with|by|for|beside|in) (?:yours|theirs|ours|hers)\b/gi,
    advice: '"your file", "their batch"',
    planted: 'A link to a file of yours.',
    clean: 'A link to your file.',
  },
  {
    name: 'double genitive',
    pattern: /\bof (?:an?|the) [a-z]+['’]s\b(?! [a-z§]+)/gi,
    advice: 'one genitive: "work of the thread" or "the thread\'s work"',
    planted: "Some work of the thread's.",
    clean: "Some of the thread's work, and the context of a tool's §.",
  },
  {
    name: '"is no …"',
    pattern: /(?<!\b(?:there|it) )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|way\b|fewer\b|other\b|one\b)/gi,
    advice: '"is not a …"',
    planted: 'The text is no JSON.',
    clean: 'The text is not JSON.',
  },
  {
    name: '"is none"',
    pattern: /(?<!\bthere )\b(?:is|are|was|were) none\b/gi,
    advice: '"if there is no file", "if it is not a path", "otherwise"',
    planted: 'Undefined if it is none.',
    clean: 'Undefined if it is not a path.',
  },
  {
    name: '"none of it"',
    pattern: /\bnone of (?:it|them|these|those|what)\b/gi,
    advice: 'repeat the noun, or "nothing"',
    planted: 'The model sees none of it.',
    clean: 'The model does not see the key.',
  },
  {
    name: '"what" in place of a noun',
    pattern:
      /\b(?:of|with|by|from|for|in|beside|behind|than|as|and|or|but|is|are|was|all|only|besides|without|before|after|like|to|on|at|about|under|around|between|it|keeps?|reads?|gives?|takes?|has|have|makes?|holds?|writes?|shows?|does|do|did|loses?|stores?|that|,) what (?!to\b|happen|went wrong|if\b|was expected|you (?:need|want))/gi,
    advice: 'a noun: "the result", "the input", "changes"',
    planted: 'It keeps what it was given.',
    clean: 'It keeps its input.',
  },
  {
    name: '"whoever"',
    pattern: /\b(?:whoever|whomever)\b/gi,
    advice: '"every", "anyone who"',
    planted: 'Whoever asks gets the value.',
    clean: 'Every caller gets the value.',
  },
  {
    name: '"where" for a condition',
    pattern:
      /(?<!\b(?:on|of|from|to|say|says|know|knows|place|position|point|line|file|directory|folder) )\bwhere (?:there|nothing|nobody|none|no|not|needed|possible|necessary|known|given|it (?:is|has|can|does|was)|they (?:are|have|can|do|were)|that (?:is|can)|one (?:is|has))\b|\b(?:undefined|absent|empty|null|zero|none|nothing|false|true|fails?|passes) where\b/gi,
    advice: '"if"',
    planted: 'Empty where there is no file.',
    clean: 'Empty if there is no file. It depends on where it was cut, and the place where it was written.',
  },
  {
    name: '"as it is"',
    pattern: /\bas (?:it|they) (?:is|are|was|were|stands?|stood|comes?|came|goes|go)(?=[.,;:)]|$)/gi,
    advice: '"unchanged", "verbatim", "current", "in order of arrival"',
    planted: 'The text is stored as it came.',
    clean: 'The text is stored verbatim.',
  },
  {
    name: 'a chain of relative clauses',
    pattern: /[,;] (?:which|who|that)\b[^.;]*, which\b|\bwhich is (?:what|why|how|where|that)\b/gi,
    advice: 'two sentences',
    planted: 'It reads the file, which is a journal, which a crash leaves.',
    clean: 'It reads the file. A crash leaves this journal.',
  },
  {
    name: '"is to be"',
    pattern: /\b(?:is|are|was|were) to be\b/gi,
    advice: '"must", "will", or an imperative',
    planted: 'The file is to be closed.',
    clean: 'Close the file.',
  },
  {
    name: '"tells of"',
    pattern: /\b(?:tells?|told|telling|says?|said|saying|knows?|known|speaks?|spoke|hears?|heard) of\b/gi,
    advice: '"reports", "lists", "announces", "declares"',
    planted: 'Tells of the subtitles of a page.',
    clean: 'Lists the subtitles of a page.',
  },
  {
    name: '"what came of"',
    pattern: /\b(?:comes?|came|coming|become|becomes|became) of\b/gi,
    advice: '"result", "outcome"',
    planted: 'Nothing came of the call.',
    clean: 'The call had no effect.',
  },
  {
    name: '"the own"',
    pattern: /\b(?:the|an?) own\b/gi,
    advice: '"local", "its own"',
    planted: 'Default: the own disk.',
    clean: 'Default: the local disk.',
  },
  {
    name: '"go on with"',
    pattern: /\b(?:goes|go|going|went|gone) on (?:with(?! something\b)|after|where|from)\b|\bit (?:goes|went) on\b/gi,
    advice: '"continues", "resumes"',
    planted: 'It goes on after a crash.',
    clean: 'Resumes after a crash. Meanwhile, go on with something else.',
  },
  {
    name: '"but for"',
    pattern: /\bbut for\b/gi,
    advice: '"except"',
    planted: 'All files but for links.',
    clean: 'All files except links.',
  },
  {
    name: '"beside"',
    pattern: /\bbeside\b/gi,
    advice: '"next to", "alongside", "besides", "in addition to"',
    planted: 'The options beside the name.',
    clean: 'Options other than the name.',
  },
  {
    name: 'a dated word',
    pattern:
      /\b(?:dearer|dearest|wholly|anew|likewise|lest|thereby|therein|thereof|whereof|nought|aught|ere|hither|thence|hence|in the place of|once more|now and then|and the like|has its say|have their say|so to speak|by and by)\b/gi,
    advice: '"more expensive", "completely", "again", "also", "instead of", "corrected"',
    planted: 'A step gets dearer.',
    clean: 'A step gets more expensive.',
  },
  {
    name: '"all that"',
    pattern: /\ball that\b/gi,
    advice: 'name the things',
    planted: 'Undoes all that the turn did.',
    clean: "Undoes the turn's changes.",
  },
  {
    name: '"so many" without "that"',
    pattern: /\b(?:at most|up to|with|for|after|of) so (?:many|much|long)\b(?! that)|\bas (?:many|much) as that\b/gi,
    advice: 'say the number or its name',
    planted: 'It waits for so many seconds.',
    clean: 'It waits for the given number of seconds.',
  },
  {
    name: '"is it"',
    pattern: /\b(?:the more|the less) so\b|\bbe it\b|\bso does\b|\bso do\b|\bnor (?:is|are|does|do|has|can)\b/gi,
    advice: 'plain order: subject, verb',
    planted: 'A link is not followed, nor is a mount.',
    clean: 'Links and mounts are not followed.',
  },
];
