// Groups of the official suite that `jsonSchema()` refuses to compile. Values are never judged wrongly: each of these
// cases ends with `schema_unsupported` and the message given here.

/** Reason why a group is refused. */
export interface Reason {
  readonly why: string;
  /** Part of the message of each refusal. */
  readonly says: string;
}

const remote: Reason = {
  why: 'The schema is in another document, and none is fetched: a schema of a stranger could name addresses inside of the host’s network.',
  says: 'which is not in this schema',
};

const metaschema: Reason = {
  why: 'The metaschema is another document, which nothing but tests refers to; it is not shipped.',
  says: 'which is not in this schema',
};

const dynamic: Reason = {
  why: 'A dynamic reference means another schema on every way that leads to it. No tool schema needs it, and validators disagree on it.',
  says: 'has the keyword "$dynamicRef", which is not supported',
};

const dialect: Reason = {
  why: 'The schema names a metaschema of its own, whose vocabularies would have to be fetched.',
  says: 'is written for',
};

interface Exception {
  readonly reason: Reason;
  /** File in `suite/`, with the draft. */
  readonly file: string;
  /** Descriptions of groups. Default: all of the file. */
  readonly groups?: readonly string[];
}

const inDynamicRef = 'draft2020-12/dynamicRef.json';

export const exceptions: readonly Exception[] = [
  { reason: remote, file: 'draft2020-12/refRemote.json' },
  { reason: remote, file: 'draft7/refRemote.json' },
  {
    reason: remote,
    file: inDynamicRef,
    groups: [
      'strict-tree schema, guards against misspelled properties',
      'tests for implementation dynamic anchor and reference link',
      '$ref and $dynamicAnchor are independent of order - $defs first',
      '$ref and $dynamicAnchor are independent of order - $ref first',
      '$ref to $dynamicRef finds detached $dynamicAnchor',
    ],
  },
  { reason: metaschema, file: 'draft2020-12/defs.json', groups: ['validate definition against metaschema'] },
  { reason: metaschema, file: 'draft2020-12/ref.json', groups: ['remote ref, containing refs itself'] },
  { reason: metaschema, file: 'draft7/definitions.json', groups: ['validate definition against metaschema'] },
  { reason: metaschema, file: 'draft7/ref.json', groups: ['remote ref, containing refs itself'] },
  {
    reason: dynamic,
    file: inDynamicRef,
    groups: [
      'A $dynamicRef to a $dynamicAnchor in the same schema resource behaves like a normal $ref to an $anchor',
      'A $dynamicRef to an $anchor in the same schema resource behaves like a normal $ref to an $anchor',
      'A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated',
      'A $dynamicRef without anchor in fragment behaves identical to $ref',
      "A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution",
      'An $anchor with the same name as a $dynamicAnchor is not used for dynamic scope resolution',
      'A $dynamicRef without a matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor',
      'A $dynamicRef with a non-matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor',
      'A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope',
      'A $dynamicRef that initially resolves to a schema without a matching $dynamicAnchor behaves like a normal $ref to $anchor',
      'multiple dynamic paths to the $dynamicRef keyword',
      'after leaving a dynamic scope, it is not used by a $dynamicRef',
      '$dynamicRef points to a boolean schema',
      '$dynamicRef skips over intermediate resources - direct reference',
      '$dynamicRef avoids the root of each schema, but scopes are still registered',
    ],
  },
  { reason: dynamic, file: 'draft2020-12/unevaluatedItems.json', groups: ['unevaluatedItems with $dynamicRef'] },
  {
    reason: dynamic,
    file: 'draft2020-12/unevaluatedProperties.json',
    groups: ['unevaluatedProperties with $dynamicRef'],
  },
  { reason: dialect, file: 'draft2020-12/vocabulary.json' },
];

/** Reason why a group is refused; undefined if it must pass. */
export function exceptionOf(file: string, group: string): Reason | undefined {
  return exceptions.find((each) => each.file === file && (each.groups?.includes(group) ?? true))?.reason;
}
