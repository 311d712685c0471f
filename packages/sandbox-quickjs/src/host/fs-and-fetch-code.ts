// The code behind `fs` and `fetch`, loaded by the first call of either.
export { scriptFiles } from '../files/script-files.ts';
export { fetchFunction } from './fetch-function.ts';
