// Code that only schemas need which the API enforces, of tools or of answers: loaded with the first one.

export { chatFormat, flatFormat } from './formats.ts';
export { strictSchemas } from './strict.ts';
