import { isObject } from '../../base/json.ts';

/** What an older app has stored, parsed. */
export type OldDocument = Readonly<Record<string, unknown>>;

/**
 * Turns what one older app has stored into a document of ours. What it does not know stays as it is,
 * and a document of another shape is given back itself, so that the second time changes nothing.
 */
export type MigrationStep = (document: OldDocument) => OldDocument;

/** What an older app says of tools. */
interface OldChoices {
  readonly on: Iterable<string>;
  /** Known there, and switched off: not new to the user. */
  readonly off?: Iterable<string>;
  readonly options?: Readonly<Record<string, OldDocument>>;
}

/** A document of version 0: all tools that it does not name were off, because they were not there. */
export function enabledList(rest: OldDocument, { on, off = [], options = {} }: OldChoices): OldDocument {
  const enabledTools = [...new Set(on)];
  const isNamed = (name: string): boolean => enabledTools.includes(name) || Object.hasOwn(options, name);
  const others = [...new Set(off)].filter((name) => !isNamed(name));
  const tools = { ...own(rest), ...Object.fromEntries(others.map((name) => [name, { enabled: false }])) };
  const hasOptions = Object.keys(options).length > 0;
  return {
    ...rest,
    version: 0,
    enabledTools,
    ...(hasOptions && { toolOptions: options }),
    ...(Object.keys(tools).length > 0 && { tools }),
  };
}

function own({ tools }: OldDocument): OldDocument {
  return isObject(tools) ? tools : {};
}

/** A document without some of its fields. */
export function without(document: OldDocument, isGone: (field: string) => boolean): OldDocument {
  return Object.fromEntries(Object.entries(document).filter(([field]) => !isGone(field)));
}
