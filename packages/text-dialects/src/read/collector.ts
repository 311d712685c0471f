import type { Json, JsonObject } from '@utensil/core';
import { parameterSchema } from './tool-index.ts';
import type { IndexedTool } from './tool-index.ts';
import { fromText, isText, itemsOf, typesOf } from './typing.ts';
import type { Slot } from './typing.ts';

/** Puts the arguments of a call together from parameters whose values are text, and tells them as JSON as they grow. */
export interface Collector {
  /** A parameter begins; what is wrong with that, as text. */
  open(key: string): { write(text: string): void; close(): string | undefined } | string;
  /** A whole list, each item as text. */
  list(key: string, items: readonly string[]): string | undefined;
  /** JSON text of the arguments that was not told yet. */
  fresh(): string;
  /** The arguments, or a problem. */
  end(): JsonObject | string;
}

export function createCollector(tool: IndexedTool | undefined): Collector {
  const root = tool?.schema ?? {};
  const single = new Map<string, Json>();
  const lists = new Map<string, Json[]>();
  let told = '';
  let isFirst = true;

  function tell(key: string, json: string): void {
    told += `${isFirst ? '{' : ','}${JSON.stringify(key)}:${json}`;
    isFirst = false;
  }

  /** The list that a parameter is an item of, by its name or by its singular. */
  function listOf(key: string): Slot | undefined {
    const schema = parameterSchema(tool, key);
    if (schema !== undefined) return isList(schema, root) ? { key, schema, root } : undefined;
    const plural = tool?.singulars.get(key);
    return plural === undefined ? undefined : { key: plural, schema: parameterSchema(tool, plural), root };
  }

  function openItem(slot: Slot, isSingular: boolean): ReturnType<Collector['open']> {
    let text = '';
    return {
      write: (more) => void (text += more),
      close() {
        const list = lists.get(slot.key) ?? [];
        lists.set(slot.key, list);
        const typed = fromText(text, isSingular ? { ...slot, schema: itemsOf(slot.schema) } : slot);
        if ('problem' in typed) return typed.problem;
        if (isSingular || !Array.isArray(typed.value)) list.push(typed.value);
        else list.push(...(typed.value as readonly Json[]));
        return undefined;
      },
    };
  }

  function openLive(key: string): ReturnType<Collector['open']> {
    let text = '';
    tell(key, '"');
    single.set(key, '');
    return {
      write(more) {
        text += more;
        told += escape(more);
      },
      close() {
        told += '"';
        single.set(key, text);
        return undefined;
      },
    };
  }

  return {
    open(key) {
      const list = listOf(key);
      if (list !== undefined) return openItem(list, list.key !== key);
      if (single.has(key)) return `the parameter "${key}" is given twice`;
      const schema = parameterSchema(tool, key);
      if (isText(schema, root)) return openLive(key);
      let text = '';
      return {
        write: (more) => void (text += more),
        close() {
          const typed = fromText(text, { key, schema, root });
          if ('problem' in typed) return typed.problem;
          single.set(key, typed.value);
          tell(key, JSON.stringify(typed.value));
          return undefined;
        },
      };
    },
    list(key, items) {
      if (single.has(key) || lists.has(key)) return `the parameter "${key}" is given twice`;
      const slot = listOf(key) ?? { key, schema: undefined, root };
      const schema = itemsOf(slot.schema);
      const typed = items.map((item) => fromText(item, { ...slot, schema }));
      lists.set(
        slot.key,
        typed.flatMap((each) => ('value' in each ? [each.value] : [])),
      );
      return typed.flatMap((each) => ('problem' in each ? [each.problem] : []))[0];
    },
    fresh() {
      const fresh = told;
      told = '';
      return fresh;
    },
    end() {
      const both = [...lists.keys()].find((key) => single.has(key));
      if (both !== undefined) return `the parameter "${both}" is given twice`;
      for (const [key, list] of lists) tell(key, JSON.stringify(list));
      told += isFirst ? '{}' : '}';
      return Object.fromEntries<Json>([...single, ...lists]);
    },
  };
}

function isList(schema: JsonObject, root: JsonObject): boolean {
  const types = typesOf(schema, root);
  return types.size === 1 && types.has('array');
}

/** Text inside a JSON string, unchanged; half a surrogate pair is kept, because its other half may follow. */
export function escape(text: string): string {
  return text.replace(/["\\\u0000-\u001f]/g, (char) => JSON.stringify(char).slice(1, -1));
}
