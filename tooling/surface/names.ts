// Names that a declaration refers to.

import type { Statement } from './declarations.ts';

/** A name with its position. A path such as `namespace.Name` has several parts. */
export interface Mention {
  readonly parts: readonly string[];
  readonly start: number;
  readonly end: number;
  /** Module of `import('module').Name`. */
  readonly from?: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** All references to types, values and modules, in order, except type parameters. */
export function mentionsIn(statement: Statement): readonly Mention[] {
  const nodes = [...nodesOf(statement)];
  const own = nodes.flatMap((node) => (node.type === 'TSTypeParameter' ? parametersOf(node) : []));
  const mapped = nodes.flatMap((node) => (node.type === 'TSMappedType' ? [nameIn(node['key'])] : []));
  return nodes
    .flatMap(mentionOf)
    .filter(({ parts: [first = ''], from }) => from !== undefined || ![...own, ...mapped].includes(first))
    .sort((a, b) => a.start - b.start);
}

function mentionOf(node: Node): readonly Mention[] {
  switch (node.type) {
    case 'TSImportType': {
      const qualifier = isNode(node['qualifier']) ? node['qualifier'] : undefined;
      const { value } = node['source'] as { readonly value: string };
      return [{ parts: partsOf(qualifier), start: node.start, end: qualifier?.end ?? node.end, from: value }];
    }
    case 'TSTypeReference':
      return plain(node['typeName']);
    case 'TSTypeQuery':
      return plain(node['exprName']);
    case 'TSInterfaceHeritage':
    case 'TSClassImplements':
      return plain(node['expression']);
    case 'ClassDeclaration':
      return plain(node['superClass']);
    default:
      return node['computed'] === true ? plain(node['key']) : [];
  }
}

function plain(node: unknown): readonly Mention[] {
  const parts = partsOf(node);
  return isNode(node) && parts.length > 0 ? [{ parts, start: node.start, end: node.end }] : [];
}

function partsOf(node: unknown): readonly string[] {
  if (!isNode(node)) return [];
  if (node.type === 'Identifier') return [String(node['name'])];
  if (node.type === 'TSQualifiedName') return [...partsOf(node['left']), ...partsOf(node['right'])];
  if (node.type === 'MemberExpression') return [...partsOf(node['object']), ...partsOf(node['property'])];
  return [];
}

function parametersOf(node: Node): readonly string[] {
  return [nameIn(node['name'])];
}

function nameIn(node: unknown): string {
  return partsOf(node)[0] ?? '';
}

function* nodesOf(node: Node | Statement): Generator<Node> {
  yield node as Node;
  for (const value of Object.values(node))
    for (const each of Array.isArray(value) ? (value as readonly unknown[]) : [value])
      if (isNode(each)) yield* nodesOf(each);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
