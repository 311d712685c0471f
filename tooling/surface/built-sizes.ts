import type { BuiltCeiling } from './built-ceilings.ts';
import { type BundlerName, bundlers } from './bundlers.ts';

const names = Object.keys(bundlers) as BundlerName[];

/** Bundles each program from the packages that `folder` depends on. `problems` lists programs over their ceiling. */
export async function weighBuilt(folder: string, ceilings: Readonly<Record<string, BuiltCeiling>>) {
  const sizes: Record<string, Partial<Record<BundlerName, number>>> = {};
  const problems: string[] = [];
  for (const [title, { program, without = [], eager }] of Object.entries(ceilings)) {
    const size: Partial<Record<BundlerName, number>> = {};
    for (const name of names) {
      const weight = await bundlers[name](program, { folder, without });
      size[name] = weight.eager;
      if (weight.eager > eager[name])
        problems.push(
          `${title}, built and bundled by ${name}: ${weight.eager} bytes, over its ceiling of ${eager[name]}`,
        );
    }
    sizes[title] = size;
  }
  return { sizes, problems };
}
