import { isObject } from '../../base/json.ts';

/** Parsed data stored by an older app. */
export type OldDocument = Readonly<Record<string, unknown>>;

/**
 * Converts the data of one older app to our format. Unknown members are kept. A document in another format is returned
 * unchanged, so the step is idempotent.
 */
export type MigrationStep = (document: OldDocument) => OldDocument;

/** An older app's settings for tools. */
interface OldChoices {
  readonly on: Iterable<string>;
  /** Known to that app and disabled there: not new to the user. */
  readonly off?: Iterable<string>;
  readonly options?: Readonly<Record<string, OldDocument>>;
}

/** A document of version 0: tools that it does not name were off, because they did not exist. */
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
