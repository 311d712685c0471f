#!/usr/bin/env node
import process from 'node:process';
import { mcpProgram } from './dist/node/index.js';

const code = await mcpProgram(process.argv.slice(2));
process.stdout.write('', () => process.exit(code)); // whatever a tool has left running
