import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// The program runs from sources; caches the compiled code for the next start.
enableCompileCache(fileURLToPath(new URL('../../../.toolchain/compile-cache', import.meta.url)));
await import('./program.ts');
