// Rules. Each checks one import, and returns a message with advice.

import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import type { Manifest } from '../workspace/manifest.ts';
import type { Member } from '../workspace/members.ts';
import type { Import } from './imports.ts';
import { testRunner } from './layers.ts';
import type { Source } from './sources.ts';

export interface Workspace {
  readonly root: string;
  readonly members: readonly Member[];
}

/** A rule: its name, and a function that returns a message, or undefined if the import is allowed. */
export type Verdict = readonly [rule: string, message: string] | undefined;

export function judge(each: Import, source: Source, workspace: Workspace): Verdict {
  const specifier = each.specifier.replace(/\?.*/, ''); // queries such as Vite's `?url` are not part of the name
  if (/^[./]/.test(specifier)) return judgePath(specifier, source, workspace.root);
  if (isBuiltin(specifier)) return judgeBuiltin(specifier, source);
  const target = workspace.members.find(({ manifest }) => manifest.name === packageOf(specifier));
  return target === undefined ? judgeVendor(each, source) : judgeEntry(specifier, source, target);
}

function judgePath(specifier: string, { path, isTest, member }: Source, root: string): Verdict {
  const target = posix.join(posix.dirname(path), specifier);
  const isOfTooling = target.startsWith('tooling/') && (isTest || path.startsWith('tooling/'));
  if (specifier.startsWith('/') || !(target.startsWith(`${member.folder}/`) || isOfTooling))
    return ['escape', `${specifier} leaves ${member.folder}: import an entry point of the other package, by its name`];
  if (!existsSync(join(root, target)))
    return ['unresolved', `${specifier} names no file: write its whole name, with .ts`];
  if (target.startsWith(`${member.folder}/src/test-kit/`) && !isTest)
    return ['test-kit-in-source', `${specifier} is not shipped: move what shipped code needs out of src/test-kit`];
  const testing = `${member.folder}/src/testing/`;
  if (target.startsWith(testing) && !path.startsWith(testing) && !isTest)
    return ['testing-in-source', `${specifier} is for tests: move what shipped code needs out of src/testing`];
  return undefined;
}

function judgeBuiltin(specifier: string, { path, isTest, member, layer }: Source): Verdict {
  const isEntry = /^\/src\/node(?:\.ts$|\/)/.test(path.slice(member.folder.length));
  if (isTest || layer.node === 'always' || (layer.node === 'entry' && isEntry)) return undefined;
  const where = layer.node === 'entry' ? 'move it to the Node.js entry point, src/node.ts' : 'take it as an option';
  return ['node-builtin', `${specifier} exists only in Node.js, and ${member.folder} runs anywhere: ${where}`];
}

function judgeEntry(specifier: string, { isTest, member, layer }: Source, target: Member): Verdict {
  const { name, exports = {} } = target.manifest;
  if (target.folder.startsWith('apps/')) return ['app-import', `${name} is an app: nothing imports an app`];
  if (target === member) return isTest ? undefined : ['own-entry', `${specifier} is this package: import the file`];
  if (!(specifier.replace(name, '.') in exports))
    return ['deep-import', `${specifier} is no entry point of ${name}; these are: ${Object.keys(exports).join(', ')}`];
  if (isTest) return declared(specifier, member.manifest, anywhere);
  if (layer.entries === 'any') return declared(specifier, member.manifest, anywhere);
  if (specifier.endsWith('/testing')) return ['testing-in-source', `${specifier} is for tests alone`];
  if (!layer.entries.includes(specifier))
    return ['sibling-import', `${member.folder} does not know ${specifier}: take what it gives as an option`];
  const isBrought = layer.brings?.includes(specifier) === true;
  return declared(specifier, member.manifest, [isBrought ? 'dependencies' : 'peerDependencies']);
}

function judgeVendor({ specifier, kind }: Import, { isTest, member, layer }: Source): Verdict {
  const { folder, manifest } = member;
  if (isTest) return packageOf(specifier) === testRunner ? undefined : declared(specifier, manifest, anywhere);
  const better = layer.instead?.[specifier];
  if (better !== undefined) return ['heavy-import', `import ${better} instead of ${specifier}`];
  if (layer.vendors === 'none') return ['vendor-import', `${folder} imports nothing of others: remove ${specifier}`];
  if (layer.vendors === 'lazy peer' && kind === 'value')
    return ['eager-vendor', `use \`import type\`, or \`await import('${specifier}')\` where it is needed`];
  if (layer.vendors === 'any') return declared(specifier, manifest, anywhere);
  return declared(
    specifier,
    manifest,
    layer.vendors === 'dependency' ? ['dependencies', 'peerDependencies'] : ['peerDependencies'],
  );
}

type Field = 'dependencies' | 'devDependencies' | 'peerDependencies';
const anywhere: readonly Field[] = ['dependencies', 'peerDependencies', 'devDependencies'];

function declared(specifier: string, manifest: Manifest, fields: readonly Field[]): Verdict {
  const name = packageOf(specifier);
  if (fields.some((field) => name in (manifest[field] ?? {}))) return undefined;
  return ['undeclared-dependency', `${name} is not in the ${fields.join(' or ')} of ${manifest.name}: add it there`];
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
