import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// The program is its sources: what was compiled at the last start need not be again.
enableCompileCache(fileURLToPath(new URL('../../../.toolchain/compile-cache', import.meta.url)));
await import('./program.ts');
