// Code for schemas that the API enforces, of tools and of answers; loaded with the first one.

export { chatFormat, flatFormat } from './formats.ts';
export { strictSchemas } from './strict.ts';
