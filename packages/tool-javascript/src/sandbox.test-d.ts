import type { Sandbox } from '@utensil/sandbox-quickjs/node';
import type { JavaScriptSandbox } from './sandbox.ts';

declare const quickjs: Sandbox;

// Ours is what the tool needs, though neither knows the other.
quickjs satisfies JavaScriptSandbox;
